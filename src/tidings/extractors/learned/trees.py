"""Boosted trees as arrays, run in plain NumPy.

The trees are oblivious: all nodes of a level ask the same question, so the leaf of a tree is the number whose bits are
the answers. All answers of all trees are one comparison of two arrays, which is what makes this quick without compiled
code of our own.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel

Floats = NDArray[np.float32]

#: Blocks that are looked at together: with all answers of all trees they take some 10 MB. Of 3,916 pages of news sites
#: the largest has 6,220, most have fewer than 500.
_SLICE: Final = 2048
_LOG2_E: Final = math.log2(math.e)
#: The logarithm of two in two parts: any power of two times the first is exact.
_LN_2_HIGH, _LN_2_LOW = 6.931471803691238e-1, 1.9082149292705877e-10
#: 1/n!, from the last term of the series inwards.
_TAYLOR: Final = tuple(1 / math.factorial(term) for term in range(13, -1, -1))


def slices(count: int) -> Iterator[tuple[int, int]]:
    """Parts of a number of blocks, none of which is so large that looking at it takes much memory; of even size."""
    parts = -(-count // _SLICE)
    for part in range(parts):
        yield part * count // parts, (part + 1) * count // parts


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """An ensemble of oblivious trees of one depth."""

    features: tuple[str, ...]  # what the rows of the input must be
    feature: NDArray[np.int64]  # for each level of each tree the row that is asked
    border: Floats  # and the value above which the answer is yes
    leaf: Floats  # trees × 2^depth: what each leaf adds, all trees together the logarithm of the odds
    bias: float
    # The same level by level, as they are asked.
    _asked: NDArray[np.int64] = field(init=False, repr=False)
    _borders: Floats = field(init=False, repr=False)

    def __post_init__(self) -> None:
        trees, leaves = self.leaf.shape
        if (
            not 0 < self.depth <= 8
            or 1 << self.depth != leaves
            or len(self.feature) != trees * self.depth
            or len(self.border) != len(self.feature)
        ):
            raise BadModel("the trees' arrays do not fit together: train the model again")
        if len(self.feature) and not 0 <= self.feature.min() <= self.feature.max() < len(self.features):
            raise BadModel("the trees ask for features that are not named: train the model again")
        object.__setattr__(self, "_asked", np.ascontiguousarray(self.feature.reshape(trees, -1).T))
        object.__setattr__(self, "_borders", np.ascontiguousarray(self.border.reshape(trees, -1).T)[:, :, None])

    @property
    def depth(self) -> int:
        """Questions on the way to a leaf."""
        return len(self.feature) // max(len(self.leaf), 1)

    def log_odds(self, rows: Floats) -> NDArray[np.float64]:
        """The logarithm of the odds for each column of the input, a row for each feature."""
        if rows.shape[1] == 1:  # NumPy adds up a single column in another order
            return self.log_odds(rows.repeat(2, axis=1))[:1]
        odds = np.empty(rows.shape[1])
        for first, last in slices(rows.shape[1]):
            odds[first:last] = self._log_odds(rows[:, first:last])
        return odds

    def _log_odds(self, rows: Floats) -> Floats:
        trees, leaves = self.leaf.shape
        leaf = np.zeros((trees, rows.shape[1]), np.uint8)
        # Level by level, in the same two arrays: they stay in the processor's cache. "Clip" spares NumPy a check.
        values, answers = np.empty(leaf.shape, np.float32), np.empty(leaf.shape, np.bool_)
        for asked, borders in zip(self._asked[::-1], self._borders[::-1], strict=True):
            rows.take(asked, axis=0, out=values, mode="clip")
            np.greater(values, borders, out=answers)
            leaf += leaf
            leaf += answers.view(np.uint8)
        places = leaf + np.arange(0, trees * leaves, leaves)[:, None]
        self.leaf.ravel().take(places, out=values, mode="clip")
        total: Floats = values.sum(axis=0) + self.bias
        return total

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """The trees as arrays to be stored, under names that begin alike."""
        return {
            f"{name}.features": np.array(self.features),
            f"{name}.feature": self.feature.astype(np.int16),
            f"{name}.border": self.border,
            f"{name}.leaf": self.leaf,
            f"{name}.bias": np.array(self.bias),
        }

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Trees:
        """From stored arrays.

        Raises:
            BadModel: an array is missing, or they do not fit together.
        """
        try:
            return cls(
                tuple(arrays[f"{name}.features"].tolist()),
                arrays[f"{name}.feature"].astype(np.int64),
                arrays[f"{name}.border"],
                arrays[f"{name}.leaf"],
                float(arrays[f"{name}.bias"]),
            )
        except KeyError as missing:
            raise BadModel(f"the model file has no {missing}: train the model again") from None


def chances(log_odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Probabilities from logarithms of odds."""
    return np.asarray(1.0 / (1.0 + exponential(-np.clip(log_odds, -30, 30))))


def exponential(value: NDArray[np.float64]) -> NDArray[np.float64]:
    """By additions and multiplications alone: the same on every machine."""
    power = np.rint(value * _LOG2_E)
    rest = (value - power * _LN_2_HIGH) - power * _LN_2_LOW
    series = np.zeros(len(rest))
    for factor in _TAYLOR:
        series = series * rest + factor
    return np.asarray(np.ldexp(series, power.astype(np.int32)))
