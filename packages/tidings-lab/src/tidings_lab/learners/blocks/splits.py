"""The best split of a node's rows in a C4.5 tree.

Source: Quinlan 1993, chapter 2, and 1996 for numbers; Witten and Frank 2005, whose J48 the hybrid paper used, so J48's
details are reproduced. A number is split in two at a border with enough rows on both sides, and the cost of choosing
among the borders is subtracted from the gain; a nominal feature is split by value. Of the splits with at least average
gain the one with the best gain ratio is chosen.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.extractors.published.block_tree.tree import SLACK
from tidings.page.columns import Ints
from tidings_lab.learners.blocks.information_gain import cross_counts, plogp
from tidings_lab.learners.blocks.instances import Attribute, Floats

#: Numbers with a smaller difference are not separated (J48).
_SAME_VALUE: Final = 1e-5
#: The least size of a side of a numeric split: a share of the rows per class, but at most this many rows.
_SIDE_SHARE, _SIDE_MOST = 0.1, 25
#: A gain this much below the average still counts (J48, like Quinlan's program).
_BELOW_AVERAGE: Final = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class NodeSplit:
    """A split of a decision tree's node by a feature.

    A numeric feature has a border and two branches, a nominal feature has a branch for each value.
    """

    column: int
    border: float  # NaN for a nominal feature
    ways: int
    gain: float
    ratio: float

    def way(self, rows: Floats) -> Ints:
        """Return the index of the branch that each row takes."""
        value = rows[:, self.column]
        return np.asarray(value if np.isnan(self.border) else value - self.border >= SLACK).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Splitter:
    """Finds the best split of some rows of a table."""

    attributes: tuple[Attribute, ...]
    classes: int
    least: int  # least number of rows in at least two branches
    sorted_values: tuple[Floats, ...]  # of each numeric column of the whole table: borders are among them

    def best(self, rows: Floats, labels: Ints) -> NodeSplit | None:
        """Return the best split of these rows; None if no split is worth it."""
        total = len(labels)
        counts = np.bincount(labels, minlength=self.classes)
        if total < 2 * self.least or counts.max() == total:
            return None
        splits = [
            split
            for column, attribute in enumerate(self.attributes)
            if (split := self._of(column, attribute, rows, labels)) is not None
        ]
        if not splits:
            return None
        average = sum(split.gain for split in splits) / len(splits) - _BELOW_AVERAGE
        chosen: NodeSplit | None = None
        for split in splits:
            if split.gain >= average and split.ratio - (chosen.ratio if chosen else 0.0) > SLACK:
                chosen = split
        return chosen

    def _of(self, column: int, attribute: Attribute, rows: Floats, labels: Ints) -> NodeSplit | None:
        if attribute.numeric:
            return self._of_number(column, rows[:, column], labels)
        ways = len(attribute.values)
        counts = cross_counts(rows[:, column].astype(np.int64), labels, (ways, self.classes))
        sizes, total = counts.sum(axis=1), len(labels)
        if (sizes >= self.least).sum() < 2:
            return None
        gain = _unless_nothing(float(_remaining(counts.sum(axis=0)) - _remaining(counts).sum())) / total
        return NodeSplit(column, np.nan, ways, gain, _ratio(gain, sizes, total))

    def _of_number(self, column: int, values: Floats, labels: Ints) -> NodeSplit | None:
        total = len(labels)
        side = min(max(_SIDE_SHARE * total / self.classes, self.least), max(_SIDE_MOST, self.least))
        if total < 2 * side:
            return None
        order = np.argsort(values, kind="stable")
        values, labels = values[order], labels[order]
        last = np.flatnonzero(values[:-1] + _SAME_VALUE < values[1:])  # the last row below each border
        last = last[(last + 1 >= side - SLACK) & (total - last - 1 >= side - SLACK)]
        if not len(last):
            return None
        before = np.cumsum(labels[:, None] == np.arange(self.classes), axis=0)
        below, every = before[last].astype(np.float64), before[-1].astype(np.float64)
        gains = (_remaining(every) - _remaining(below) - _remaining(every - below)) / total
        at = _first_best(gains)
        if at is None:
            return None
        gain = float(gains[at]) - float(np.log2(len(last))) / total
        if gain < SLACK:
            return None
        middle = (values[last[at]] + values[last[at] + 1]) / 2
        known = self.sorted_values[column]
        border = float(known[np.searchsorted(known, middle + SLACK, side="left") - 1])
        sizes = np.array([last[at] + 1.0, total - last[at] - 1.0])
        return NodeSplit(column, border, 2, gain, _ratio(gain, sizes, total))


def _remaining(counts: Floats) -> Floats:
    """Return the entropy of the class within each group of rows, in bits, multiplied by the number of rows."""
    return np.asarray(plogp(counts.sum(axis=-1)) - plogp(counts).sum(axis=-1))


def _unless_nothing(bits: float) -> float:
    return bits if abs(bits) >= SLACK else 0.0


def _ratio(gain: float, sizes: Floats, total: int) -> float:
    split = float(plogp(total) - plogp(sizes).sum())
    return gain / (split / total) if abs(split) >= SLACK else 0.0


def _first_best(gains: Floats) -> int | None:
    """Return the index of the best gain; a later gain must be greater by more than the tolerance."""
    records = np.flatnonzero(gains > np.maximum.accumulate(np.concatenate(([0.0], gains[:-1]))))
    best, chosen = 0.0, None
    for index in records.tolist():
        if gains[index] - best > SLACK:
            best, chosen = float(gains[index]), index
    return chosen
