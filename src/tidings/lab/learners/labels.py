"""Which blocks of a page are in its gold text: what a block classifier is taught.

Gold is a text, not a set of blocks, so the two are aligned. A stretch of words counts as found where gold has three of
them in this order (a shorter block: all of it). Of what is found, the longest common subsequence with gold is kept, so
that a passage which stands on the page twice, as a teaser and in the story, is right only once.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import MissingExtra
from tidings.page import Page
from tidings.page.columns import Ints, sums

#: Words as the page counts them: a character of a script without spaces is one.
WORD: Final = re.compile(r"[぀-ヿ㐀-䶿一-鿿豈-﫿]|[^\W぀-ヿ㐀-䶿一-鿿豈-﫿]+")
_SHINGLE: Final = 3


@dataclass(frozen=True, slots=True, eq=False)
class FoundWords:
    """The words of a page: where each begins, and whether it is one of the gold text's."""

    starts: Ints
    kept: NDArray[np.bool_]

    def shares(self, starts: Ints, ends: Ints) -> NDArray[np.float64]:
        """For each range of the page's text the share of its words that are in gold; 0 where it has none."""
        before, behind = np.searchsorted(self.starts, starts), np.searchsorted(self.starts, ends)
        counts = sums(self.kept)
        return np.asarray((counts[behind] - counts[before]) / np.maximum(behind - before, 1), np.float64)


def shares(page: Page, gold: str) -> NDArray[np.float64]:
    """For each block of the page the share of its words that are words of the gold text."""
    return found_words(page, gold).shares(page.blocks.text_start, page.blocks.text_end)


def found_words(page: Page, gold: str) -> FoundWords:
    """Which words of the page are words of the gold text."""
    numbers: dict[str, int] = {}
    found = [(match.start(), numbers.setdefault(match[0].lower(), len(numbers))) for match in WORD.finditer(page.text)]
    starts = np.array([start for start, _ in found], np.int64)
    words = np.array([number for _, number in found], np.int64)
    wanted = np.array([numbers.get(word, -1) for word in WORD.findall(gold.lower())], np.int64)
    before = np.searchsorted(starts, page.blocks.text_start)
    behind = np.searchsorted(starts, page.blocks.text_end)
    block = np.searchsorted(page.blocks.text_start, starts, side="right") - 1
    hidden = page.blocks.hidden[block] if len(block) else np.zeros(0, np.bool_)
    candidates = np.flatnonzero(_in_gold(words, wanted, block, before, behind) & ~hidden)
    kept = np.zeros(len(words), np.bool_)
    kept[candidates[_aligned(words[candidates], wanted)]] = True
    return FoundWords(starts, kept)


def _in_gold(words: Ints, gold: Ints, block: Ints, before: Ints, behind: Ints) -> NDArray[np.bool_]:
    """Which words stand in a stretch that gold has too."""
    inside = np.zeros(len(words), np.bool_)
    for size in range(1, _SHINGLE + 1):
        if len(words) < size or len(gold) < size:
            continue
        known = {tuple(row) for row in np.lib.stride_tricks.sliding_window_view(gold, size).tolist()}
        rows = np.lib.stride_tricks.sliding_window_view(words, size).tolist()
        places = np.array([place for place, row in enumerate(rows) if tuple(row) in known], np.int64)
        places = places[block[places] == block[places + size - 1]]
        if size < _SHINGLE:  # short stretches count only if they are the whole block
            places = places[(behind - before)[block[places]] == size]
        for step in range(size):
            inside[places + step] = True
    return inside


def _aligned(words: Ints, gold: Ints) -> Ints:
    """Places of words in the longest common subsequence with gold."""
    try:
        from rapidfuzz.distance import LCSseq
    except ImportError:
        raise MissingExtra("aligning pages with their gold text", "lab") from None
    kept = [
        np.arange(step.src_start, step.src_end)
        for step in LCSseq.opcodes(words.tolist(), gold.tolist())
        if step.tag == "equal"
    ]
    return np.concatenate(kept) if kept else np.zeros(0, np.int64)
