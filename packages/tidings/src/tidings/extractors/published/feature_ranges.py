"""Features cut into ranges, with a weight for each range: binary attributes for sequence models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Ints

Rows = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Ranges:
    """The borders at which each feature is cut, a row per feature, padded with infinity. A border is in the range below
    it.
    """

    borders: Rows

    @classmethod
    def of(cls, rows: Rows, ranges: int) -> Self:
        """Divide the values of each feature into ranges with about equally many blocks.

        Args:
            rows: the features of the blocks, a row per block.
            ranges: the number of ranges; a feature with few distinct values has fewer.
        """
        shares = np.arange(1, ranges) / ranges
        borders = np.full((rows.shape[1], ranges - 1), np.inf, np.float32)
        for place, column in enumerate(rows.T):
            # The greatest value is no border, because no value is above it.
            cuts = np.unique(np.quantile(column, shares, method="lower").astype(np.float32))
            cuts = cuts[cuts < column.max()] if len(column) else cuts[:0]
            borders[place, : len(cuts)] = cuts
        return cls(borders)

    def __call__(self, rows: Rows) -> Ints:
        """Return the range of each feature of each block, a row per block."""
        result = np.empty(rows.shape, np.int64)
        for place, cuts in enumerate(self.borders):
            result[:, place] = np.searchsorted(cuts, rows[:, place])
        return result

    @property
    def count(self) -> int:
        """Return the largest number of ranges of a feature."""
        return int(self.borders.shape[1]) + 1


def sums(weights: Floats, ranges: Ints) -> Floats:
    """Return for each block the sum of the weights of its features; the first axes of `weights` are features and
    ranges.
    """
    if not len(ranges):
        return np.zeros((0, *weights.shape[2:]))
    return np.asarray(weights[np.arange(weights.shape[0]), ranges].sum(axis=1), np.float64)
