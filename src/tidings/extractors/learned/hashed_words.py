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
from tidings.page.counts import Codes, code_points, word_classes

Hashes = NDArray[np.uint64]

_PLANE: Final = 0x10000
#: Letters beyond this place count alike: no word is told from another by its 65th letter.
_LONGEST: Final = 64
_FACTOR: Final = 0x9E3779B97F4A7C15
_PLACES: Final = np.array([pow(_FACTOR, place + 1, 1 << 64) for place in range(_LONGEST)], np.uint64)


class HashedWords(NamedTuple):
    """Words in the order of the text: where each begins, and its number."""

    start: Ints
    number: Hashes


@cache
def _letters() -> Hashes:
    """For each code point of the basic plane a scattered number of its lower case."""
    lower = [ord(low) if len(low := chr(code).lower()) == 1 else code for code in range(_PLANE)]
    numbers: Hashes = (np.array(lower, np.uint64) + np.uint64(1)) * np.uint64(0xD6E8FEB86659FD93)
    return numbers


def hashed_words(codes: Codes) -> HashedWords:
    """The words of a text given as code points."""
    classes = word_classes(codes)
    begins = classes == 1
    begins[1:] &= classes[:-1] != 1
    begins |= classes == 2
    places = np.flatnonzero(classes)
    start = np.flatnonzero(begins)
    if not len(start):
        return HashedWords(start, np.zeros(0, np.uint64))
    word = np.cumsum(begins[places]) - 1
    offset = np.minimum(places - start[word], _LONGEST - 1)
    values = _letters()[np.minimum(codes[places], _PLANE - 1)] * _PLACES[offset]
    return HashedWords(start, np.add.reduceat(values, np.searchsorted(places, start)))


def hash_of(word: str) -> int:
    """The number of one word."""
    return int(hashed_words(code_points(word)).number[0])
