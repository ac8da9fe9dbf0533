"""How much a feature tells of the class: entropy, information gain, gain ratio (Quinlan 1993; Cover and Thomas 2006).

All of them are taken from counts, in bits: a row a value of the feature, a column a class. Numbers are cut into
intervals first (`learn.blocks.discretise`), or are asked whether they are above a border.

Numbers cut into intervals by what they tell of the class.

Fayyad and Irani 1993 ("Multi-interval discretization of continuous-valued attributes"), as Weka has it: cut where the
entropy of the class falls most, go on in both halves, and stop where a cut does not pay for its own description.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from tidings.lab.learners.blocks.instances import Attribute, BlockInstances
from tidings.page.columns import Ints

Floats = NDArray[np.float64]


def plogp(counts: ArrayLike) -> Floats:
    """X · log2 x of each count, 0 where there is nothing: what sums of entropies are made of."""
    given = np.asarray(counts, np.float64)
    return np.asarray(given * np.log2(np.where(given > 0, given, 1.0)))


def entropy(counts: ArrayLike, axis: int = -1) -> Floats:
    """Bits a case that are needed to tell the class, from how often each is there; 0 where nothing is."""
    given = np.asarray(counts, np.float64)
    total = given.sum(axis=axis)
    return np.asarray((plogp(total) - plogp(given).sum(axis=axis)) / np.where(total > 0, total, 1.0))


def information_gain(counts: ArrayLike) -> float:
    """The entropy of the class that goes when the feature is known."""
    given = np.asarray(counts, np.float64)
    total = given.sum()
    if not total:
        return 0.0
    left = float((given.sum(axis=1) / total) @ entropy(given))
    return max(float(entropy(given.sum(axis=0))) - left, 0.0)


def gain_ratio(counts: ArrayLike) -> float:
    """Information gain over the entropy of the feature itself, so that many values are no merit."""
    split = float(entropy(np.asarray(counts, np.float64).sum(axis=1)))
    return information_gain(counts) / split if split > 0 else 0.0


def cross_counts(values: NDArray[np.int64], classes: NDArray[np.int64], sizes: tuple[int, int]) -> Floats:
    """How often each value of a feature stands with each class."""
    counts = np.bincount(values * sizes[1] + classes, minlength=sizes[0] * sizes[1])
    return counts.reshape(sizes).astype(np.float64)


def cuts(values: Floats, labels: Ints, classes: int) -> Floats:
    """Where a column of numbers is cut; a value is below a cut if it is not greater."""
    order = np.argsort(values, kind="stable")
    values, labels = values[order], labels[order]
    before = np.zeros((len(labels) + 1, classes))
    np.cumsum(labels[:, None] == np.arange(classes), axis=0, out=before[1:])
    found: list[float] = []
    waiting = [(0, len(labels))]
    while waiting:
        first, last = waiting.pop()
        at = _cut(values, before, first, last)
        if at is not None:
            found.append(float(values[at] + values[at + 1]) / 2)
            waiting += [(first, at + 1), (at + 1, last)]
    return np.sort(np.array(found, np.float64))


def _cut(values: Floats, before: Floats, first: int, last: int) -> int | None:
    """The last row below the best cut of some rows, if it pays."""
    borders = first + np.flatnonzero(values[first : last - 1] < values[first + 1 : last])
    if not len(borders):
        return None
    every = before[last] - before[first]
    below = before[borders + 1] - before[first]
    size = last - first
    left, right = entropy(below), entropy(every - below)
    share = below.sum(axis=1) / size
    after = share * left + (1 - share) * right
    best = int(np.argmin(after))
    gain = float(entropy(every)) - float(after[best])
    if gain <= 0:
        return None
    kinds, kinds_left, kinds_right = (int((counts > 0).sum()) for counts in (every, below[best], every - below[best]))
    saved = kinds * float(entropy(every)) - kinds_left * float(left[best]) - kinds_right * float(right[best])
    price = np.log2(size - 1) + np.log2(3.0**kinds - 2) - saved
    return int(borders[best]) if gain > price / size else None


@dataclass(frozen=True, slots=True, eq=False)
class Intervals:
    """The cuts of each column of numbers; names stay as they are."""

    attributes: tuple[Attribute, ...]  # after cutting: all of them names
    cuts: tuple[Floats | None, ...]

    @classmethod
    def of(cls, instances: BlockInstances) -> Intervals:
        """Learn cuts from a table."""
        found = tuple(
            cuts(instances.rows[:, place], instances.labels, len(instances.classes)) if one.numeric else None
            for place, one in enumerate(instances.attributes)
        )
        names = tuple(
            one if some is None else Attribute(one.name, (*(f"to {cut:g}" for cut in some), "above"))
            for one, some in zip(instances.attributes, found, strict=True)
        )
        return cls(names, found)

    def cut(self, rows: Floats) -> Ints:
        """Rows with a place of an interval, or of a name, in each column."""
        columns = [
            rows[:, place].astype(np.int64) if some is None else np.searchsorted(some, rows[:, place], side="left")
            for place, some in enumerate(self.cuts)
        ]
        return np.column_stack(columns) if columns else np.zeros((len(rows), 0), np.int64)

    def apply(self, instances: BlockInstances) -> BlockInstances:
        """A table of names only."""
        return replace(instances, attributes=self.attributes, rows=self.cut(instances.rows).astype(np.float64))


def gains(instances: BlockInstances) -> dict[str, float]:
    """The information gain of every column, numbers cut into intervals first (hybrid rules, figure 6)."""
    found = Intervals.of(instances)
    rows, classes = found.cut(instances.rows), len(instances.classes)
    return {
        one.name: information_gain(cross_counts(rows[:, place], instances.labels, (len(one.values), classes)))
        for place, one in enumerate(found.attributes)
    }
