"""MinHash: how much two texts share, from a few hundred bytes each (Broder 1997).

For each of 128 hash functions a signature keeps the least value over a text's shingles. The share of places where two
signatures agree estimates the Jaccard similarity of the two sets of shingles; its standard error is at most 0.044, at
similarity 0.5. With the numbers of shingles it also tells how much of the shorter text the longer one holds, which is
what a cut or lengthened copy shows.

The functions are multiply-add-shift over 64 bits with fixed constants: the same text has the same signature in every
process, so signatures can be kept.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadState
from tidings.news.stories.shingles import Hashes, mixed, shingles

Values = NDArray[np.uint32]

FUNCTIONS: Final = 128
_SIZE: Final = 4 * (FUNCTIONS + 1)
_AT_ONCE: Final = 2048  # shingles in one step, which is 2 MB of products
#: 2·128 numbers out of a counter: odd factors and summands. Changing them makes every kept signature void.
_NUMBERS: Final = mixed(np.arange(1, 2 * FUNCTIONS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
_FACTORS: Final = _NUMBERS[:FUNCTIONS] | np.uint64(1)
_SUMMANDS: Final = _NUMBERS[FUNCTIONS:]


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """What is compared of a text: how many shingles it has, and the least value of each function over them."""

    count: int
    values: Values

    @classmethod
    def of(cls, text: str, language: str = "") -> Signature:
        """The signature of a text."""
        return cls.of_shingles(shingles(text, language))

    @classmethod
    def of_shingles(cls, found: Hashes) -> Signature:
        """The signature of a set of shingles."""
        least = np.full(FUNCTIONS, np.iinfo(np.uint64).max, np.uint64)
        for start in range(0, len(found), _AT_ONCE):
            some = found[start : start + _AT_ONCE, None] * _FACTORS + _SUMMANDS
            np.minimum(least, some.min(axis=0), out=least)
        return cls(len(found), (least >> np.uint64(32)).astype(np.uint32))

    @classmethod
    def from_bytes(cls, kept: bytes) -> Signature:
        """A signature as it was kept.

        Raises:
            BadState: these are not the bytes of one.
        """
        if len(kept) != _SIZE:
            raise BadState(f"a signature has {_SIZE} bytes and not {len(kept)}; make it anew from the text")
        numbers = np.frombuffer(kept, "<u4").astype(np.uint32)
        return cls(int(numbers[0]), numbers[1:])

    def to_bytes(self) -> bytes:
        """For keeping: 516 bytes."""
        return np.concatenate(([np.uint32(self.count)], self.values)).astype("<u4").tobytes()

    def jaccard(self, other: Signature) -> float:
        """About how much two texts share of all that is in either."""
        if not self.count or not other.count:
            return 0.0
        return float((self.values == other.values).mean())

    def containment(self, other: Signature) -> float:
        """About how much of the shorter text is in the longer one."""
        return contained(self.jaccard(other), self.count, other.count)


def contained(jaccard: float, one: int, other: int) -> float:
    """The share of the smaller of two sets that is in the other, from their Jaccard similarity and sizes.

    What they share is J (|A| + |B|) / (1 + J).
    """
    least = min(one, other)
    return min(1.0, jaccard * (one + other) / (1 + jaccard) / least) if least else 0.0
