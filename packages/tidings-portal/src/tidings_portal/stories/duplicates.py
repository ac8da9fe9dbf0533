"""Detection of near duplicates among many articles, by shingles, MinHash signatures and bands of signatures.

Locality-sensitive hashing (Indyk and Motwani 1998; Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, ch. 3):
a signature of 128 values is cut into 32 bands of 4, and texts with an equal band are compared. Two texts of similarity
s meet with probability 1 − (1 − s⁴)³²:

    s      0.2   0.3   0.4   0.5   0.6   0.7   0.8
    met    0.05  0.23  0.56  0.87  0.99  1.00  1.00

From 0.5 on (the default) two texts count as copies: about one word in eleven may differ, as a change breaks four
shingles of four words. Each band is a table of chains: the last article of every bucket and, for every article, the
previous one. So adding is one vector operation, and 100,000 articles take about 80 MB, signatures included.

Shingles are the runs of four words of a text, as numbers (Broder 1997). Copies share most of them; texts on the same
subject share few. Scripts without spaces use runs of eight characters, which is about four words. A text shorter than a
run is one shingle. A word becomes a number by CRC-32, which is fast and portable; runs are mixed to 64 bits.

A MinHash signature has the minimum of each of 128 hash functions over the shingles of a text (Broder 1997). The share
of equal values estimates the Jaccard similarity of two sets of shingles, with a standard error of at most 0.044 (at
similarity 0.5). With the numbers of shingles it also gives the containment of the shorter text in the longer one, which
detects cut or lengthened copies. The functions are multiply-add-shift over 64 bits with fixed constants: a text has the
same signature in every process, so signatures can be stored.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadState
from tidings.text import content_words
from tidings_portal.stories.report import Report

Hashes = NDArray[np.uint64]

WORDS: Final = 4
CHARACTERS: Final = 8
#: The rest of a text is ignored: no article is longer, but a hostile page may be.
MOST_WORDS: Final = 50_000
_MOST_CHARACTERS: Final = 500_000
#: Odd constants of Knuth's multiplicative hash and of the finisher of SplitMix64 (Steele, Lea and Flood 2014).
_STEP: Final = np.uint64(0x9E3779B97F4A7C15)
_MIX: Final = (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


def shingles(text: str, language: str = "") -> Hashes:
    """Return the distinct shingles of a text, sorted."""
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
    """Return hash values of numbers: their bits are mixed, so that similar numbers give very different values."""
    numbers = (numbers ^ (numbers >> np.uint64(30))) * _MIX[0]
    numbers = (numbers ^ (numbers >> np.uint64(27))) * _MIX[1]
    return numbers ^ (numbers >> np.uint64(31))


def _by_characters(words: list[str]) -> bool:
    """Return whether most words are single characters, as in scripts without spaces."""
    single = sum(1 for word in words if not word.isascii() and len(word) <= 2)
    return 2 * single > len(words)


Values = NDArray[np.uint32]

FUNCTIONS: Final = 128
_SIZE: Final = 4 * (FUNCTIONS + 1)
_AT_ONCE: Final = 2048  # shingles in one step, which is 2 MB of products
#: 2·128 numbers from a counter: odd factors and summands. A change makes stored signatures invalid.
_NUMBERS: Final = mixed(np.arange(1, 2 * FUNCTIONS + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15))
_FACTORS: Final = _NUMBERS[:FUNCTIONS] | np.uint64(1)
_SUMMANDS: Final = _NUMBERS[FUNCTIONS:]


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """The MinHash signature of a text, and its number of shingles."""

    count: int
    values: Values

    @classmethod
    def of(cls, text: str, language: str = "") -> Signature:
        """Return the signature of a text."""
        return cls.of_shingles(shingles(text, language))

    @classmethod
    def of_shingles(cls, hashes: Hashes) -> Signature:
        """Return the signature of a set of shingles."""
        least = np.full(FUNCTIONS, np.iinfo(np.uint64).max, np.uint64)
        for start in range(0, len(hashes), _AT_ONCE):
            products = hashes[start : start + _AT_ONCE, None] * _FACTORS + _SUMMANDS
            np.minimum(least, products.min(axis=0), out=least)
        return cls(len(hashes), (least >> np.uint64(32)).astype(np.uint32))

    @classmethod
    def from_bytes(cls, data: bytes) -> Signature:
        """Return a signature from its bytes.

        Raises:
            BadState: the bytes are not a signature.
        """
        if len(data) != _SIZE:
            raise BadState(f"a signature has {_SIZE} bytes and not {len(data)}; make it anew from the text")
        numbers = np.frombuffer(data, "<u4").astype(np.uint32)
        return cls(int(numbers[0]), numbers[1:])

    def to_bytes(self) -> bytes:
        """Return the signature as 516 bytes."""
        return np.concatenate(([np.uint32(self.count)], self.values)).astype("<u4").tobytes()

    def jaccard(self, other: Signature) -> float:
        """Return the estimated Jaccard similarity of two texts."""
        if not self.count or not other.count:
            return 0.0
        return float((self.values == other.values).mean())

    def containment(self, other: Signature) -> float:
        """Return the estimated share of the shorter text that is in the longer one."""
        return contained(self.jaccard(other), self.count, other.count)


def contained(jaccard: float, count: int, other_count: int) -> float:
    """Return the share of the smaller of two sets that is in the larger one, from their Jaccard similarity and sizes.

    The intersection is J (|A| + |B|) / (1 + J).
    """
    least = min(count, other_count)
    return min(1.0, jaccard * (count + other_count) / (1 + jaccard) / least) if least else 0.0


BANDS: Final = 32
ROWS: Final = FUNCTIONS // BANDS
SIMILAR: Final = 0.5
#: The maximum length of a chain to follow: of ten thousand copies, the last ones are enough.
_DEEPEST: Final = 64
_FEWEST: Final = 1024  # places to begin with, a power of two

_Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Copy:
    """A near duplicate, with its Jaccard similarity and the containment of the shorter text."""

    id: int
    similarity: float
    containment: float


class DuplicateIndex:
    """An index of near duplicates. Its state is its signatures; restore it with `DuplicateIndex.of`."""

    __slots__ = ("_before", "_count", "_counts", "_ids", "_last", "_places", "_values", "similar")

    def __init__(self, similar: float = SIMILAR) -> None:
        self.similar = similar
        self._count = 0
        self._places: dict[int, int] = {}
        self._ids = np.zeros(_FEWEST, np.int64)
        self._counts = np.zeros(_FEWEST, np.uint32)
        self._values = np.zeros((_FEWEST, FUNCTIONS), np.uint32)
        self._before = np.full((_FEWEST, BANDS), -1, np.int32)
        self._last = np.full((BANDS, _FEWEST), -1, np.int32)

    @classmethod
    def of(
        cls, signatures: Mapping[int, Signature] | Iterable[tuple[int, Signature]], similar: float = SIMILAR
    ) -> DuplicateIndex:
        """Return an index of signatures in their order."""
        index = cls(similar)
        for number, signature in signatures.items() if isinstance(signatures, Mapping) else signatures:
            index.put(number, signature)
        return index

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, number: int) -> bool:
        return number in self._places

    def add(self, number: int, signature: Signature) -> list[Copy]:
        """Add a signature and return the near duplicates that were added before."""
        copies = self.copies(signature, leave_out=number)
        self.put(number, signature)
        return copies

    def put(self, number: int, signature: Signature) -> None:
        """Add or replace a signature. A text without words is similar to nothing."""
        self.forget(number)
        if not signature.count:
            return
        if self._count == len(self._ids):
            self._grow()
        place = self._count
        self._ids[place], self._counts[place], self._values[place] = number, signature.count, signature.values
        self._places[number] = place
        self._count += 1
        buckets = self._buckets(signature.values[None])[0]
        self._before[place] = self._last[_BAND, buckets]
        self._last[_BAND, buckets] = place

    def forget(self, number: int) -> bool:
        """Remove a signature; return False if there is none."""
        place = self._places.pop(number, None)
        if place is None:
            return False
        self._counts[place] = 0
        return True

    def copies(self, signature: Signature, *, leave_out: int | None = None) -> list[Copy]:
        """Return the near duplicates of a signature, most similar first."""
        met = self._met(signature)
        met = met[self._counts[met] > 0]
        if leave_out in self._places:
            met = met[met != self._places[leave_out]]
        if not len(met):
            return []
        shares = (self._values[met] == signature.values).mean(axis=1)
        copies = [
            Copy(
                int(self._ids[place]), float(share), contained(float(share), signature.count, int(self._counts[place]))
            )
            for place, share in zip(met.tolist(), shares.tolist(), strict=True)
            if share >= self.similar
        ]
        return sorted(copies, key=lambda copy: (-copy.similarity, copy.id))

    def _met(self, signature: Signature) -> _Ints:
        """Return the index rows of possible duplicates: signatures with an equal band, or one in the same hash
        bucket.
        """
        if not signature.count:
            return np.empty(0, np.int32)
        bands = _BAND
        at = self._last[bands, self._buckets(signature.values[None])[0]]
        visited: list[_Ints] = []
        for _ in range(_DEEPEST):
            alive = at >= 0
            if not alive.any():
                break
            bands, at = bands[alive], at[alive]
            visited.append(at)
            at = self._before[at, bands]
        return np.unique(np.concatenate(visited)) if visited else np.empty(0, np.int32)

    def _buckets(self, values: NDArray[np.uint32]) -> NDArray[np.int64]:
        """Return the bucket of each band of some signatures."""
        keys = np.zeros((len(values), BANDS), np.uint64)
        for row in range(ROWS):
            keys = mixed(keys + values[:, row::ROWS])
        return (keys & np.uint64(self._last.shape[1] - 1)).astype(np.int64)

    def _grow(self) -> None:
        """Double the capacity of the index, drop removed signatures, and rebuild the chains of each bucket in
        one pass.
        """
        alive = np.flatnonzero(self._counts[: self._count])
        size = max(_FEWEST, 1 << (2 * len(alive) - 1).bit_length())
        ids, counts = np.zeros(size, np.int64), np.zeros(size, np.uint32)
        values = np.zeros((size, FUNCTIONS), np.uint32)
        self._count = len(alive)
        ids[: self._count], counts[: self._count], values[: self._count] = (
            self._ids[alive],
            self._counts[alive],
            self._values[alive],
        )
        self._ids, self._counts, self._values = ids, counts, values
        self._places = {int(number): place for place, number in enumerate(ids[: self._count].tolist())}
        self._before = np.full((size, BANDS), -1, np.int32)
        self._last = np.full((BANDS, size), -1, np.int32)
        buckets = self._buckets(values[: self._count])
        for band in range(BANDS):
            order = np.argsort(buckets[:, band], kind="stable").astype(np.int32)
            sorted_buckets = buckets[order, band]
            same = sorted_buckets[1:] == sorted_buckets[:-1]
            self._before[order[1:][same], band] = order[:-1][same]
            latest = np.append(~same, True)
            self._last[band, sorted_buckets[latest]] = order[latest]


_BAND: Final = np.arange(BANDS)
_NEVER: Final = datetime.max.replace(tzinfo=UTC)


def original(copies: Iterable[Report]) -> Report:
    """Return the original of several copies: the earliest, then the longest, then the lowest number.

    Copies without a time come last.
    """
    return min(copies, key=lambda report: (report.published or _NEVER, -len(report.text), report.id))
