"""The main blocks of a page: the DIV or TD elements that match the ground-truth text.

Source: hybrid rules 4.2: the largest informative block, a DIV or TD with many words. Here it is the block whose words
agree best with the ground truth (F measure), of equal ones the innermost. If one block does not contain the whole
story, because every paragraph has its own box with advertisements between them, further blocks are added as long as
they explain enough of the missing text.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.page import Page
from tidings.page.columns import Ints, sums
from tidings_lab.learners.gold_words import shares

#: The least gain in F measure for a further main block.
GAIN: Final = 0.05
#: The maximal number of main blocks.
MOST: Final = 4


@dataclass(frozen=True, slots=True, eq=False)
class InGold:
    """Word counts of each element: all its words, and those that are in the ground truth."""

    words: Ints
    gold: NDArray[np.float64]
    total: float  # all words of the ground truth that are on the page

    @property
    def share(self) -> NDArray[np.float64]:
        """Return the share of each element's words that are in the ground truth."""
        return self.gold / np.maximum(self.words, 1)


@dataclass(frozen=True, slots=True)
class MainBlocks:
    """The main blocks of a page as elements, and their F measure against the ground truth."""

    elements: tuple[int, ...]
    f1: float


def in_gold(page: Page, gold: str) -> InGold:
    """Count the words of the ground truth in every element of a page."""
    blocks, elements = page.blocks, page.elements
    words = blocks.words * ~blocks.hidden
    gold_words = shares(page, gold) * words
    before, gold_before = sums(words), np.concatenate(([0.0], np.cumsum(gold_words)))
    first = np.searchsorted(blocks.first, elements.first)
    last = np.maximum(np.searchsorted(blocks.last, elements.last, side="right"), first)
    return InGold(before[last] - before[first], gold_before[last] - gold_before[first], float(gold_before[-1]))


def main_blocks(page: Page, counts: InGold, candidates: Ints) -> MainBlocks:
    """Select the candidate elements that together have the best F measure against the ground truth.

    Elements are added one by one while the F measure rises enough.
    """
    elements = page.elements
    chosen: list[int] = []
    words, gold, best = 0.0, 0.0, 0.0
    free = candidates
    while len(free) and len(chosen) < MOST and counts.total > 0:
        combined = 2 * (gold + counts.gold[free]) / (words + counts.words[free] + counts.total)
        index = len(free) - 1 - int(np.argmax(combined[::-1]))  # the last of equal ones, which is the innermost
        if combined[index] < best + (GAIN if chosen else 1e-9):
            break
        element, best = int(free[index]), float(combined[index])
        chosen.append(element)
        words, gold = words + float(counts.words[element]), gold + float(counts.gold[element])
        is_separate = (elements.last[free] <= elements.first[element]) | (
            elements.first[free] >= elements.last[element]
        )
        free = free[is_separate]
    return MainBlocks(tuple(sorted(chosen)), best)
