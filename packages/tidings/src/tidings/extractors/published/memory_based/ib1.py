"""IB1: the nearest instances of a memory (memory-based thesis 3.2.2, eq. 3.1, 3.2, 3.6), computed like TiMBL does.

The distance of two instances is the weighted sum over features: 1 for different symbols, the difference divided by the
range for numbers. `k` counts distances, not instances (`neighbours` has the voting rules).

Few instances are compared in full. The memory is sorted into buckets of instances with equal heavy symbols (`buckets`).
The symbols of a bucket give a lower bound for the distance of its instances. Buckets beyond the current limit are
skipped, and in the others only instances whose remaining symbols stay within the limit are measured. Bounds are whole
numbers, rounded down. Distances are summed feature by feature in TiMBL's order, so that equal distances are equal to
the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.memory_based.buckets import Buckets, bucketed
from tidings.extractors.published.memory_based.memory import Floats, InstanceMemory, Values, equal_rows
from tidings.extractors.published.memory_based.neighbours import NeighbourVotes, Verdicts
from tidings.page.columns import Bools, Ints

Votes = NDArray[np.int64]
#: Distances with a smaller difference are equal.
_SAME: Final = float(np.finfo(np.float64).eps)
#: The sum of all symbol weights after conversion to whole numbers.
_SCALE: Final = 60_000
#: To estimate the search radius, this many instances are compared by symbols, and this many of them measured.
_FIRST_LOOK: Final = 2048
_MEASURED: Final = 24
#: Pairs of instances per batch, chosen to fit into a processor's cache.
_PAIRS: Final = 1 << 18
#: Query instances per batch, sorted by radius.
_TOGETHER: Final = 48


@dataclass(frozen=True)
class Nearest:
    """An exact search for the nearest stored instances (k-nearest neighbours of IB1), accelerated by buckets."""

    memory: InstanceMemory
    k: int = 1

    @cached_property
    def buckets(self) -> Buckets:
        """Return the instances of the memory sorted into buckets, built on first use."""
        return bucketed(self.memory)

    @cached_property
    def _columns(self) -> list[NDArray[np.generic]]:
        """Return the values of each feature by bucket, in the smallest possible type."""
        values = self.memory.values[self.buckets.order]
        return [_small(column) for column in values.T]

    @cached_property
    def _counts(self) -> NDArray[np.int32]:
        return self.memory.counts[self.buckets.order]

    @cached_property
    def _whole(self) -> Ints:
        """Return the weights of symbolic features, scaled to whole numbers and rounded down; 0 for numeric features."""
        weights = np.where(self.memory.schema.numeric, 0.0, self.memory.weights)
        return np.floor(weights * self._unit).astype(np.int64)

    @cached_property
    def _unit(self) -> float:
        total = float(self.memory.weights[~self.memory.schema.numeric].sum())
        return _SCALE / total if total > 0 else 1.0

    @cached_property
    def _unbucketed(self) -> Ints:
        """Return the symbolic features whose values vary within buckets, the largest weight first."""
        rest = np.setdiff1d(np.flatnonzero(self._whole), self.buckets.features)
        return rest[np.argsort(-self._whole[rest], kind="stable")]

    def classify(self, values: Values) -> Verdicts:
        """Return the predicted class of each query instance."""
        return self.look(values).verdicts(self.k)

    def look(self, values: Values) -> NeighbourVotes:
        """Return the votes of the nearest neighbours of each query instance, for up to k distances."""
        distinct, inverse = _distinct(values)
        width = self.memory.counts.shape[1]
        votes = np.zeros((len(distinct), self.k + 1, width), np.int64)
        same, distance = np.zeros((len(distinct), width), np.int64), np.zeros(len(distinct))
        if not len(self.memory):
            return NeighbourVotes(self.memory, votes, same, distance).of(inverse)
        groups, member = _distinct(distinct[:, self.buckets.features])
        order = np.argsort(member, kind="stable")
        bounds = np.searchsorted(member[order], np.arange(len(groups) + 1))
        for number, key in enumerate(groups):
            queries = order[bounds[number] : bounds[number + 1]]
            for part, result in self._search_group(distinct, queries, self._bucket_bounds(key)):
                votes[part], same[part], distance[part] = (
                    result.votes,
                    result.same,
                    result.distance,
                )
        return NeighbourVotes(self.memory, votes, same, distance).of(inverse)

    def _bucket_bounds(self, key: Values) -> Ints:
        """Return a lower bound of the distance between each bucket's instances and query instances with this key.

        A key is the values of the features by which buckets are formed.
        """
        return np.asarray((self.buckets.keys != key) @ self._whole[self.buckets.features], np.int64)

    def _search_group(self, values: Values, queries: Ints, bound: Ints) -> Iterator[tuple[Ints, NeighbourVotes]]:
        """Yield the neighbours of query instances that have the same key, in batches: the indices of query instances,
        and their votes.

        Args:
            values: all query instances.
            queries: the indices of those with the key.
            bound: a lower bound of their distance to each bucket.
        """
        near = np.argsort(bound, kind="stable")
        rows, least = self._first_rows(near, bound)
        radius = np.concatenate([self._radius(values[part], rows, least) for part in _batches(queries, len(rows))])
        order = np.argsort(radius, kind="stable")
        for part in _batches(order, _PAIRS // _TOGETHER):
            yield queries[part], self._search_within(values[queries[part]], radius[part], near, bound)

    def _search_within(self, queries: Values, radius: Floats, near: Ints, bound: Ints) -> NeighbourVotes:
        """Return the neighbours of query instances with the same key, given the search radius of each."""
        limit = np.minimum(np.floor(radius * self._unit) + 1, _SCALE).astype(np.uint16)
        opened = near[: np.searchsorted(bound[near], limit.max(), side="right")]
        rows, least = self.buckets.rows(opened), np.repeat(bound[opened], self.buckets.sizes[opened])
        pairs: list[tuple[Ints, Ints, Floats]] = []
        for part in _batches(np.arange(len(rows)), len(queries)):
            query, candidate = np.nonzero(self._bounds(queries, rows[part], least[part]) <= limit[:, None])
            row = rows[part][candidate]
            distance = self._distances(queries, query, row)
            is_near = distance <= radius[query] + _SAME
            pairs.append((query[is_near], row[is_near], distance[is_near]))
        query, row, distance = (np.concatenate(column) for column in zip(*pairs, strict=True))
        return self._gather(queries, query, row, distance)

    def _first_rows(self, near: Ints, bound: Ints) -> tuple[Ints, Ints]:
        """Return a sample of instances from the nearest buckets, with a lower bound of the distance of each."""
        sizes = self.buckets.sizes
        first = near[: np.searchsorted(np.cumsum(sizes[near]), _FIRST_LOOK) + 1]
        return self.buckets.rows(first)[:_FIRST_LOOK], np.repeat(bound[first], sizes[first])[:_FIRST_LOOK]

    def _radius(self, queries: Values, rows: Ints, least: Ints) -> Floats:
        """Return for each query instance a distance within which all its k + 1 nearest distances are.

        It is measured on the most promising of the instances `rows`, whose lower bounds are `least`.
        """
        size = min(_MEASURED + 4 * self.k, len(rows))
        likely = np.argpartition(self._bounds(queries, rows, least), size - 1, axis=1)[:, :size]
        radius = self._next_distance(queries, rows[likely])
        open_ended = np.flatnonzero(np.isinf(radius))  # at most k different distances so far: measure more
        if len(open_ended):
            radius[open_ended] = self._next_distance(queries[open_ended], np.tile(rows, (len(open_ended), 1)))
        return radius

    def _next_distance(self, queries: Values, rows: Ints) -> Floats:
        """Return for each query instance the (k + 1)-th smallest distinct distance to the instances in its row;
        infinite if there are fewer.
        """
        query = np.repeat(np.arange(len(queries)), rows.shape[1])
        distances = self._distances(queries, query, rows.ravel()).reshape(rows.shape)
        distances.sort(axis=1)
        number = np.cumsum(
            np.diff(distances, axis=1, prepend=-1.0) >= _SAME, axis=1
        )  # index of each among the distinct distances
        beyond = number > self.k
        result = np.take_along_axis(distances, beyond.argmax(axis=1)[:, None], axis=1)[:, 0]
        return np.where(beyond.any(axis=1), result, np.inf)

    def _bounds(self, queries: Values, rows: Ints, least: Ints) -> NDArray[np.uint16]:
        """Return a lower bound of the distance between each query instance (row) and each stored instance (column),
        from their symbolic features.
        """
        bounds = np.repeat(least.astype(np.uint16)[None, :], len(queries), axis=0)
        differs, added = np.empty(bounds.shape, np.bool_), np.empty(bounds.shape, np.uint16)
        for feature in self._unbucketed.tolist():
            column = self._columns[feature][rows]
            np.not_equal(column[None, :], queries[:, feature, None].astype(column.dtype), out=differs)
            np.multiply(differs, np.uint16(self._whole[feature]), out=added)
            bounds += added
        return bounds

    def _distances(self, queries: Values, query: Ints, rows: Ints) -> Floats:
        """Return the distance of each pair of query and stored instance; features are added in TiMBL's order."""
        memory = self.memory
        distances = np.zeros(len(query))
        for feature in memory.schema.order.tolist():
            weight, span = memory.weights[feature], memory.most[feature] - memory.least[feature]
            query_values, stored_values = queries[:, feature][query], self._columns[feature][rows]
            if memory.schema.numeric[feature] and span > 0:
                distances += np.abs((query_values - stored_values.astype(np.float64)) / span) * weight
            else:
                distances += (query_values != stored_values) * weight
        return distances

    def _gather(self, queries: Values, query: Ints, rows: Ints, distances: Floats) -> NeighbourVotes:
        """Return the votes at the k + 1 nearest distances, from pairs that include all instances near enough."""
        order = np.lexsort((rows, distances, query))
        query, rows, distances = query[order], rows[order], distances[order]
        is_new = np.ones(len(query), np.bool_)
        is_new[1:] = (query[1:] != query[:-1]) | (np.diff(distances) >= _SAME)
        starts = np.searchsorted(query, np.arange(len(queries)))
        number = np.cumsum(is_new, dtype=np.int64)
        number -= number[starts][query]  # index among the distinct distances of the query, from 0
        voting = number <= self.k
        size = self.k + 1
        votes = self._sum(query[voting] * size + number[voting], rows[voting], len(queries) * size)
        nearest = np.flatnonzero(number == 0)
        equal = nearest[self._identical(queries, query[nearest], rows[nearest])]
        same = self._sum(query[equal], rows[equal], len(queries))
        return NeighbourVotes(self.memory, votes.reshape(len(queries), size, -1), same, distances[starts])

    def _sum(self, group: Ints, rows: Ints, size: int) -> Votes:
        """Return the summed votes of the instances in each group. `group` has the group number of each instance in
        `rows`, in ascending order.
        """
        votes = np.zeros((size, self._counts.shape[1]), np.int64)
        if len(group):
            starts = np.flatnonzero(np.diff(group, prepend=-1))
            votes[group[starts]] = np.add.reduceat(self._counts[rows], starts, axis=0, dtype=np.int64)
        return votes

    def _identical(self, queries: Values, query: Ints, rows: Ints) -> Bools:
        same = np.ones(len(query), np.bool_)
        for feature, column in enumerate(self._columns):
            same &= queries[:, feature][query] == column[rows]
        return same


def _batches(items: Ints, pairs_per_item: int) -> list[Ints]:
    """Split items into batches with at most `_PAIRS` pairs."""
    return np.array_split(items, max(1, min(len(items), -(-len(items) * pairs_per_item // _PAIRS))))


def _distinct(values: Values) -> tuple[Values, Ints]:
    """Return the distinct rows of a table, and for each row the index of its distinct row."""
    if not values.shape[1]:
        return values[:1], np.zeros(len(values), np.int64)
    first, inverse = equal_rows(values)
    return values[first], inverse


def _small(column: Values) -> NDArray[np.generic]:
    """Return numbers in the smallest integer type with room for them and for -1 (unknown symbols)."""
    for kind in (np.int8, np.int16):
        if column.max(initial=0) <= np.iinfo(kind).max and column.min(initial=0) >= np.iinfo(kind).min:
            return np.ascontiguousarray(column, kind)
    return np.ascontiguousarray(column)
