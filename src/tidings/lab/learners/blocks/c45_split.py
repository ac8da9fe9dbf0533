"""Which question a node of a C4.5 tree asks: the best split of some rows.

Quinlan 1993, chapter 2, and 1996 for numbers; Witten and Frank 2005, whose J48 is what the hybrid paper used, so its
habits are kept: a number is split in two at a border that leaves enough rows on both sides, and what it cost to choose
among the borders is taken off the gain; a name is split in as many ways as it has values; of the splits with at least
the average gain the one with the best gain ratio is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.extractors.published.block_tree.tree import SLACK
from tidings.lab.learners.blocks.instances import Attribute, Floats
from tidings.lab.learners.information import cross_counts, plogp
from tidings.page.columns import Ints

#: Numbers no further apart are not parted (J48).
_APART: Final = 1e-5
#: A side of a number's split has this share of the rows for each class, but no more rows than this are asked for.
_SIDE_SHARE, _SIDE_MOST = 0.1, 25
#: A gain this much below the average still counts (J48, after Quinlan's own program).
_BELOW_AVERAGE: Final = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """A question, and what it tells."""

    column: int
    border: float  # not a number where the question is for a name
    ways: int
    gain: float
    ratio: float

    def way(self, rows: Floats) -> Ints:
        """The way that each row goes."""
        value = rows[:, self.column]
        return np.asarray(value if np.isnan(self.border) else value - self.border >= SLACK).astype(np.int64)


@dataclass(frozen=True, slots=True, eq=False)
class Splitter:
    """Finds splits of the rows of one table."""

    attributes: tuple[Attribute, ...]
    classes: int
    least: int  # rows on at least two ways
    known: tuple[Floats, ...]  # the values of each number in the whole table, sorted: borders are among them

    def best(self, rows: Floats, labels: Ints) -> Split | None:
        """The best question to ask of these rows, if any is worth it."""
        total = len(labels)
        counts = np.bincount(labels, minlength=self.classes)
        if total < 2 * self.least or counts.max() == total:
            return None
        found = [
            split
            for column, attribute in enumerate(self.attributes)
            if (split := self._of(column, attribute, rows, labels)) is not None
        ]
        if not found:
            return None
        average = sum(split.gain for split in found) / len(found) - _BELOW_AVERAGE
        chosen: Split | None = None
        for split in found:
            if split.gain >= average and split.ratio - (chosen.ratio if chosen else 0.0) > SLACK:
                chosen = split
        return chosen

    def _of(self, column: int, attribute: Attribute, rows: Floats, labels: Ints) -> Split | None:
        if attribute.numeric:
            return self._of_number(column, rows[:, column], labels)
        ways = len(attribute.values)
        counts = cross_counts(rows[:, column].astype(np.int64), labels, (ways, self.classes))
        sizes, total = counts.sum(axis=1), len(labels)
        if (sizes >= self.least).sum() < 2:
            return None
        gain = _unless_nothing(float(_remaining(counts.sum(axis=0)) - _remaining(counts).sum())) / total
        return Split(column, np.nan, ways, gain, _ratio(gain, sizes, total))

    def _of_number(self, column: int, values: Floats, labels: Ints) -> Split | None:
        total = len(labels)
        side = min(max(_SIDE_SHARE * total / self.classes, self.least), max(_SIDE_MOST, self.least))
        if total < 2 * side:
            return None
        order = np.argsort(values, kind="stable")
        values, labels = values[order], labels[order]
        last = np.flatnonzero(values[:-1] + _APART < values[1:])  # the last row below each border
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
        known = self.known[column]
        border = float(known[np.searchsorted(known, middle + SLACK, side="left") - 1])
        sizes = np.array([last[at] + 1.0, total - last[at] - 1.0])
        return Split(column, border, 2, gain, _ratio(gain, sizes, total))


def _remaining(counts: Floats) -> Floats:
    """Bits that are needed to tell the class of every row of some groups."""
    return np.asarray(plogp(counts.sum(axis=-1)) - plogp(counts).sum(axis=-1))


def _unless_nothing(bits: float) -> float:
    return bits if abs(bits) >= SLACK else 0.0


def _ratio(gain: float, sizes: Floats, total: int) -> float:
    split = float(plogp(total) - plogp(sizes).sum())
    return gain / (split / total) if abs(split) >= SLACK else 0.0


def _first_best(gains: Floats) -> int | None:
    """The best gain; a later one must be better by more than nothing."""
    records = np.flatnonzero(gains > np.maximum.accumulate(np.concatenate(([0.0], gains[:-1]))))
    best, chosen = 0.0, None
    for at in records.tolist():
        if gains[at] - best > SLACK:
            best, chosen = float(gains[at]), at
    return chosen
