"""Annotation units: the blocks of a page, or parts of a line that consists of elements.

A byline is often one block: `<p><span>By Iris Benning</span><time>6 March</time></p>`. A short block whose text is only
in child elements is split into these. A paragraph has text of its own between its links and is not split.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.page import Page
from tidings.page.columns import Bools, Columns, Ints
from tidings.text import fold_space

#: The maximal number of words of a line of names, dates or links.
LINE_WORDS: Final = 25


@dataclass(frozen=True, eq=False)
class Units(Columns):
    """Annotation units in reading order: unit u consists of the runs first[u] … last[u] - 1, all of one block."""

    first: Ints
    last: Ints
    block: Ints
    text_start: Ints
    text_end: Ints
    element: Ints  # the block's element, or the child element that is the unit
    words: Ints
    hidden: Bools

    @property
    def of_run(self) -> Ints:
        """Return the index of the unit that each run belongs to."""
        return np.repeat(np.arange(len(self.first)), self.last - self.first)

    @property
    def chars(self) -> Ints:
        """Return the length of each unit."""
        return self.text_end - self.text_start

    def text(self, page: Page, unit: int) -> str:
        """Return the text of a unit on one line."""
        return fold_space(page.text[self.text_start[unit] : self.text_end[unit]])


def units(page: Page) -> Units:
    """Split a page into annotation units."""
    runs, blocks = page.runs, page.blocks
    child = np.full(len(runs), -1)  # child of the block's element, if the block is split
    several = (blocks.last - blocks.first > 1) & (blocks.words <= LINE_WORDS)
    for block in np.flatnonzero(several).tolist():
        span = slice(int(blocks.first[block]), int(blocks.last[block]))
        child[span] = _children(page, runs.element[span].tolist(), int(blocks.element[block]))
    new = np.ones(len(runs), np.bool_)
    new[1:] = (np.diff(runs.block) != 0) | (np.diff(child) != 0)
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(runs))[: len(first)]
    hidden = np.logical_and.reduceat(runs.hidden, first) if len(first) else np.zeros(0, np.bool_)
    words = np.add.reduceat(runs.words, first) if len(first) else np.zeros(0, np.int64)
    owner = runs.block[first]
    element = np.where(child[first] >= 0, child[first], blocks.element[owner])
    return Units(first, last, owner, runs.text_start[first], runs.text_end[last - 1], element, words, hidden)


def _children(page: Page, owners: list[int], block_element: int) -> list[int]:
    """Return for each element the child of the block's element that contains it; -1 for all if any is the block's own
    element.
    """
    parent = page.elements.parent
    result = []
    for owner in owners:
        if owner == block_element:
            return [-1] * len(owners)
        inner = owner
        while parent[inner] not in (block_element, -1, 0):
            inner = int(parent[inner])
        result.append(inner)
    return result
