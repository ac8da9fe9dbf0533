"""The words of a page as numbers, found for all of them at once.

A word's number is the sum of its letters, case folded, each times a number of its place, modulo 2^64: a few operations
on arrays for the whole page. That two different words of a page share a number will hardly ever happen.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Bools, Ints
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
    """Return the same, with nothing for characters that are in no word."""
    return np.where(word_classes(np.arange(PLANE, dtype=np.uint32)) > 0, _letters(), np.uint64(0))


def hashed_words(codes: Codes, classes: Classes | None = None) -> HashedWords:
    """Return the words of a text given as code points; the classes of its characters may be at hand already."""
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


def hashes_of(text: str) -> Hashes:
    """Return the hashes of the words of a text, in order."""
    return hashed_words(code_points(text)).number


class _Beginnings(NamedTuple):
    """Where the numbers of each beginning stand."""

    is_any: Bools  # most words of a page are told from known ones by their beginning
    first: NDArray[np.int32]
    most: int  # of one beginning


class KnownWords:
    """Words to be found again, as sorted numbers: those of one beginning stand together, mostly alone."""

    def __init__(self, numbers: Hashes) -> None:
        self.number = numbers
        self._bits = len(numbers).bit_length() + _SPARE_BITS

    @cached_property
    def _beginnings(self) -> _Beginnings:
        """Made when first asked for: the compiled core asks for the numbers only."""
        held = np.bincount(self._beginning(self.number), minlength=1 << self._bits)
        return _Beginnings(held > 0, (np.cumsum(held) - held).astype(np.int32), int(held.max()))

    def find(self, numbers: Hashes) -> tuple[Ints, Ints]:
        """Return which of some numbers are known, and the place of each of these."""
        beginning, known = self._beginning(numbers), self._beginnings
        likely = np.flatnonzero(known.is_any.take(beginning))
        asked, place = numbers[likely], known.first.take(beginning[likely])
        last = len(self.number) - 1
        for _ in range(1, known.most):  # go on where another word of the same beginning stands before it
            place += (self.number.take(place) != asked) & (place < last)
        same = self.number.take(place) == asked
        return likely[same], place[same]

    def _beginning(self, numbers: Hashes) -> Ints:
        return (numbers >> np.uint64(64 - self._bits)).view(np.int64)


class SpelledWords(NamedTuple):
    """Words in the order of their numbers, which is the order in which `KnownWords` holds them."""

    numbers: Hashes
    order: Ints  # which of the words that were given each is
    joined: bytes  # with spaces between them, in UTF-8: few ask how they are spelled

    @classmethod
    def of(cls, words: Sequence[str]) -> SpelledWords:
        """From words in any order."""
        numbers = hashed_words(code_points(" ".join(words))).number
        order = np.argsort(numbers, kind="stable")
        return cls(numbers[order], order, " ".join([words[one] for one in order.tolist()]).encode())

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> SpelledWords:
        """From stored arrays; files of older versions hold no numbers, and a text for each word."""
        if f"{name}.word" in arrays:
            return cls.of(arrays[f"{name}.word"].tolist())
        numbers, spelled = arrays[f"{name}.number"], arrays[f"{name}.words"]
        if numbers.dtype != np.uint64 or numbers.ndim != 1 or (numbers[1:] < numbers[:-1]).any():
            raise ValueError(f"{name}.number holds no numbers of words in their order")
        if len(numbers) != len(arrays[f"{name}.weight"]):
            raise ValueError(f"{name}.number and {name}.weight are not of one length")
        return cls(numbers, np.arange(len(numbers)), spelled.tobytes())


def stored_words(name: str, known: KnownWords, joined: bytes) -> dict[str, NDArray[Any]]:
    """What `SpelledWords.of_arrays` reads."""
    return {f"{name}.number": known.number, f"{name}.words": np.frombuffer(joined, np.uint8)}
