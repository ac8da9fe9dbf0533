"""An index of an instance memory: buckets of instances with equal values of the most selective symbols.

The symbols of a bucket give a lower bound for the distance of its instances to a query.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.extractors.published.memory_based.memory import InstanceMemory, Values
from tidings.page.columns import Ints, sums

#: The mean number of instances per bucket, and the maximal number of buckets.
PER_BUCKET: Final = 32
MOST_BUCKETS: Final = 8192


@dataclass(frozen=True, slots=True, eq=False)
class Buckets:
    """The instances of a memory, sorted into buckets; instances of a bucket have equal values of some features."""

    features: Ints  # the features that are equal within a bucket
    keys: Values  # their values, a row per bucket
    order: Ints  # instances by bucket
    first: Ints  # position of the first instance of each bucket, and the end

    @property
    def sizes(self) -> Ints:
        """Return the number of instances of each bucket."""
        return np.diff(self.first)

    def rows(self, buckets: Ints) -> Ints:
        """Return the positions of all instances of some buckets."""
        first, sizes = self.first[buckets], self.sizes[buckets]
        return np.repeat(first - sums(sizes)[:-1], sizes) + np.arange(int(sizes.sum()))


def bucketed(memory: InstanceMemory) -> Buckets:
    """Sort the instances of a memory into buckets by symbolic features with a high weight and many values, as many as
    leave several instances in a bucket.
    """
    worth = np.zeros(memory.schema.size)
    for feature in np.flatnonzero(~memory.schema.numeric).tolist():
        share = np.bincount(memory.values[:, feature]) / max(len(memory), 1)
        worth[feature] = memory.weights[feature] * (1 - (share**2).sum())
    most = min(max(len(memory) // PER_BUCKET, 1), MOST_BUCKETS)
    chosen: list[int] = []
    number = np.zeros(len(memory), np.int64)
    for feature in np.argsort(-worth, kind="stable").tolist():
        if worth[feature] <= 0:
            break
        column = memory.values[:, feature]
        finer = np.unique(number * (int(column.max()) + 1) + column, return_inverse=True)[1].ravel()
        if finer.max() < most:
            chosen.append(feature)
            number = finer
    order = np.argsort(number, kind="stable")
    first = np.searchsorted(number[order], np.arange(int(number.max(initial=-1)) + 2))
    features = np.array(chosen, np.int64)
    return Buckets(features, memory.values[order[first[:-1]]][:, features], order, first)
