"""Word hashes of a page, computed for all words at once with NumPy.

The hash of a word is the sum of its case-folded letters, each multiplied by a number for its position, modulo 2^64. Two
different words of a page practically never share a hash.
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

#: Letters beyond this position share one factor: words rarely differ only after 64 letters.
_LONGEST: Final = 64
#: Bits of the prefix table beyond log2 of the number of words: enough that most unknown words miss the table.
_SPARE_BITS: Final = 4
_FACTOR: Final = 0x9E3779B97F4A7C15
_PLACES: Final = np.array([pow(_FACTOR, place + 1, 1 << 64) for place in range(_LONGEST)], np.uint64)


class HashedWords(NamedTuple):
    """Words in text order: start position and hash of each."""

    start: Ints
    number: Hashes


@cache
def _letters() -> Hashes:
    """Return a table with the hash of the lower-case form of each character of Unicode's basic plane."""
    numbers: Hashes = (lower_cases().astype(np.uint64) + np.uint64(1)) * np.uint64(0xD6E8FEB86659FD93)
    return numbers


@cache
def _letters_of_words() -> Hashes:
    """Return the table of `_letters` with 0 for characters that are not part of words."""
    return np.where(word_classes(np.arange(PLANE, dtype=np.uint32)) > 0, _letters(), np.uint64(0))


def hashed_words(codes: Codes, classes: Classes | None = None) -> HashedWords:
    """Return the hashed words of a text given as code points. `classes` avoids computing the character classes
    again.
    """
    classes = word_classes(codes) if classes is None else classes
    inside = classes > 0
    begins = inside.copy()
    np.greater(inside[1:], inside[:-1], out=begins[1:])
    if classes.max(initial=0) > 1:  # characters that are words by themselves also end the word before
        alone = classes > 1
        begins |= alone
        begins[1:] |= alone[:-1] & inside[1:]
    first = begins.nonzero()[0]
    if not len(first):
        return HashedWords(first, np.zeros(0, np.uint64))
    # Each slice runs to the next word; characters between words add 0.
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
    """An index of sorted hashes by their upper bits, which narrows a search."""

    is_any: Bools  # whether a prefix occurs: rules out most unknown words
    first: NDArray[np.int32]
    most: int  # most hashes with one prefix


class KnownWords:
    """A searchable set of word hashes, sorted and indexed by prefix."""

    def __init__(self, numbers: Hashes) -> None:
        self.number = numbers
        self._bits = len(numbers).bit_length() + _SPARE_BITS

    @cached_property
    def _beginnings(self) -> _Beginnings:
        """Return the index by upper bits, built on first use: the compiled core does not need it."""
        counts = np.bincount(self._beginning(self.number), minlength=1 << self._bits)
        return _Beginnings(counts > 0, (np.cumsum(counts) - counts).astype(np.int32), int(counts.max()))

    def find(self, numbers: Hashes) -> tuple[Ints, Ints]:
        """Look up hashes in the set.

        Returns the positions in `numbers` of the hashes that are in the set, and the position of each in the set.

        Args:
            numbers: the hashes to look up.
        """
        beginning, table = self._beginning(numbers), self._beginnings
        likely = np.flatnonzero(table.is_any.take(beginning))
        candidates, place = numbers[likely], table.first.take(beginning[likely])
        last = len(self.number) - 1
        for _ in range(1, table.most):  # skip other words with the same prefix
            place += (self.number.take(place) != candidates) & (place < last)
        same = self.number.take(place) == candidates
        return likely[same], place[same]

    def _beginning(self, numbers: Hashes) -> Ints:
        return (numbers >> np.uint64(64 - self._bits)).view(np.int64)


class SpelledWords(NamedTuple):
    """Words with their spelling, sorted by hash (the order of `KnownWords`)."""

    numbers: Hashes
    order: Ints  # index of each word in the original list
    spellings: bytes  # separated by spaces, in UTF-8: rarely needed, so not split

    @classmethod
    def of(cls, words: Sequence[str]) -> SpelledWords:
        """Create from words in any order."""
        numbers = hashed_words(code_points(" ".join(words))).number
        order = np.argsort(numbers, kind="stable")
        return cls(numbers[order], order, " ".join([words[index] for index in order.tolist()]).encode())

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> SpelledWords:
        """Create from stored arrays; files of older versions contain a text per word instead of hashes."""
        if f"{name}.word" in arrays:
            return cls.of(arrays[f"{name}.word"].tolist())
        numbers, spelled = arrays[f"{name}.number"], arrays[f"{name}.words"]
        if numbers.dtype != np.uint64 or numbers.ndim != 1 or (numbers[1:] < numbers[:-1]).any():
            raise ValueError(f"{name}.number holds no numbers of words in their order")
        if len(numbers) != len(arrays[f"{name}.weight"]):
            raise ValueError(f"{name}.number and {name}.weight are not of one length")
        return cls(numbers, np.arange(len(numbers)), spelled.tobytes())


def stored_words(name: str, words: KnownWords, spellings: bytes) -> dict[str, NDArray[Any]]:
    """Return the arrays that `SpelledWords.of_arrays` reads."""
    return {f"{name}.number": words.number, f"{name}.words": np.frombuffer(spellings, np.uint8)}
