"""Supervised discretisation: numbers are cut into intervals by their information about the class.

Source: Fayyad and Irani 1993 ("Multi-interval discretization of continuous-valued attributes"), like in Weka: cut where
the entropy of the class falls most, continue in both halves, and stop where a cut does not pay for its description.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Ints
from tidings_lab.learners.blocks.information_gain import cross_counts, entropy, information_gain
from tidings_lab.learners.blocks.instances import Attribute, BlockInstances

Floats = NDArray[np.float64]


def cuts(values: Floats, labels: Ints, classes: int) -> Floats:
    """Return the cut points that divide a numeric column into intervals; a value equal to a cut point is below it.

    Args:
        values: the column.
        labels: the class of each row, as a number.
        classes: the number of classes.
    """
    order = np.argsort(values, kind="stable")
    values, labels = values[order], labels[order]
    before = np.zeros((len(labels) + 1, classes))
    np.cumsum(labels[:, None] == np.arange(classes), axis=0, out=before[1:])
    result: list[float] = []
    pending = [(0, len(labels))]
    while pending:
        first, last = pending.pop()
        at = _cut(values, before, first, last)
        if at is not None:
            result.append(float(values[at] + values[at + 1]) / 2)
            pending += [(first, at + 1), (at + 1, last)]
    return np.sort(np.array(result, np.float64))


def _cut(values: Floats, before: Floats, first: int, last: int) -> int | None:
    """Return the sorted row below the best cut point among rows `first` … `last` - 1; None if no cut is worth it."""
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
    """The cut points of each numeric column; nominal columns are unchanged."""

    attributes: tuple[Attribute, ...]  # after cutting: all nominal
    cuts: tuple[Floats | None, ...]

    @classmethod
    def of(cls, instances: BlockInstances) -> Intervals:
        """Learn the cut points of each numeric column from a table of labelled blocks."""
        column_cuts = tuple(
            cuts(instances.rows[:, place], instances.labels, len(instances.classes)) if attribute.numeric else None
            for place, attribute in enumerate(instances.attributes)
        )
        names = tuple(
            attribute
            if its_cuts is None
            else Attribute(attribute.name, (*(f"to {cut:g}" for cut in its_cuts), "above"))
            for attribute, its_cuts in zip(instances.attributes, column_cuts, strict=True)
        )
        return cls(names, column_cuts)

    def cut(self, rows: Floats) -> Ints:
        """Replace the values of each column by the index of their interval, or of their nominal value."""
        columns = [
            rows[:, place].astype(np.int64)
            if its_cuts is None
            else np.searchsorted(its_cuts, rows[:, place], side="left")
            for place, its_cuts in enumerate(self.cuts)
        ]
        return np.column_stack(columns) if columns else np.zeros((len(rows), 0), np.int64)

    def apply(self, instances: BlockInstances) -> BlockInstances:
        """Return a table in which numeric columns are replaced by their intervals."""
        return replace(instances, attributes=self.attributes, rows=self.cut(instances.rows).astype(np.float64))


def gains(instances: BlockInstances) -> dict[str, float]:
    """Return the information gain of every column after discretisation (hybrid rules, figure 6)."""
    intervals = Intervals.of(instances)
    rows, classes = intervals.cut(instances.rows), len(instances.classes)
    return {
        attribute.name: information_gain(
            cross_counts(rows[:, place], instances.labels, (len(attribute.values), classes))
        )
        for place, attribute in enumerate(intervals.attributes)
    }
