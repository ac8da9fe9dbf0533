"""Shingles: the runs of words that a text is made of, as numbers (Broder 1997).

Two texts that are copies of each other share most runs of four words; two texts about the same thing share few. Scripts
without spaces are read by characters, eight at a time, which is about four words. A text shorter than one run is one
shingle as a whole.

A word becomes a number by CRC-32, which is the same everywhere and quick; runs are mixed to 64 bits.
"""

from __future__ import annotations

import zlib
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.text import content_words

Hashes = NDArray[np.uint64]

WORDS: Final = 4
CHARACTERS: Final = 8
#: What stands further back in a text is not looked at: no article is so long, and a hostile page may be.
MOST_WORDS: Final = 50_000
_MOST_CHARACTERS: Final = 500_000
#: Odd constants of Knuth's multiplicative hash and of the finisher of SplitMix64 (Steele, Lea and Flood 2014).
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def shingles(text: str, language: str = "") -> Hashes:
    """The distinct shingles of a text, sorted."""
    words = content_words(text[:_MOST_CHARACTERS], language)[:MOST_WORDS]
    if not words:
        return np.empty(0, np.uint64)
    numbers = np.array([zlib.crc32(word.encode("utf-8", "surrogatepass")) for word in words], np.uint64)
    length = min(CHARACTERS if _by_characters(words) else WORDS, len(words))
    runs = np.zeros(len(words) - length + 1, np.uint64)
    for place in range(length):
        runs = runs * _STEP + numbers[place : place + len(runs)]
    return np.unique(mixed(runs))


def mixed(numbers: Hashes) -> Hashes:
    """Numbers with their bits stirred, so that near ones lie far apart."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * _MIX[0]
    numbers = (numbers ^ (numbers >> np.uint64(27))) * _MIX[1]
    return numbers ^ (numbers >> np.uint64(31))


def _by_characters(words: list[str]) -> bool:
    """Whether most words are single characters, as content words of scripts without spaces are."""
    single = sum(1 for word in words if not word.isascii() and len(word) <= 2)
    return 2 * single > len(words)
