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
#: Distances closer than this are one.
_SAME: Final = float(np.finfo(np.float64).eps)
#: Whole numbers stand for weights; all symbols together weigh so much.
_SCALE: Final = 60_000
#: To learn how far to look, so many instances are compared by their symbols, and so many of those measured.
_FIRST_LOOK: Final = 2048
_MEASURED: Final = 24
#: Pairs of instances that are held at once: what stays in a processor's cache.
_PAIRS: Final = 1 << 18
#: Instances that are looked for together; those with a near neighbour apart from those without.
_TOGETHER: Final = 48


@dataclass(frozen=True)
class Nearest:
    """Looks for the nearest instances in a memory."""

    memory: InstanceMemory
    k: int = 1

    @cached_property
    def buckets(self) -> Buckets:
        """The memory in buckets, sorted when first asked."""
        return bucketed(self.memory)

    @cached_property
    def _columns(self) -> list[NDArray[np.generic]]:
        """The values of each feature, bucket by bucket, as small as they can be held."""
        values = self.memory.values[self.buckets.order]
        return [_small(column) for column in values.T]

    @cached_property
    def _counts(self) -> NDArray[np.int32]:
        return self.memory.counts[self.buckets.order]

    @cached_property
    def _whole(self) -> Ints:
        """Weights of symbols as whole numbers, rounded down; 0 for numbers."""
        weights = np.where(self.memory.schema.numeric, 0.0, self.memory.weights)
        return np.floor(weights * self._unit).astype(np.int64)

    @cached_property
    def _unit(self) -> float:
        total = float(self.memory.weights[~self.memory.schema.numeric].sum())
        return _SCALE / total if total > 0 else 1.0

    @cached_property
    def _others(self) -> Ints:
        """Symbols that are not the same all over a bucket, the heaviest first."""
        rest = np.setdiff1d(np.flatnonzero(self._whole), self.buckets.features)
        return rest[np.argsort(-self._whole[rest], kind="stable")]

    def classify(self, values: Values) -> Verdicts:
        """Return the classes of instances."""
        return self.look(values).verdicts(self.k)

    def look(self, values: Values) -> NeighbourVotes:
        """Return the nearest neighbours of instances, for any number of distances up to k."""
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
            asked = order[bounds[number] : bounds[number + 1]]
            for part, found in self._look_alike(distinct, asked, self._bucket_bounds(key)):
                votes[part], same[part], distance[part] = found.votes, found.same, found.distance
        return NeighbourVotes(self.memory, votes, same, distance).of(inverse)

    def _bucket_bounds(self, key: Values) -> Ints:
        """Return how far, in whole numbers, the instances of each bucket are from one with this key, at least."""
        return np.asarray((self.buckets.keys != key) @ self._whole[self.buckets.features], np.int64)

    def _look_alike(self, values: Values, asked: Ints, bound: Ints) -> Iterator[tuple[Ints, NeighbourVotes]]:
        """Yield the neighbours of instances that have the same key, some at a time: which, and what was found."""
        near = np.argsort(bound, kind="stable")
        rows, least = self._first_rows(near, bound)
        reach = np.concatenate([self._reach(values[part], rows, least) for part in _batches(asked, len(rows))])
        order = np.argsort(reach, kind="stable")
        for part in _batches(order, _PAIRS // _TOGETHER):
            yield asked[part], self._look_near(values[asked[part]], reach[part], near, bound)

    def _look_near(self, asked: Values, reach: Floats, near: Ints, bound: Ints) -> NeighbourVotes:
        """Return the neighbours of instances with the same key, of each of which it is known how far to look."""
        limit = np.minimum(np.floor(reach * self._unit) + 1, _SCALE).astype(np.uint16)
        opened = near[: np.searchsorted(bound[near], limit.max(), side="right")]
        rows, least = self.buckets.rows(opened), np.repeat(bound[opened], self.buckets.sizes[opened])
        pairs: list[tuple[Ints, Ints, Floats]] = []
        for part in _batches(np.arange(len(rows)), len(asked)):
            who, whom = np.nonzero(self._bounds(asked, rows[part], least[part]) <= limit[:, None])
            there = rows[part][whom]
            far = self._distances(asked, who, there)
            keep = far <= reach[who] + _SAME
            pairs.append((who[keep], there[keep], far[keep]))
        who, there, far = (np.concatenate(column) for column in zip(*pairs, strict=True))
        return self._gather(asked, who, there, far)

    def _first_rows(self, near: Ints, bound: Ints) -> tuple[Ints, Ints]:
        """Some instances of the nearest buckets, and the bounds of these."""
        sizes = self.buckets.sizes
        some = near[: np.searchsorted(np.cumsum(sizes[near]), _FIRST_LOOK) + 1]
        return self.buckets.rows(some)[:_FIRST_LOOK], np.repeat(bound[some], sizes[some])[:_FIRST_LOOK]

    def _reach(self, asked: Values, rows: Ints, least: Ints) -> Floats:
        """Return how far one must look at most: the distance after the k-th among the likeliest of some instances."""
        size = min(_MEASURED + 4 * self.k, len(rows))
        likely = np.argpartition(self._bounds(asked, rows, least), size - 1, axis=1)[:, :size]
        reach = self._beyond(asked, rows[likely])
        open_ended = np.flatnonzero(np.isinf(reach))  # they are all at k distances: more must be measured
        if len(open_ended):
            reach[open_ended] = self._beyond(asked[open_ended], np.tile(rows, (len(open_ended), 1)))
        return reach

    def _beyond(self, asked: Values, rows: Ints) -> Floats:
        """Return the distance after the k-th, of a row of instances for each that asks; without one it has no end."""
        who = np.repeat(np.arange(len(asked)), rows.shape[1])
        far = self._distances(asked, who, rows.ravel()).reshape(rows.shape)
        far.sort(axis=1)
        number = np.cumsum(np.diff(far, axis=1, prepend=-1.0) >= _SAME, axis=1)  # which distinct distance each is
        beyond = number > self.k
        found = np.take_along_axis(far, beyond.argmax(axis=1)[:, None], axis=1)[:, 0]
        return np.where(beyond.any(axis=1), found, np.inf)

    def _bounds(self, asked: Values, rows: Ints, least: Ints) -> NDArray[np.uint16]:
        """Return how far, in whole numbers, pairs are apart by their symbols: a row for each that asks."""
        bounds = np.repeat(least.astype(np.uint16)[None, :], len(asked), axis=0)
        differs, added = np.empty(bounds.shape, np.bool_), np.empty(bounds.shape, np.uint16)
        for feature in self._others.tolist():
            column = self._columns[feature][rows]
            np.not_equal(column[None, :], asked[:, feature, None].astype(column.dtype), out=differs)
            np.multiply(differs, np.uint16(self._whole[feature]), out=added)
            bounds += added
        return bounds

    def _distances(self, asked: Values, who: Ints, rows: Ints) -> Floats:
        """Return distances of pairs, summed as TiMBL sums them."""
        memory = self.memory
        far = np.zeros(len(who))
        for feature in memory.schema.order.tolist():
            weight, reach = memory.weights[feature], memory.most[feature] - memory.least[feature]
            mine, theirs = asked[:, feature][who], self._columns[feature][rows]
            if memory.schema.numeric[feature] and reach > 0:
                far += np.abs((mine - theirs.astype(np.float64)) / reach) * weight
            else:
                far += (mine != theirs) * weight
        return far

    def _gather(self, asked: Values, who: Ints, rows: Ints, far: Floats) -> NeighbourVotes:
        """Return votes by distance, from pairs that hold all that is near enough."""
        order = np.lexsort((rows, far, who))
        who, rows, far = who[order], rows[order], far[order]
        fresh = np.ones(len(who), np.bool_)
        fresh[1:] = (who[1:] != who[:-1]) | (np.diff(far) >= _SAME)
        starts = np.searchsorted(who, np.arange(len(asked)))
        number = np.cumsum(fresh, dtype=np.int64)
        number -= number[starts][who]  # which distinct distance it is for the one that asks, from 0
        voting = number <= self.k
        size = self.k + 1
        votes = self._sum(who[voting] * size + number[voting], rows[voting], len(asked) * size)
        nearest = np.flatnonzero(number == 0)
        equal = nearest[self._identical(asked, who[nearest], rows[nearest])]
        same = self._sum(who[equal], rows[equal], len(asked))
        return NeighbourVotes(self.memory, votes.reshape(len(asked), size, -1), same, far[starts])

    def _sum(self, group: Ints, rows: Ints, size: int) -> Votes:
        """Return the votes of rows, added up for each group; groups come in order."""
        votes = np.zeros((size, self._counts.shape[1]), np.int64)
        if len(group):
            starts = np.flatnonzero(np.diff(group, prepend=-1))
            votes[group[starts]] = np.add.reduceat(self._counts[rows], starts, axis=0, dtype=np.int64)
        return votes

    def _identical(self, asked: Values, who: Ints, rows: Ints) -> Bools:
        same = np.ones(len(who), np.bool_)
        for feature, column in enumerate(self._columns):
            same &= asked[:, feature][who] == column[rows]
        return same


def _batches(which: Ints, others: int) -> list[Ints]:
    """Return parts of which each, against so many others, makes no more pairs than may be held."""
    return np.array_split(which, max(1, min(len(which), -(-len(which) * others // _PAIRS))))


def _distinct(values: Values) -> tuple[Values, Ints]:
    """Equal rows once, and for each row which it is."""
    if not values.shape[1]:
        return values[:1], np.zeros(len(values), np.int64)
    first, inverse = equal_rows(values)
    return values[first], inverse


def _small(column: Values) -> NDArray[np.generic]:
    """Return the same numbers in the smallest type that also has room for -1, which stands for symbols never seen."""
    for kind in (np.int8, np.int16):
        if column.max(initial=0) <= np.iinfo(kind).max and column.min(initial=0) >= np.iinfo(kind).min:
            return np.ascontiguousarray(column, kind)
    return np.ascontiguousarray(column)
