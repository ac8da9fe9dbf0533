"""Largest block: the one box of a page that holds most words.

Ziyi, Beijun, Xinhui, Delai 2009, as told in the N-EXT thesis (1.4, chapter 2, 4.1.4), where it is the baseline. Pages
are laid out by DIV or by TABLE. The more frequent of the two is the page's blocking tag; its elements with no other of
that tag inside are the leaf blocks; the leaf block with most words is the story.

Decided here: a page with neither tag is one block, as many of both make DIV the blocking tag, and of equal blocks the
earliest counts.

Today's pages put an advertisement, a picture or an empty DIV between paragraphs, so that the story is no leaf (word F1
0.35 on wcxb-dev). `BlockKind.OWN_TEXT` takes every element of the blocking tag, without the ones inside it (0.79).
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
    """Which elements of a blocking tag are blocks."""

    LEAVES = "elements with no block inside"  # as published
    OWN_TEXT = "every element, without the blocks inside"


def blocking_tag(page: Page) -> int:
    """DIV or TABLE, whichever the page has more of."""
    counts = np.bincount(page.elements.tag, minlength=len(tags.NAMES))
    return TABLE if counts[TABLE] > counts[DIV] else DIV


def blocks(page: Page, blocking: frozenset[int], which: BlockKind = BlockKind.LEAVES) -> Ints:
    """Return the elements that are blocks, in document order; the document where there are none at all."""
    elements = page.elements
    found = np.flatnonzero(among(elements.tag, tag_set(blocking)))
    if not len(found) or which is BlockKind.OWN_TEXT:
        return np.append(0, found)
    # In document order, what is inside a block comes right after it and begins before it ends.
    following = np.append(elements.start[found[1:]], len(page.source))
    return found[following >= elements.end[found]]


def owners(page: Page, blocking: frozenset[int]) -> Ints:
    """For each run the innermost element of the blocking tags around it; a leaf owns all that is in it."""
    return page.nearest(tag_set(blocking))[page.runs.element]


def cleaned(page: Page, link_text: bool) -> Bools:
    """Return which runs a reader sees, with or without text of links (N-EXT thesis 4.1.3)."""
    return ~page.runs.hidden if link_text else ~(page.runs.hidden | page.runs.in_link)


def sizes(page: Page, owner: Ints, kept: Bools) -> Ints:
    """For each element how many words it owns in the kept runs."""
    return np.bincount(owner, page.runs.words * kept, len(page.elements)).astype(np.int64)


@checked
@dataclass(frozen=True, slots=True)
class LargestBlock:
    """The leaf block (by DIV or TABLE, whichever prevails) with most words."""

    link_text: bool = True  # whether text of links counts and is returned; N-EXT table 6.5 tries both
    blocks: BlockKind = BlockKind.LEAVES

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the largest block."""
        kept, owner, words = self._columns(page)
        return page.shown(Spans.of_runs(page, (owner == np.argmax(words)) & kept))

    def score(self, page: Page, /) -> NDArray[np.float64]:
        """For each block of the page how many words the leaf block around it has."""
        _, owner, words = self._columns(page)
        return words[owner[page.blocks.first]].astype(np.float64)

    def _columns(self, page: Page) -> tuple[Bools, Ints, Ints]:
        """Return runs that count, the blocking element around each, and the size of each element that is a block."""
        blocking = frozenset({blocking_tag(page)})
        kept, owner = cleaned(page, self.link_text), owners(page, blocking)
        words = np.zeros(len(page.elements), np.int64)
        leaves = blocks(page, blocking, self.blocks)
        words[leaves] = sizes(page, owner, kept)[leaves]
        return kept, owner, words
