"""The memory of a memory-based learner: all distinct training instances with the classes they had.

The learner is lazy (thesis 3.2.2): learning is storing. The memory also has the weight of each feature, the range of
numeric features, and the frequency of each class, which decides ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Bools, Ints

Floats = NDArray[np.float64]
#: A column per feature: symbols as numbers from 0 on, -1 for unknown symbols.
Values = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Schema:
    """Which features of an instance are numeric, and the order in which distances are summed."""

    numeric: Bools
    order: Ints

    @property
    def size(self) -> int:
        """Return the number of features."""
        return len(self.numeric)


@dataclass(frozen=True)
class InstanceMemory:
    """The distinct training instances, with the frequency of each class among equal ones."""

    values: Values
    counts: NDArray[np.int32]  # a row per instance, a column per class
    schema: Schema
    weights: Floats
    least: Floats  # the least value of each numeric feature; 0 for symbols
    most: Floats  # the greatest value

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def totals(self) -> Ints:
        """Return the frequency of each class."""
        return np.asarray(self.counts.sum(axis=0), np.int64)

    @cached_property
    def ranks(self) -> Ints:
        """Return the classes from the most to the least frequent, which is the order in which ties are decided."""
        return np.argsort(-self.totals, kind="stable")

    def decide(self, votes: NDArray[np.integer]) -> tuple[Ints, Bools]:
        """Return for each row of votes the class with most votes, and whether several classes have equally many."""
        ordered = votes[:, self.ranks]
        best = ordered.argmax(axis=1)
        most = ordered[np.arange(len(votes)), best]
        return self.ranks[best], (ordered == most[:, None]).sum(axis=1) > 1


def collapse(values: Values, classes: Ints, size: int) -> tuple[Values, NDArray[np.int32]]:
    """Merge equal rows in order of first occurrence, and count the classes of each."""
    first, row_of = equal_rows(values)
    counts = np.bincount(row_of * size + classes, minlength=len(first) * size).reshape(-1, size)
    return values[first], counts.astype(np.int32)


def equal_rows(values: Values) -> tuple[Ints, Ints]:
    """Return the index of the first of each group of equal rows, and for each row the number of its group."""
    whole = np.dtype((np.void, values.dtype.itemsize * values.shape[1]))
    rows = np.ascontiguousarray(values).view(whole).ravel()
    _, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(first), np.int64)
    place[order] = np.arange(len(first))
    return first[order], place[inverse.ravel()]
