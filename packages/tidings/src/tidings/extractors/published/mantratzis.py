"""Mantratzis et al.: link clutter is what is built as a list or a table of links, at whatever level of the tree.

Mantratzis, Orgun and Cassidy 2005 ("Separating XHTML content from navigation clutter using DOM-structure block
analysis"); DANA thesis 3.2.2. Each section gets a score for the amount of links in it and for their place; sections
that are "list-links" or "table-links", tightly defined (by list and table elements) or loosely (any element whose
parts repeat), are taken out, and the rest is the content.

Neither the thesis nor the abstracts of the two papers print the scores, so these are our reading:

- amount: the share of an element's characters that are link text;
- place: the share of its parts (children with text) that links lead, that is, where they make up most of the text. It
  is high where links stand side by side in parts of their own, and low where they are scattered over sentences;
- score: their product;
- pattern: lists, tables and what they consist of (tight); any other element with `parts` parts led by links (loose).

A part may itself be a section of any depth, so nested tables and loose lists of `div` are found like plain ones.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.tag_sets import among, tag_set

Floats = NDArray[np.float64]

#: Tightly defined patterns: lists and their items, tables and their parts.
_TIGHT: Final = tag_set(tags.numbers("ul ol dl menu dir li dt dd table thead tbody tfoot tr td th"))
#: The page as a whole is no pattern in it.
_WHOLE: Final = tag_set(tags.numbers("html body") | {0})


@checked
@dataclass(frozen=True, slots=True)
class Mantratzis:
    """What is left when lists and tables of links are taken out.

    No defaults are printed. These are the best of a sweep on half of the sites of wcxb-dev (word F1).
    """

    tight: float = 0.4  # score above which a list or a table is clutter
    loose: float = 0.75  # score above which any other pattern is
    parts: int = 1  # parts led by links that make a loose pattern; 2 loses 0.006

    def __call__(self, page: Page, /) -> Spans:
        """What stands outside lists and tables of links."""
        return page.shown(page.scope - Spans.of_elements(page, self.clutter(page)))

    def score(self, page: Page, /) -> Floats:
        """For each block 1 less the highest score of a pattern around it."""
        elements = page.elements
        highest = np.where(self.pattern(page), self.link_scores(page), 0.0)
        step = np.maximum(elements.parent, 0)
        while step.any():  # each round doubles the distance looked over
            highest = np.maximum(highest, highest[step])
            step = step[step]
        return 1 - highest[page.blocks.element]

    def link_scores(self, page: Page, /) -> Floats:
        """Return the score of each element, from 0 to 1: amount times place."""
        amount, parts, led = _links(page)
        # An element without parts is text alone; its place says nothing beyond the amount.
        return amount * np.where(parts > 0, led / np.maximum(parts, 1), amount)

    def pattern(self, page: Page, /) -> Bools:
        """Return which elements are built like lists or tables of links, tightly or loosely."""
        tag = page.elements.tag
        _, _, led = _links(page)
        return (among(tag, _TIGHT) | (led >= self.parts)) & ~among(tag, _WHOLE)

    def clutter(self, page: Page, /) -> Bools:
        """Return which elements are lists or tables of links."""
        if not (0 <= self.tight <= 1 and 0 <= self.loose <= 1 and self.parts >= 1):
            raise BadParameter(f"tight {self.tight} and loose {self.loose} are from 0 to 1, parts {self.parts} from 1")
        limit = np.where(among(page.elements.tag, _TIGHT), self.tight, self.loose)
        return self.pattern(page) & (self.link_scores(page) > limit)


def _links(page: Page) -> tuple[Floats, Ints, Ints]:
    """For each element the share of its text in links, its parts, and those of them that links lead."""
    elements, runs = page.elements, page.runs
    seen = runs.chars * ~runs.hidden
    text, linked = sums(seen), sums(seen * runs.in_link)
    held = text[elements.last] - text[elements.first]
    amount = (linked[elements.last] - linked[elements.first]) / np.maximum(held, 1)
    parent, count = elements.parent[1:], len(elements)
    parts, led = (np.bincount(parent[kind], minlength=count) for kind in (held[1:] > 0, amount[1:] > 0.5))
    return amount, parts, led
