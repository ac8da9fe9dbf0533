"""Read ruby annotations, expansions of abbreviations, and inserted or deleted text."""

from __future__ import annotations

import re
from typing import Final

from tidings.article.model.inlines import Style, with_style
from tidings.article.units.units import (
    FoundUnits,
    Special,
    attributes_of,
    inside,
    is_longer,
    named,
    start_tag,
    tag_of,
    text_of,
)
from tidings.page import tags
from tidings.page.columns import any_set
from tidings.page.references import unescape
from tidings.text.patterns import late_pattern

_MARKS: Final = {
    tags.NUMBERS["ins"]: Style(inserted=True),
    tags.NUMBERS["del"]: Style(deleted=True),
    tags.NUMBERS["s"]: Style(deleted=True),
    tags.NUMBERS["strike"]: Style(deleted=True),
}
_RUBY: Final = tags.NUMBERS["ruby"]
_ABBREVIATION, _ACRONYM = tags.NUMBERS["abbr"], tags.NUMBERS["acronym"]
_LONGEST: Final = 400
#: The maximum length of an abbreviation. Its expansion starts with a letter, unlike a timestamp in a title attribute.
_LONGEST_ABBREVIATION: Final = 40
_SPELLED_OUT: Final = late_pattern(r"[^\W\d_].{2,199}", re.DOTALL)


def find_readings(units: FoundUnits) -> None:
    """Find ruby annotations, abbreviations, insertions and deletions."""
    page = units.page
    tag = page.elements.tag
    short: list[int] = []
    if units.places.has_abbreviations:
        short = ((tag == _ABBREVIATION) | (tag == _ACRONYM)).nonzero()[0].tolist()
    marked: dict[int, int] = {}  # by tag: the run after the last marked element
    for element in (*short, *named(units, "inline")):
        first, last = units.runs(element)
        number = tag.item(element)
        if first >= last or not any_set(units.chosen[first:last]):
            continue
        if number in (_ABBREVIATION, _ACRONYM):
            if expansion := _expansion(units, element):
                _mark(units, first, last, Style(expansion=expansion))
        elif number == _RUBY:
            if reading := _reading(units, element):
                units.specials.update(dict.fromkeys(range(first, last), Special(None, Style(reading=reading))))
        elif last <= marked.get(
            number, 0
        ):  # inside an element of the same tag: nested elements are processed only once
            continue
        elif number in _MARKS and page.runs.text_end.item(last - 1) - page.runs.text_start.item(first) <= _LONGEST:
            _mark(units, first, last, _MARKS[number])
            marked[number] = last


def _mark(units: FoundUnits, first: int, last: int, style: Style) -> None:
    """Add a style to runs of text whose text is not replaced."""
    for run in range(first, last):
        special = units.specials.get(run)
        if units.chosen[run] and (special is None or special.text is None):
            units.specials[run] = Special(None, style if special is None else with_style(special.style, style))


def _expansion(units: FoundUnits, element: int) -> str:
    """Return the expansion of an abbreviation; empty if its title repeats the text or is a machine-readable value."""
    if is_longer(units.page, element, _LONGEST_ABBREVIATION):
        return ""
    title = " ".join(attributes_of(units.page, element).get("title", "").split())
    if title.casefold() == text_of(units.page, element).casefold():
        return ""
    return title if _SPELLED_OUT.fullmatch(title) else ""


def _reading(units: FoundUnits, element: int) -> str:
    page = units.page
    parts = []
    readings = [inner for inner in inside(page, element)[:60] if tag_of(page, inner) == "rt"]
    hiding = page.ways_of([start_tag(page, inner) for inner in readings])
    for inner, is_hidden, (ways, _) in zip(readings, page.unseen(readings), hiding, strict=True):
        if not is_hidden and not ways:
            low, high = page.opened.item(inner) + 1, page.closed.item(inner)
            starts, ends = page.cut.piece_start[low : high + 1].tolist(), page.cut.piece_end[low : high + 1].tolist()
            parts.append("".join(unescape(page.source[start:end]) for start, end in zip(starts, ends, strict=True)))
    return "".join("".join(parts).split())
