"""Largest block: the box of a page with most words.

Source: Ziyi, Beijun, Xinhui, Delai 2009, as described in the N-EXT thesis (1.4, chapter 2, 4.1.4), where it is the
baseline. Pages use DIV or TABLE for layout. The more frequent of the two is the page's blocking tag; its elements
without an inner element of that tag are the leaf blocks; the leaf block with most words is the story.

Decided here: a page with neither tag is one block; DIV is the blocking tag if both are equally frequent; of equal
blocks the first wins. Current pages have an advertisement, a picture or an empty DIV between paragraphs, so that the
story is not a leaf (word F1 0.35 on wcxb-dev). `BlockKind.OWN_TEXT` uses every element of the blocking tag, without
inner ones (0.79).
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.parameters import checked
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints
from tidings.page.tag_sets import among, tag_set

DIV: Final = tags.NUMBERS["div"]
TABLE: Final = tags.NUMBERS["table"]


class BlockKind(Enum):
    """Which elements of the blocking tag (DIV or TABLE) are blocks."""

    LEAVES = "elements with no block inside"  # as published
    OWN_TEXT = "every element, without the blocks inside"


def blocking_tag(page: Page) -> int:
    """Return DIV or TABLE, whichever is more frequent on the page."""
    counts = np.bincount(page.elements.tag, minlength=len(tags.NAMES))
    return TABLE if counts[TABLE] > counts[DIV] else DIV


def blocks(page: Page, blocking: frozenset[int], which: BlockKind = BlockKind.LEAVES) -> Ints:
    """Return the elements that are blocks, in document order; the document if there are none.

    Args:
        page: the page.
        blocking: the tags whose elements can be blocks.
        which: whether all of these elements are blocks, or only those without another inside.
    """
    elements = page.elements
    candidates = np.flatnonzero(among(elements.tag, tag_set(blocking)))
    if not len(candidates) or which is BlockKind.OWN_TEXT:
        return np.append(0, candidates)
    # In document order, inner elements directly follow an element and begin before it ends.
    following = np.append(elements.start[candidates[1:]], len(page.source))
    return candidates[following >= elements.end[candidates]]


def owners(page: Page, blocking: frozenset[int]) -> Ints:
    """Return for each run of text the innermost element of the blocking tag around it; a leaf owns all its content."""
    return page.nearest(tag_set(blocking))[page.runs.element]


def cleaned(page: Page, link_text: bool) -> Bools:
    """Return which runs of text are visible; without `link_text`, runs in links are left out (N-EXT thesis 4.1.3)."""
    return ~page.runs.hidden if link_text else ~(page.runs.hidden | page.runs.in_link)


def sizes(page: Page, owner: Ints, selected: Bools) -> Ints:
    """Return the number of selected words that belong to each element."""
    return np.bincount(owner, page.runs.words * selected, len(page.elements)).astype(np.int64)


@checked
@dataclass(frozen=True, slots=True)
class LargestBlock:
    """The leaf block (of DIV or TABLE, whichever is more frequent) with most words."""

    link_text: bool = True  # whether link text counts and is selected; N-EXT table 6.5 compares both
    blocks: BlockKind = BlockKind.LEAVES

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the largest block."""
        counted, owner, words = self._columns(page)
        return page.shown(Spans.of_runs(page, (owner == np.argmax(words)) & counted))

    def score(self, page: Page, /) -> NDArray[np.float64]:
        """Return for each block of the page the number of words of the leaf block around it."""
        _, owner, words = self._columns(page)
        return words[owner[page.blocks.first]].astype(np.float64)

    def _columns(self, page: Page) -> tuple[Bools, Ints, Ints]:
        """Return the runs that count, the blocking element around each, and the words of each element that is a
        block.
        """
        blocking = frozenset({blocking_tag(page)})
        counted, owner = cleaned(page, self.link_text), owners(page, blocking)
        words = np.zeros(len(page.elements), np.int64)
        leaves = blocks(page, blocking, self.blocks)
        words[leaves] = sizes(page, owner, counted)[leaves]
        return counted, owner, words
