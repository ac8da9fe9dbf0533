"""Leave out controls in headings and text: anchor links, buttons and edit links."""

from __future__ import annotations

import re
from typing import Final

import numpy as np

from tidings.article.units.units import FoundUnits, attributes_of, named, tag_of, text_of
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
#: Texts of anchor links in headings.
SIGNS: Final = ("#", "¶", "§", "🔗", "∞")
_PERMALINKS: Final = ("permalink", "headerlink", "anchor", "hash-link", "heading-link", "header-link", "headinglink")
_LONGEST: Final = 80


def find_anchors(units: FoundUnits) -> None:
    """Leave out anchor links of headings, and buttons in the text."""
    page = units.page
    tag = page.elements.tag
    for element in named(units, "anchor"):
        first, last = units.runs(element)
        if first >= last or not any_set(units.chosen[first:last]):
            continue
        number = tag.item(element)
        label = text_of(page, element)
        if len(label) > _LONGEST:
            continue
        if number == _BUTTON:
            if _in_heading(units, element) is not None and _SIGNS.match(label):
                units.leave(first, last)
            continue
        attributes = attributes_of(page, element)
        names = attributes.get("class", "").lower()
        if number == _LINK:
            href = attributes.get("href", "")
            if ("#" in href and any(word in names for word in _PERMALINKS) and _SIGNS.match(label)) or (
                _SIGNS.match(label) and "#" in href and _in_heading(units, element) is not None
            ):
                units.leave(first, last)
        elif "editsection" in names or (tag_of(page, element) == "span" and _SIGNS.match(label) and "anchor" in names):
            units.leave(first, last)
    _plain_anchors(units)


def _plain_anchors(units: FoundUnits) -> None:
    """Leave out links in headings whose text is only a sign."""
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
            element = page.runs.element.item(run)
            label = page.text[page.runs.text_start.item(run) : page.runs.text_end.item(run)].strip()
            if len(label) <= 2 and label in SIGNS and element != heading:
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
