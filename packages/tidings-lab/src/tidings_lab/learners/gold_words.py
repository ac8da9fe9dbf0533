"""Alignment of a page with its ground-truth text: which words and blocks of the page are content.

Ground truth is a text, not a set of blocks. Words of the page are candidates if three consecutive ones occur in the
ground truth (in shorter blocks: all words). Of the candidates, the longest common subsequence with the ground truth
counts, so that a passage that occurs twice on the page, as a teaser and in the story, counts only once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import needs
from tidings.page import Page
from tidings.page.columns import Ints, sums

#: Words as the page counts them: in scripts without spaces, each character is a word.
WORD: Final = re.compile(r"[぀-ヿ㐀-䶿一-鿿豈-﫿]|[^\W぀-ヿ㐀-䶿一-鿿豈-﫿]+")
_SHINGLE: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class FoundWords:
    """The words of a page: the start position of each, and whether the ground truth contains it at the matching
    place.
    """

    starts: Ints
    in_gold: NDArray[np.bool_]

    def shares(self, starts: Ints, ends: Ints) -> NDArray[np.float64]:
        """Return the share of each range's words that are in the ground truth; 0 for ranges without words."""
        before, after = np.searchsorted(self.starts, starts), np.searchsorted(self.starts, ends)
        counts = sums(self.in_gold)
        return np.asarray((counts[after] - counts[before]) / np.maximum(after - before, 1), np.float64)


def shares(page: Page, gold: str) -> NDArray[np.float64]:
    """Return for each block of the page the share of its words that are in the ground truth."""
    return found_words(page, gold).shares(page.blocks.text_start, page.blocks.text_end)


def found_words(page: Page, gold: str) -> FoundWords:
    """Align the words of the page with the ground-truth text."""
    numbers: dict[str, int] = {}
    matches = [
        (match.start(), numbers.setdefault(match[0].lower(), len(numbers))) for match in WORD.finditer(page.text)
    ]
    starts = np.array([start for start, _ in matches], np.int64)
    words = np.array([number for _, number in matches], np.int64)
    gold_words = np.array([numbers.get(word, -1) for word in WORD.findall(gold.lower())], np.int64)
    before = np.searchsorted(starts, page.blocks.text_start)
    after = np.searchsorted(starts, page.blocks.text_end)
    block = np.searchsorted(page.blocks.text_start, starts, side="right") - 1
    hidden = page.blocks.hidden[block] if len(block) else np.zeros(0, np.bool_)
    candidates = np.flatnonzero(_in_gold(words, gold_words, block, before, after) & ~hidden)
    in_gold = np.zeros(len(words), np.bool_)
    in_gold[candidates[_aligned(words[candidates], gold_words)]] = True
    return FoundWords(starts, in_gold)


def _in_gold(words: Ints, gold: Ints, block: Ints, before: Ints, after: Ints) -> NDArray[np.bool_]:
    """Return which words are in a run of words that the ground truth also contains.

    A run shorter than a shingle counts only if it is a whole block.

    Args:
        words: the words of the page, as numbers.
        gold: the words of the ground truth, as numbers.
        block: the block of each word of the page.
        before: the number of words before each block.
        after: the number of words up to the end of each block.
    """
    inside = np.zeros(len(words), np.bool_)
    for size in range(1, _SHINGLE + 1):
        if len(words) < size or len(gold) < size:
            continue
        gold_runs = {tuple(row) for row in np.lib.stride_tricks.sliding_window_view(gold, size).tolist()}
        rows = np.lib.stride_tricks.sliding_window_view(words, size).tolist()
        places = np.array([place for place, row in enumerate(rows) if tuple(row) in gold_runs], np.int64)
        places = places[block[places] == block[places + size - 1]]
        if size < _SHINGLE:  # short stretches count only if they are the whole block
            places = places[(after - before)[block[places]] == size]
        for step in range(size):
            inside[places + step] = True
    return inside


def _aligned(words: Ints, gold: Ints) -> Ints:
    """Return the indices of words in the longest common subsequence with the ground truth."""
    with needs("aligning pages with their gold text", "lab"):
        from rapidfuzz.distance import LCSseq
    parts = [
        np.arange(step.src_start, step.src_end)
        for step in LCSseq.opcodes(words.tolist(), gold.tolist())
        if step.tag == "equal"
    ]
    return np.concatenate(parts) if parts else np.zeros(0, np.int64)
