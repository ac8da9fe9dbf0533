"""C4.5: a decision tree, grown by gain ratio and pruned in one of several ways.

Quinlan 1993; hybrid rules 4.4.4, where Weka's J48 is run with its default setting, with reduced-error pruning, without
subtree raising and unpruned. This is the same algorithm, step for step, so that it can be held against J48 on the same
rows (tests/lab/learners/blocks/test_weka.py): collapse first, then prune by the errors that are to be expected
(confidence 0.25), with a branch raised into the place of its parent where that errs less.

Which question a node of a C4.5 tree asks: the best split of some rows.

Quinlan 1993, chapter 2, and 1996 for numbers; Witten and Frank 2005, whose J48 is what the hybrid paper used, so its
habits are kept: a number is split in two at a border that leaves enough rows on both sides, and what it cost to choose
among the borders is taken off the gain; a name is split in as many ways as it has values; of the splits with at least
the average gain the one with the best gain ratio is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from functools import cache, lru_cache
from statistics import NormalDist
from typing import Final

import numpy as np

from tidings.errors import InputError
from tidings.extractors.published.block_tree.tree import LEAF, SLACK, BlockDecisionTree
from tidings.page.columns import Ints
from tidings_lab.learners.blocks.instances import Attribute, BlockInstances, Floats, cross_counts, plogp

#: Numbers no further apart are not parted (J48).
_APART: Final = 1e-5
#: A side of a number's split has this share of the rows for each class, but no more rows than this are asked for.
_SIDE_SHARE, _SIDE_MOST = 0.1, 25
#: A gain this much below the average still counts (J48, after Quinlan's own program).
_BELOW_AVERAGE: Final = 1e-3


@dataclass(frozen=True, slots=True, eq=False)
class NodeSplit:
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

    def best(self, rows: Floats, labels: Ints) -> NodeSplit | None:
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
        chosen: NodeSplit | None = None
        for split in found:
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
        return NodeSplit(column, border, 2, gain, _ratio(gain, sizes, total))


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


#: A leaf that errs this little more is preferred (J48).
_SIMPLER: Final = 0.1
#: Errors that a collapse may cost: none.
_COLLAPSE: Final = 1e-3
#: Reduced-error pruning keeps one row in so many to prune by (J48).
_KEPT_OUT: Final = 3


class Pruning(Enum):
    """The settings of the paper."""

    DEFAULT = "default"  # by expected errors, with subtree raising
    REDUCED_ERROR = "reduced-error pruning"  # by the errors on rows that were kept out
    NO_RAISING = "no subtree raising"
    UNPRUNED = "unpruned"


@dataclass(frozen=True, slots=True)
class C45:
    """The learner."""

    pruning: Pruning = Pruning.DEFAULT
    confidence: float = 0.25  # the smaller, the more is pruned (J48)
    least: int = 2  # rows in a leaf (J48)

    def fit(self, instances: BlockInstances, /) -> BlockDecisionTree:
        """Grow and prune a tree.

        Raises:
            InputError: there are no rows.
        """
        if not len(instances):
            raise InputError("a tree is grown from blocks, and there are none")
        numeric = [attribute.numeric for attribute in instances.attributes]
        known = tuple(
            np.sort(instances.rows[:, column]) if number else np.zeros(0) for column, number in enumerate(numeric)
        )
        splitter = Splitter(instances.attributes, len(instances.classes), self.least, known)
        rows = np.arange(len(instances))
        kept_out = np.zeros(0, np.int64)
        if self.pruning is Pruning.REDUCED_ERROR:
            kept_out = _every_third(instances.labels)
            rows = np.setdiff1d(rows, kept_out)
        grower = _TreeGrower(instances, splitter, self.confidence, self.pruning is Pruning.DEFAULT)
        root = grower.grow(rows)
        if self.pruning is Pruning.REDUCED_ERROR:
            grower.reduce_errors(root, kept_out)
        else:
            grower.collapse(root)
            if self.pruning is not Pruning.UNPRUNED:
                grower.prune(root)
        return _flat(root)


def _every_third(labels: Ints) -> Ints:
    """The last third of the rows when they are dealt out class by class (Weka's stratified folds)."""
    ordered = _by_class(labels)
    dealt = np.concatenate([ordered[start::_KEPT_OUT] for start in range(_KEPT_OUT)])
    return np.asarray(dealt[len(labels) - len(labels) // _KEPT_OUT :])


def _by_class(labels: Ints) -> Ints:
    """Rows of a class next to each other, in the order that Weka's swapping leaves them in."""
    order = list(range(len(labels)))
    at = 1
    while at < len(order):
        wanted = labels[order[at - 1]]
        for other in range(at, len(order)):
            if labels[order[other]] == wanted:
                order[at], order[other] = order[other], order[at]
                at += 1
        at += 1
    return np.array(order, np.int64)


@dataclass(slots=True, eq=False)
class _Node:
    """A node while the tree is made."""

    rows: Ints  # that came here
    counts: Floats
    split: NodeSplit | None = None
    ways: list[_Node] = field(default_factory=list)

    @property
    def errors(self) -> float:
        """Rows that a leaf would call wrong."""
        return float(self.counts.sum() - self.counts.max())

    def become_leaf(self) -> None:
        self.split, self.ways = None, []


@dataclass(frozen=True, slots=True, eq=False)
class _TreeGrower:
    instances: BlockInstances
    splitter: Splitter
    confidence: float
    raising: bool

    def grow(self, rows: Ints) -> _Node:
        node = _Node(rows, self._counts(rows))
        values = self.instances.rows[rows]
        node.split = self.splitter.best(values, self.instances.labels[rows])
        if node.split is not None:
            node.ways = [self.grow(some) for some in _parted(rows, node.split.way(values), node.split.ways)]
        return node

    def collapse(self, node: _Node) -> None:
        """Make leaves of what does not err less for all its branches."""
        if node.split is None:
            return
        if _training_errors(node) >= node.errors - _COLLAPSE:
            node.become_leaf()
        else:
            for way in node.ways:
                self.collapse(way)

    def prune(self, node: _Node) -> None:
        """Replace a branch by a leaf, or by its own largest branch, where fewer errors are to be expected of that."""
        if node.split is None:
            return
        for way in node.ways:
            self.prune(way)
        sizes = [len(way.rows) for way in node.ways]
        largest = node.ways[len(sizes) - 1 - int(np.argmax(sizes[::-1]))]  # of equals the last
        raised = self._expected_of(largest, node.rows) if self.raising else np.inf
        leaf, tree = self._expected(node.counts), self._expected_below(node)
        if leaf - tree - _SIMPLER < SLACK and leaf - raised - _SIMPLER < SLACK:
            node.become_leaf()
        elif raised - tree - _SIMPLER < SLACK:
            node.split, node.ways = largest.split, largest.ways
            self._send(node, node.rows)
            self.prune(node)

    def reduce_errors(self, node: _Node, rows: Ints) -> float:
        """Make leaves of what errs no less on rows kept out; the errors that are left."""
        leaf = float(len(rows) - self._counts(rows)[int(node.counts.argmax())])
        if node.split is None:
            return leaf
        branches = 0.0
        for way, some in zip(node.ways, self._ways(node, rows), strict=True):
            if len(way.rows):
                branches += self.reduce_errors(way, some)
            else:
                branches += float(len(some) - self._counts(some)[int(node.counts.argmax())])
        if leaf - branches < SLACK:
            node.become_leaf()
            return leaf
        return branches

    def _counts(self, rows: Ints) -> Floats:
        return np.bincount(self.instances.labels[rows], minlength=len(self.instances.classes)).astype(np.float64)

    def _ways(self, node: _Node, rows: Ints) -> list[Ints]:
        if node.split is None:
            return []
        return _parted(rows, node.split.way(self.instances.rows[rows]), node.split.ways)

    def _send(self, node: _Node, rows: Ints) -> None:
        """Let rows go down a branch that was made for others."""
        node.rows, node.counts = rows, self._counts(rows)
        for way, some in zip(node.ways, self._ways(node, rows), strict=True):
            self._send(way, some)

    def _expected(self, counts: Floats) -> float:
        total = float(counts.sum())
        wrong = total - float(counts.max())
        return wrong + more_errors(total, wrong, self.confidence) if total else 0.0

    def _expected_below(self, node: _Node) -> float:
        return sum(map(self._expected_below, node.ways)) if node.ways else self._expected(node.counts)

    def _expected_of(self, node: _Node, rows: Ints) -> float:
        """The errors to be expected of a branch if other rows came to it."""
        if not node.ways:
            return self._expected(self._counts(rows))
        pairs = zip(node.ways, self._ways(node, rows), strict=True)
        return sum(self._expected_of(way, some) for way, some in pairs)


@cache
def _deviation(confidence: float) -> float:
    return NormalDist().inv_cdf(1 - confidence)


@lru_cache(maxsize=1 << 16)
def more_errors(total: float, wrong: float, confidence: float) -> float:
    """Errors to be added to those seen: up to the upper limit of the binomial at this confidence (Quinlan 1993, 4.2).

    In Witten and Frank's form: exact for no errors, a line up to one, from there the normal approximation with its
    correction for continuity.
    """
    if confidence > 0.5:
        return 0.0
    if wrong < 1:
        base = float(total * (1 - confidence ** (1 / total)))
        return base if wrong == 0 else base + wrong * (more_errors(total, 1.0, confidence) - base)
    if wrong + 0.5 >= total:
        return max(total - wrong, 0.0)
    z = _deviation(confidence)
    share = (wrong + 0.5) / total
    spread = z * float(np.sqrt(share / total - share * share / total + z * z / (4 * total * total)))
    return float((share + z * z / (2 * total) + spread) / (1 + z * z / total) * total - wrong)


def _training_errors(node: _Node) -> float:
    return sum(map(_training_errors, node.ways)) if node.ways else node.errors


def _parted(rows: Ints, way: Ints, ways: int) -> list[Ints]:
    order = np.argsort(way, kind="stable")
    borders = np.searchsorted(way[order], np.arange(1, ways))
    return np.split(rows[order], borders)


def _flat(root: _Node) -> BlockDecisionTree:
    """The tree as arrays, level by level."""
    nodes, counts = [root], [root.counts]
    feature, border, first, ways = [], [], [], []
    at = 0
    while at < len(nodes):
        node = nodes[at]
        feature.append(LEAF if node.split is None else node.split.column)
        border.append(np.nan if node.split is None else node.split.border)
        first.append(len(nodes) if node.ways else 0)
        ways.append(len(node.ways))
        for way in node.ways:
            nodes.append(way)
            counts.append(way.counts if way.counts.any() else counts[at])
        at += 1
    return BlockDecisionTree(
        np.array(feature), np.array(border, np.float64), np.array(first), np.array(ways), np.stack(counts)
    )
