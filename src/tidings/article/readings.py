"""Readings of Han characters beside their words (ruby), and text that was put in or taken out."""

from __future__ import annotations

from typing import Final

from tidings.article.inlines import Style
from tidings.article.units import FoundUnits, Special, inside, named, tag_of
from tidings.page import tags
from tidings.page.references import unescape

_MARKS: Final = {
    tags.NUMBERS["ins"]: Style(inserted=True),
    tags.NUMBERS["del"]: Style(deleted=True),
    tags.NUMBERS["s"]: Style(deleted=True),
    tags.NUMBERS["strike"]: Style(deleted=True),
}
_RUBY: Final = tags.NUMBERS["ruby"]
_LONGEST: Final = 400


def find_readings(units: FoundUnits) -> None:
    """What stands beside words, and what was changed."""
    page = units.page
    tag = page.elements.tag
    for element in named(units, "inline"):
        first, last = units.runs(element)
        number = tag.item(element)
        if first >= last or not units.chosen[first:last].any():
            continue
        if number == _RUBY:
            reading = _reading(units, element)
            if reading:
                units.specials[first] = Special(None, Style(reading=reading))
                for run in range(first + 1, last):
                    units.specials[run] = Special(None, Style(reading=reading))
        elif number in _MARKS and page.runs.text_end.item(last - 1) - page.runs.text_start.item(first) <= _LONGEST:
            for run in range(first, last):
                if units.chosen[run] and run not in units.specials:
                    units.specials[run] = Special(None, _MARKS[number])


def _reading(units: FoundUnits, element: int) -> str:
    page = units.page
    parts = []
    for inner in inside(page, element)[:60]:
        if tag_of(page, inner) == "rt":
            low, high = page.opened.item(inner) + 1, page.closed.item(inner)
            starts, ends = page.cut.piece_start[low : high + 1].tolist(), page.cut.piece_end[low : high + 1].tolist()
            parts.append("".join(unescape(page.source[start:end]) for start, end in zip(starts, ends, strict=True)))
    return "".join("".join(parts).split())
