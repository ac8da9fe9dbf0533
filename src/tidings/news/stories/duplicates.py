"""Near duplicates among many: which articles are copies of this one, found by bands of signatures.

Locality-sensitive hashing (Indyk and Motwani 1998; Leskovec, Rajaraman and Ullman, Mining of Massive Datasets, ch. 3):
a signature of 128 values is cut into 32 bands of 4; texts that agree in a whole band are compared. Two texts of
similarity s meet with probability 1 − (1 − s⁴)³²:

    s      0.2   0.3   0.4   0.5   0.6   0.7   0.8
    met    0.05  0.23  0.56  0.87  0.99  1.00  1.00

From 0.5 on (the default) two texts count as copies: about one word in eleven may differ, as a change breaks four runs
of four words. Each band is a table of chains: the last article of every bucket and, for every article, the one before
it. So adding is one vector operation, and 100,000 articles take some 80 MB, signatures included.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.news.stories.minhash import FUNCTIONS, Signature, contained
from tidings.news.stories.report import Report
from tidings.news.stories.shingles import mixed

BANDS: Final = 32
ROWS: Final = FUNCTIONS // BANDS
SIMILAR: Final = 0.5
#: How far back a chain is followed: ten thousand copies of one text are found by the last of them.
_DEEPEST: Final = 64
_FEWEST: Final = 1024  # places to begin with, a power of two

_Ints = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Copy:
    """An article that is nearly the same, how much both share, and how much of the shorter is in the longer."""

    id: int
    similarity: float
    containment: float


class DuplicateIndex:
    """Finds near duplicates. Its state are the signatures: `DuplicateIndex.of` makes it anew from those."""

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
        """An index of many, in their order."""
        index = cls(similar)
        for number, signature in signatures.items() if isinstance(signatures, Mapping) else signatures:
            index.put(number, signature)
        return index

    def __len__(self) -> int:
        return len(self._places)

    def __contains__(self, number: int) -> bool:
        return number in self._places

    def add(self, number: int, signature: Signature) -> list[Copy]:
        """The copies that are there already, as `copies` gives them; then it is one of them."""
        found = self.copies(signature, leave_out=number)
        self.put(number, signature)
        return found

    def put(self, number: int, signature: Signature) -> None:
        """Remember a signature; one that is known by this number goes. A text without words is like nothing."""
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
        """It is found no more. False: it was not known."""
        place = self._places.pop(number, None)
        if place is None:
            return False
        self._counts[place] = 0
        return True

    def copies(self, signature: Signature, *, leave_out: int | None = None) -> list[Copy]:
        """What is nearly the same, the most similar first."""
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
        """The places that share a band with a signature, or at least the bucket of one."""
        if not signature.count:
            return np.empty(0, np.int32)
        bands = _BAND
        at = self._last[bands, self._buckets(signature.values[None])[0]]
        seen: list[_Ints] = []
        for _ in range(_DEEPEST):
            alive = at >= 0
            if not alive.any():
                break
            bands, at = bands[alive], at[alive]
            seen.append(at)
            at = self._before[at, bands]
        return np.unique(np.concatenate(seen)) if seen else np.empty(0, np.int32)

    def _buckets(self, values: NDArray[np.uint32]) -> NDArray[np.int64]:
        """The bucket of each band, for each signature."""
        keys = np.zeros((len(values), BANDS), np.uint64)
        for row in range(ROWS):
            keys = mixed(keys + values[:, row::ROWS])
        return (keys & np.uint64(self._last.shape[1] - 1)).astype(np.int64)

    def _grow(self) -> None:
        """Twice the room: what was forgotten goes, and the chains are made anew, all at once."""
        kept = np.flatnonzero(self._counts[: self._count])
        size = max(_FEWEST, 1 << (2 * len(kept) - 1).bit_length())
        ids, counts = np.zeros(size, np.int64), np.zeros(size, np.uint32)
        values = np.zeros((size, FUNCTIONS), np.uint32)
        self._count = len(kept)
        ids[: self._count], counts[: self._count], values[: self._count] = (
            self._ids[kept],
            self._counts[kept],
            self._values[kept],
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
    """Which of several copies is the original: the earliest; of those the longest; of those the lowest number.

    One whose time nobody knows comes after those that have one.
    """
    return min(copies, key=lambda report: (report.published or _NEVER, -len(report.text), report.id))
