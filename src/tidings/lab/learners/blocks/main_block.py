"""Which DIV or TD is the main block of a page, by its gold text.

Hybrid rules 4.2: the largest informative block, a DIV or TD with many words. Here it is the block whose words and those
of gold agree best (F measure), of equals the innermost. Where one block does not tell the whole story, as when every
paragraph has a box of its own and adverts stand between, others are added while they explain enough of what is missing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.lab.learners.labels import shares
from tidings.page import Page
from tidings.page.columns import Ints, sums

#: How much another block must add to the F measure to be a main block too.
GAIN: Final = 0.05
#: A story in more pieces than this has no main block.
MOST: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class InGold:
    """For each element how many words it holds and how many of them are of the gold text."""

    words: Ints
    gold: NDArray[np.float64]
    wanted: float  # all words of gold that are on the page

    @property
    def share(self) -> NDArray[np.float64]:
        """The share of each element's words that are of gold."""
        return self.gold / np.maximum(self.words, 1)


@dataclass(frozen=True, slots=True)
class MainBlocks:
    """The main blocks of a page, as elements, and how well they explain gold together."""

    elements: tuple[int, ...]
    f1: float


def in_gold(page: Page, gold: str) -> InGold:
    """Count gold's words in every element of a page."""
    blocks, elements = page.blocks, page.elements
    words = blocks.words * ~blocks.hidden
    found = shares(page, gold) * words
    before, wanted = sums(words), np.concatenate(([0.0], np.cumsum(found)))
    first = np.searchsorted(blocks.first, elements.first)
    last = np.maximum(np.searchsorted(blocks.last, elements.last, side="right"), first)
    return InGold(before[last] - before[first], wanted[last] - wanted[first], float(wanted[-1]))


def main_blocks(page: Page, counts: InGold, candidates: Ints) -> MainBlocks:
    """The main blocks among some elements."""
    elements = page.elements
    chosen: list[int] = []
    words, gold, best = 0.0, 0.0, 0.0
    free = candidates
    while len(free) and len(chosen) < MOST and counts.wanted > 0:
        together = 2 * (gold + counts.gold[free]) / (words + counts.words[free] + counts.wanted)
        at = len(free) - 1 - int(np.argmax(together[::-1]))  # of equals the last, which is the innermost
        if together[at] < best + (GAIN if chosen else 1e-9):
            break
        one, best = int(free[at]), float(together[at])
        chosen.append(one)
        words, gold = words + float(counts.words[one]), gold + float(counts.gold[one])
        apart = (elements.last[free] <= elements.first[one]) | (elements.first[free] >= elements.last[one])
        free = free[apart]
    return MainBlocks(tuple(sorted(chosen)), best)
