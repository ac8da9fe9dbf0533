"""Largest block: the one box of a page that holds most words.

Ziyi, Beijun, Xinhui, Delai 2009, as told in the N-EXT thesis (1.4, 2, 4.1.4), where it is the baseline. Pages are laid
out by DIV or by TABLE. The more frequent of the two is the page's blocking tag; its elements with no other of that
tag inside are the leaf blocks; the leaf block with most words is the story.

The thesis does not say what happens on a page with neither tag (the whole page is one block here), on one with as many
of both (DIV), or with equal blocks (the earliest).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.extractors.registry import register
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints
from tidings.page.flow import among, tag_set

DIV: Final = tags.NUMBERS["div"]
TABLE: Final = tags.NUMBERS["table"]


def blocking_tag(page: Page) -> int:
    """DIV or TABLE, whichever the page has more of."""
    counts = np.bincount(page.elements.tag, minlength=len(tags.NAMES))
    return TABLE if counts[TABLE] > counts[DIV] else DIV


def leaf_blocks(page: Page, blocking: frozenset[int]) -> Ints:
    """Elements of the blocking tags with no other of them inside; the document where there are none at all."""
    elements = page.elements
    blocks = np.flatnonzero(among(elements.tag, tag_set(blocking)))
    if not len(blocks):
        return np.zeros(1, np.int64)
    # In document order, what is inside a block comes right after it and begins before it ends.
    following = np.append(elements.start[blocks[1:]], len(page.source))
    return blocks[following >= elements.end[blocks]]


def owners(page: Page, blocking: frozenset[int]) -> Ints:
    """For each run the innermost element of the blocking tags around it; a leaf block owns all runs in it."""
    return page.nearest(tag_set(blocking))[page.runs.element]


def sizes(page: Page, owner: Ints, kept: Bools) -> Ints:
    """For each element how many words it owns in the kept runs."""
    words = np.bincount(owner, page.runs.words * kept, len(page.elements))
    return words.astype(np.int64)


@register("largest-block", "Ziyi et al. 2009; N-EXT thesis 4.1.4 (baseline)")
@dataclass(frozen=True, slots=True)
class LargestBlock:
    """The leaf block (by DIV or TABLE, whichever prevails) with most words."""

    link_text: bool = True  # whether text of links counts and is returned; N-EXT table 6.5 tries both

    def __call__(self, page: Page, /) -> Spans:
        """The text of the largest block."""
        blocking = frozenset({blocking_tag(page)})
        kept = ~page.runs.hidden if self.link_text else ~(page.runs.hidden | page.runs.in_link)
        owner = owners(page, blocking)
        leaves = leaf_blocks(page, blocking)
        largest = leaves[np.argmax(sizes(page, owner, kept)[leaves])]
        return Spans.of_runs(page, (owner == largest) & kept)
