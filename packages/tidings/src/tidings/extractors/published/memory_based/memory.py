"""What a memory-based learner keeps: every instance it was shown, equal ones once, with the classes they had.

The learner is lazy (thesis 3.2.2): learning is storing. Beside the instances stand how much each feature weighs, the
range of the numeric ones, and how often each class was seen, which decides ties.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Bools, Ints

Floats = NDArray[np.float64]
#: A value of each feature in each row: symbols as numbers from 0 on, -1 for one that was never seen.
Values = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class Schema:
    """What the columns are: which are numbers, and in which order of features sums are taken."""

    numeric: Bools
    order: Ints

    @property
    def size(self) -> int:
        """How many features."""
        return len(self.numeric)


@dataclass(frozen=True)
class InstanceMemory:
    """Distinct instances with the classes they were seen with."""

    values: Values
    counts: NDArray[np.int32]  # a row an instance, a column a class
    schema: Schema
    weights: Floats
    least: Floats  # of each numeric feature, where instances were seen; 0 for symbols
    most: Floats

    def __len__(self) -> int:
        return len(self.values)

    @cached_property
    def totals(self) -> Ints:
        """How often each class was seen."""
        return np.asarray(self.counts.sum(axis=0), np.int64)

    @cached_property
    def ranks(self) -> Ints:
        """Classes from the most frequent to the rarest, equals in their order: the first of several wins a tie."""
        return np.argsort(-self.totals, kind="stable")

    def decide(self, votes: NDArray[np.integer]) -> tuple[Ints, Bools]:
        """For each row of votes the class with the most, and whether another has as many."""
        ordered = votes[:, self.ranks]
        best = ordered.argmax(axis=1)
        most = ordered[np.arange(len(votes)), best]
        return self.ranks[best], (ordered == most[:, None]).sum(axis=1) > 1


def collapse(values: Values, classes: Ints, size: int) -> tuple[Values, NDArray[np.int32]]:
    """Equal rows once, in the order they were first seen, with how often each class was seen with them."""
    first, which = equal_rows(values)
    counts = np.bincount(which * size + classes, minlength=len(first) * size).reshape(-1, size)
    return values[first], counts.astype(np.int32)


def equal_rows(values: Values) -> tuple[Ints, Ints]:
    """Return where each distinct row is first seen, in that order, and for each row which of these it equals."""
    whole = np.dtype((np.void, values.dtype.itemsize * values.shape[1]))
    rows = np.ascontiguousarray(values).view(whole).ravel()
    _, first, inverse = np.unique(rows, return_index=True, return_inverse=True)
    order = np.argsort(first)
    place = np.empty(len(first), np.int64)
    place[order] = np.arange(len(first))
    return first[order], place[inverse.ravel()]
