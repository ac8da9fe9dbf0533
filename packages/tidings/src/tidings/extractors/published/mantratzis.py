"""Link clutter after Mantratzis et al.: lists and tables of links, at any level of the tree.

Source: Mantratzis, Orgun and Cassidy 2005 ("Separating XHTML content from navigation clutter using DOM-structure block
analysis"); DANA thesis 3.2.2. Each section gets a score for the number and position of its links. Sections that are
"list-links" or "table-links", tightly defined (list and table elements) or loosely (any element with repeated parts),
are removed; the rest is the content.

Neither the thesis nor the abstracts of the two papers print the scores. Our reading:

- amount: the share of an element's characters that are link text;
- position: the share of its parts (children with text) in which links make up most of the text. It is high if links are
  in parts of their own, and low if they are scattered over sentences;
- score: the product of both;
- pattern: lists, tables and their parts (tight); any other element with at least `parts` link parts (loose).

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
#: The page as a whole is never a pattern.
_WHOLE: Final = tag_set(tags.numbers("html body") | {0})


@checked
@dataclass(frozen=True, slots=True)
class Mantratzis:
    """Text outside of lists and tables of links.

    No parameters are printed. These are the best of a sweep on half of the sites of wcxb-dev (word F1).
    """

    tight: float = 0.4  # score above which a list or a table is clutter
    loose: float = 0.75  # score above which any other pattern is
    parts: int = 1  # link parts of a loose pattern, at least; 2 loses 0.006

    def __call__(self, page: Page, /) -> Spans:
        """Return the text outside of lists and tables of links."""
        return page.shown(page.scope - Spans.of_elements(page, self.clutter(page)))

    def score(self, page: Page, /) -> Floats:
        """Return for each block 1 minus the highest score of a pattern around it."""
        elements = page.elements
        highest = np.where(self.pattern(page), self.link_scores(page), 0.0)
        step = np.maximum(elements.parent, 0)
        while step.any():  # each iteration doubles the distance
            highest = np.maximum(highest, highest[step])
            step = step[step]
        return 1 - highest[page.blocks.element]

    def link_scores(self, page: Page, /) -> Floats:
        """Return for each element how much it resembles a list of links: its share of link text times the share of its
        children that are mostly links.
        """
        amount, parts, link_parts = _links(page)
        # An element without parts has only text: use the amount as position.
        return amount * np.where(parts > 0, link_parts / np.maximum(parts, 1), amount)

    def pattern(self, page: Page, /) -> Bools:
        """Return which elements may be lists or tables of links, because of their tag or their number of link parts."""
        tag = page.elements.tag
        _, _, link_parts = _links(page)
        return (among(tag, _TIGHT) | (link_parts >= self.parts)) & ~among(tag, _WHOLE)

    def clutter(self, page: Page, /) -> Bools:
        """Return which elements are lists or tables of links, so that their text is removed."""
        if not (0 <= self.tight <= 1 and 0 <= self.loose <= 1 and self.parts >= 1):
            raise BadParameter(f"tight {self.tight} and loose {self.loose} are from 0 to 1, parts {self.parts} from 1")
        limit = np.where(among(page.elements.tag, _TIGHT), self.tight, self.loose)
        return self.pattern(page) & (self.link_scores(page) > limit)


def _links(page: Page) -> tuple[Floats, Ints, Ints]:
    """Return for each element the share of its text in links, the number of its parts (children with text), and of
    those that are mostly links.
    """
    elements, runs = page.elements, page.runs
    visible = runs.chars * ~runs.hidden
    text, linked = sums(visible), sums(visible * runs.in_link)
    chars = text[elements.last] - text[elements.first]
    amount = (linked[elements.last] - linked[elements.first]) / np.maximum(chars, 1)
    parent, count = elements.parent[1:], len(elements)
    parts, link_parts = (np.bincount(parent[kind], minlength=count) for kind in (chars[1:] > 0, amount[1:] > 0.5))
    return amount, parts, link_parts
