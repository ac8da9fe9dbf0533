"""Text in closed tabs, accordions and carousels of product, service and listing pages.

A reader opens them with a click, so their text is part of the page, but the block classifier sees visible blocks only.
A closed panel is added if its names say what it is, if the visible text around it is selected, and if it is not a copy
of selected text.

On wcxb-dev (four folds) this changes word F1 by +0.002 on products, +0.004 on listings and +0.001 on services. Any
hidden box in place of named panels would gain 0.003 more and would also return text that is hidden from every reader.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.hashed_words import hashes_of
from tidings.page import Page, Spans, tags
from tidings.page.columns import Ints, sums
from tidings.text.patterns import late_pattern

#: Kinds of pages whose panels are part of the text.
KINDS: Final = frozenset({"product", "service", "listing"})
_PANEL: Final = late_pattern(
    r"accordion|collaps|tab|panel|faq|toggle|expand|slide|carousel|detail|answer|swiper|slick|more", re.IGNORECASE
)
_NO_PANEL: Final = late_pattern(
    r"modal|popup|pop-up|popover|overlay|lightbox|dialog|menu|nav|cookie|consent|tooltip|login|sign|cart|newsletter"
    r"|search|filter|dropdown|footer|header|form|flyout|drawer|share|error|alert|message|sr-only|screen-reader|visually"
    r"|template|loading|skeleton",
    re.IGNORECASE,
)
_NAMED: Final = 4  # levels: the panel and the boxes around it that may have its name
_LEVELS: Final = 12  # levels without the name of something else
_OUTSIDE: Final = frozenset(
    tags.NUMBERS[name] for name in "nav header footer form dialog select button template".split()
)
_WORDS: Final = 15  # least number of words of a panel
_LINKED: Final = 0.3  # greatest share of its words in links
_CONTEXT: Final = 5  # least number of visible words of the box around a panel …
_SELECTED: Final = 0.8  # … and the least share of them that is selected
_COPIED: Final = 0.5  # greatest share of its words that selected text contains in the same order
_MOST: Final = 500  # hidden blocks of a page that are examined


def closed_panels(page: Page, selected: Spans) -> Spans | None:
    """Return the text of closed panels that belong to the selected text, or None if there is none."""
    hidden = np.flatnonzero(page.blocks.hidden & (page.blocks.words > 0))
    if not len(hidden) or not selected:
        return None
    words = _WordCounts.of(page, selected)
    boxes = {words.hidden_box(element): None for element in page.blocks.element[hidden[:_MOST]].tolist()}
    panels = [box for box in boxes if words.may_belong(box) and _is_panel(page, box)]
    if not panels:
        return None
    pairs, chosen = _pairs(selected.text(page)), np.zeros(len(page.runs), np.bool_)
    for box in panels:
        first, last = int(page.elements.first[box]), int(page.elements.last[box])
        own = _pairs(page.text[int(page.runs.text_start[first]) : int(page.runs.text_end[last - 1])])
        if len(own) and np.isin(own, pairs).mean() < _COPIED:
            chosen[first:last] = True
    return Spans.of_runs(page, chosen) & page.scope if chosen.any() else None


class _WordCounts(NamedTuple):
    """Prefix sums of words over the runs of a page, to count the words inside elements."""

    page: Page
    visible: Ints
    selected: Ints
    hidden: Ints
    linked: Ints

    @classmethod
    def of(cls, page: Page, selected: Spans) -> _WordCounts:
        runs, is_selected = page.runs, np.zeros(len(page.runs), np.bool_)
        is_selected[selected.runs(page)] = True
        return cls(
            page,
            sums(np.where(runs.hidden, 0, runs.words)),
            sums(np.where(is_selected & ~runs.hidden, runs.words, 0)),
            sums(np.where(runs.hidden, runs.words, 0)),
            sums(np.where(runs.in_link, runs.words, 0)),
        )

    def inside(self, words: Ints, element: int) -> int:
        """Return the sum of words inside an element."""
        elements = self.page.elements
        return int(words[elements.last[element]] - words[elements.first[element]])

    def hidden_box(self, element: int) -> int:
        """Return the outermost element around a hidden element that contains no visible word."""
        parent = int(self.page.elements.parent[element])
        while parent > 0 and not self.inside(self.visible, parent):
            element, parent = parent, int(self.page.elements.parent[parent])
        return element

    def may_belong(self, box: int) -> bool:
        """Return whether a hidden box has running text, and most of the visible text around it is selected."""
        words = self.inside(self.hidden, box)
        if words < _WORDS or self.inside(self.linked, box) > _LINKED * words:
            return False
        around = int(self.page.elements.parent[box])
        while around > 0 and self.inside(self.visible, around) < _CONTEXT:
            around = int(self.page.elements.parent[around])
        return around > 0 and self.inside(self.selected, around) >= _SELECTED * self.inside(self.visible, around)


def _is_panel(page: Page, box: int) -> bool:
    """Return whether an element is a panel by its names and those of the elements around it."""
    element, is_named = box, False
    for level in range(_LEVELS):
        if element <= 0:
            break
        if int(page.elements.tag[element]) in _OUTSIDE:
            return False
        attributes = page.attributes(element)
        names = " ".join(attributes.get(name) or "" for name in ("class", "id", "role"))
        if _NO_PANEL.search(names):
            return False
        is_named = is_named or (level < _NAMED and _PANEL.search(names) is not None)
        element = int(page.elements.parent[element])
    return is_named


def _pairs(text: str) -> NDArray[np.uint64]:
    """Return a hash for each pair of neighbouring words."""
    words = hashes_of(text)
    return words[:-1] * np.uint64(0x9E3779B97F4A7C15) + words[1:] if len(words) > 1 else words[:0]
