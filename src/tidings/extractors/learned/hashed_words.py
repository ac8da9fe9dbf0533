"""The words of a page as numbers, found for all of them at once.

A word's number is the sum of its letters, case folded, each times a number of its place, modulo 2^64: a few operations
on arrays for the whole page. That two different words of a page share a number will hardly ever happen.
"""

from __future__ import annotations

from functools import cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Ints
from tidings.page.counts import PLANE, Classes, Codes, code_points, lower_cases, word_classes

Hashes = NDArray[np.uint64]

#: Letters beyond this place count alike: no word is told from another by its 65th letter.
_LONGEST: Final = 64
#: Of 2^n known words so many bits more than n are looked at first: they tell most other words from them.
_SPARE_BITS: Final = 4
_FACTOR: Final = 0x9E3779B97F4A7C15
_PLACES: Final = np.array([pow(_FACTOR, place + 1, 1 << 64) for place in range(_LONGEST)], np.uint64)


class HashedWords(NamedTuple):
    """Words in the order of the text: where each begins, and its number."""

    start: Ints
    number: Hashes


@cache
def _letters() -> Hashes:
    """For each code point of the basic plane a scattered number of its lower case."""
    numbers: Hashes = (lower_cases().astype(np.uint64) + np.uint64(1)) * np.uint64(0xD6E8FEB86659FD93)
    return numbers


@cache
def _letters_of_words() -> Hashes:
    """The same, with nothing for characters that are in no word."""
    return np.where(word_classes(np.arange(PLANE, dtype=np.uint32)) > 0, _letters(), np.uint64(0))


def hashed_words(codes: Codes, classes: Classes | None = None) -> HashedWords:
    """The words of a text given as code points; the classes of its characters may be at hand already."""
    classes = word_classes(codes) if classes is None else classes
    inside = classes > 0
    begins = inside.copy()
    np.greater(inside[1:], inside[:-1], out=begins[1:])
    if classes.max(initial=0) > 1:  # words of one character, and what stands behind such a word
        alone = classes > 1
        begins |= alone
        begins[1:] |= alone[:-1] & inside[1:]
    first = begins.nonzero()[0]
    if not len(first):
        return HashedWords(first, np.zeros(0, np.uint64))
    # From one word to the next: what stands between them adds nothing.
    start, length = int(first[0]), np.diff(first, append=len(codes))
    if codes.max() < PLANE:
        letters = _letters_of_words().take(codes[start:])
    else:
        letters = _letters().take(codes[start:], mode="clip") * inside[start:]
    letters *= _PLACES.take(np.arange(start, len(codes)) - np.repeat(first, length), mode="clip")
    return HashedWords(first, np.add.reduceat(letters, first - start))


class KnownWords:
    """Words to be found again, as sorted numbers: those of one beginning stand together, mostly alone."""

    def __init__(self, numbers: Hashes) -> None:
        self.number = numbers
        bits = len(numbers).bit_length() + _SPARE_BITS
        self._shift = np.uint64(64 - bits)
        held = np.bincount(self._beginning(numbers), minlength=1 << bits)
        self._begins = held > 0  # most words of a page are told from these by their beginning
        self._first = (np.cumsum(held) - held).astype(np.int32)
        self._most = int(held.max())

    def find(self, numbers: Hashes) -> tuple[Ints, Ints]:
        """Which of some numbers are known, and the place of each of these."""
        beginning = self._beginning(numbers)
        likely = np.flatnonzero(self._begins.take(beginning))
        asked, place = numbers[likely], self._first.take(beginning[likely])
        last = len(self.number) - 1
        for _ in range(1, self._most):  # go on where another word of the same beginning stands before it
            place += (self.number.take(place) != asked) & (place < last)
        known = self.number.take(place) == asked
        return likely[known], place[known]

    def _beginning(self, numbers: Hashes) -> Ints:
        return (numbers >> self._shift).view(np.int64)


def hash_of(word: str) -> int:
    """The number of one word."""
    return int(hashed_words(code_points(word)).number[0])
