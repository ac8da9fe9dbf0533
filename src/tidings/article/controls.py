"""What stands in headings and beside units and is no part of them: links to themselves, buttons, links to edit."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from tidings.article.units import FoundUnits, attributes_of, named, tag_of, text_of
from tidings.page import tags
from tidings.page.columns import any_set
from tidings.page.tag_sets import among, tag_set
from tidings.text.patterns import late_pattern

_LINK, _BUTTON = tags.NUMBERS["a"], tags.NUMBERS["button"]
_HEADINGS: Final = tag_set(tags.HEADINGS)
_SIGNS: Final = late_pattern(
    r"\A(?:[#¶§🔗🖇⚓∞↩\u200b\ufe0e\ufe0f\s]*|permalink.*|anchor|link|direct link.*|link to (?:this|heading).*|"
    r"copy link.*|permanent link.*|"
    r"section titled .*|heading link|\[?edit(?: source)?\]?|\[ ?edit ?\]|edit section.*)\Z",
    re.IGNORECASE,
)
#: What a link of a heading to itself shows.
SIGNS: Final = ("#", "¶", "§", "🔗", "∞")
_PERMALINKS: Final = ("permalink", "headerlink", "anchor", "hash-link", "heading-link", "header-link", "headinglink")
_LONGEST: Final = 80


def find_anchors(units: FoundUnits) -> None:
    """Leave out links of headings to themselves, and buttons in the text."""
    page = units.page
    tag = page.elements.tag
    for element in named(units, "anchor"):
        first, last = units.runs(element)
        if first >= last or not any_set(units.chosen[first:last]):
            continue
        number = tag.item(element)
        said = text_of(page, element)
        if len(said) > _LONGEST:
            continue
        if number == _BUTTON:
            if _in_heading(units, element) is not None and _SIGNS.match(said):
                units.leave(first, last)
            continue
        found = attributes_of(page, element)
        names = found.get("class", "").lower()
        if number == _LINK:
            own = found.get("href", "")
            if ("#" in own and any(word in names for word in _PERMALINKS) and _SIGNS.match(said)) or (
                _SIGNS.match(said) and "#" in own and _in_heading(units, element) is not None
            ):
                units.leave(first, last)
        elif "editsection" in names or (tag_of(page, element) == "span" and _SIGNS.match(said) and "anchor" in names):
            units.leave(first, last)
    _plain_anchors(units)


def _plain_anchors(units: FoundUnits) -> None:
    """Links inside headings that say nothing but a sign."""
    page = units.page
    if not any(sign in page.text for sign in SIGNS):  # as on most pages
        return
    elements = page.elements
    headings = np.flatnonzero(among(elements.tag, _HEADINGS))
    for heading in headings.tolist():
        first, last = units.runs(heading)
        if last - first < 2 or not any_set(units.chosen[first:last]):
            continue
        for run in {first, last - 1}:
            at = page.runs.element.item(run)
            said = page.text[page.runs.text_start.item(run) : page.runs.text_end.item(run)].strip()
            if len(said) <= 2 and said in SIGNS and at != heading:
                units.leave(run, run + 1)


def _in_heading(units: FoundUnits, element: int) -> int | None:
    at = element
    for _ in range(5):
        at = units.page.elements.parent.item(at)
        if at <= 0:
            return None
        if units.page.elements.tag.item(at) in tags.HEADINGS:
            return at
    return None
