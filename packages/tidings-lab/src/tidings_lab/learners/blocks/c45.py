"""C4.5: a decision tree, grown by gain ratio, with several kinds of pruning.

Source: Quinlan 1993; hybrid rules 4.4.4, where Weka's J48 is run with its default setting, with reduced-error pruning,
without subtree raising and unpruned. This is the same algorithm step by step, so that it can be compared with J48 on
the same rows (tests/lab/learners/blocks/test_weka.py): collapse first, then prune by expected errors (confidence 0.25),
with subtree raising where that reduces the errors.
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
from tidings_lab.learners.blocks.instances import BlockInstances, Floats
from tidings_lab.learners.blocks.splits import NodeSplit, Splitter

#: A leaf with at most this many more expected errors is preferred (J48).
_SIMPLER: Final = 0.1
#: The tolerance for errors of a collapse.
_COLLAPSE: Final = 1e-3
#: Reduced-error pruning holds out one row in this number (J48).
_KEPT_OUT: Final = 3


class Pruning(Enum):
    """How a C4.5 tree is pruned: the settings of the paper."""

    DEFAULT = "default"  # by expected errors, with subtree raising
    REDUCED_ERROR = "reduced-error pruning"  # by the errors on held-out rows
    NO_RAISING = "no subtree raising"
    UNPRUNED = "unpruned"


@dataclass(frozen=True, slots=True)
class C45:
    """A learner of C4.5 decision trees that follows Weka's J48."""

    pruning: Pruning = Pruning.DEFAULT
    confidence: float = 0.25  # smaller values prune more (J48)
    least: int = 2  # rows in a leaf (J48)

    def fit(self, instances: BlockInstances, /) -> BlockDecisionTree:
        """Grow and prune a tree on labelled blocks.

        Raises:
            InputError: there are no rows.
        """
        if not len(instances):
            raise InputError("a tree is grown from blocks, and there are none")
        numeric = [attribute.numeric for attribute in instances.attributes]
        sorted_values = tuple(
            np.sort(instances.rows[:, column]) if number else np.zeros(0) for column, number in enumerate(numeric)
        )
        splitter = Splitter(instances.attributes, len(instances.classes), self.least, sorted_values)
        rows = np.arange(len(instances))
        held_out = np.zeros(0, np.int64)
        if self.pruning is Pruning.REDUCED_ERROR:
            held_out = _every_third(instances.labels)
            rows = np.setdiff1d(rows, held_out)
        grower = _TreeGrower(instances, splitter, self.confidence, self.pruning is Pruning.DEFAULT)
        root = grower.grow(rows)
        if self.pruning is Pruning.REDUCED_ERROR:
            grower.reduce_errors(root, held_out)
        else:
            grower.collapse(root)
            if self.pruning is not Pruning.UNPRUNED:
                grower.prune(root)
        return _flat(root)


def _every_third(labels: Ints) -> Ints:
    """Return the third of the rows on which reduced-error pruning tests subtrees.

    Rows are dealt out by class, like Weka's stratified folds; this is the last fold.
    """
    ordered = _by_class(labels)
    dealt = np.concatenate([ordered[start::_KEPT_OUT] for start in range(_KEPT_OUT)])
    return np.asarray(dealt[len(labels) - len(labels) // _KEPT_OUT :])


def _by_class(labels: Ints) -> Ints:
    """Return the row indices sorted by class, in the order in which Weka's unstable sort leaves them."""
    order = list(range(len(labels)))
    at = 1
    while at < len(order):
        label = labels[order[at - 1]]
        for other in range(at, len(order)):
            if labels[order[other]] == label:
                order[at], order[other] = order[other], order[at]
                at += 1
        at += 1
    return np.array(order, np.int64)


@dataclass(slots=True, eq=False)
class _Node:
    """A node of a tree that is being built."""

    rows: Ints  # that reach the node
    counts: Floats
    split: NodeSplit | None = None
    ways: list[_Node] = field(default_factory=list)

    @property
    def errors(self) -> float:
        """Return the number of training rows that a leaf would classify wrongly."""
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
            node.ways = [self.grow(part) for part in _split_rows(rows, node.split.way(values), node.split.ways)]
        return node

    def collapse(self, node: _Node) -> None:
        """Replace subtrees that do not reduce the errors by leaves."""
        if node.split is None:
            return
        if _training_errors(node) >= node.errors - _COLLAPSE:
            node.become_leaf()
        else:
            for way in node.ways:
                self.collapse(way)

    def prune(self, node: _Node) -> None:
        """Replace a subtree by a leaf, or by its largest branch, if fewer errors are expected."""
        if node.split is None:
            return
        for way in node.ways:
            self.prune(way)
        sizes = [len(way.rows) for way in node.ways]
        largest = node.ways[len(sizes) - 1 - int(np.argmax(sizes[::-1]))]  # the last of equal ones
        raised = self._expected_of(largest, node.rows) if self.raising else np.inf
        leaf, tree = self._expected(node.counts), self._expected_below(node)
        if leaf - tree - _SIMPLER < SLACK and leaf - raised - _SIMPLER < SLACK:
            node.become_leaf()
        elif raised - tree - _SIMPLER < SLACK:
            node.split, node.ways = largest.split, largest.ways
            self._send(node, node.rows)
            self.prune(node)

    def reduce_errors(self, node: _Node, rows: Ints) -> float:
        """Replace subtrees that do not reduce the errors on held-out rows by leaves; return the remaining errors."""
        leaf = float(len(rows) - self._counts(rows)[int(node.counts.argmax())])
        if node.split is None:
            return leaf
        branches = 0.0
        for way, part in zip(node.ways, self._ways(node, rows), strict=True):
            if len(way.rows):
                branches += self.reduce_errors(way, part)
            else:
                branches += float(len(part) - self._counts(part)[int(node.counts.argmax())])
        if leaf - branches < SLACK:
            node.become_leaf()
            return leaf
        return branches

    def _counts(self, rows: Ints) -> Floats:
        return np.bincount(self.instances.labels[rows], minlength=len(self.instances.classes)).astype(np.float64)

    def _ways(self, node: _Node, rows: Ints) -> list[Ints]:
        if node.split is None:
            return []
        return _split_rows(rows, node.split.way(self.instances.rows[rows]), node.split.ways)

    def _send(self, node: _Node, rows: Ints) -> None:
        """Replace the rows at each node of a subtree by those of the given rows that reach it."""
        node.rows, node.counts = rows, self._counts(rows)
        for way, part in zip(node.ways, self._ways(node, rows), strict=True):
            self._send(way, part)

    def _expected(self, counts: Floats) -> float:
        total = float(counts.sum())
        wrong = total - float(counts.max())
        return wrong + more_errors(total, wrong, self.confidence) if total else 0.0

    def _expected_below(self, node: _Node) -> float:
        return sum(map(self._expected_below, node.ways)) if node.ways else self._expected(node.counts)

    def _expected_of(self, node: _Node, rows: Ints) -> float:
        """Return the number of errors to expect if these rows are classified by a subtree, after Quinlan's
        correction.
        """
        if not node.ways:
            return self._expected(self._counts(rows))
        pairs = zip(node.ways, self._ways(node, rows), strict=True)
        return sum(self._expected_of(way, part) for way, part in pairs)


@cache
def _deviation(confidence: float) -> float:
    return NormalDist().inv_cdf(1 - confidence)


@lru_cache(maxsize=1 << 16)
def more_errors(total: float, wrong: float, confidence: float) -> float:
    """Return errors to add to the observed ones: up to the upper confidence limit of the binomial (Quinlan 1993, 4.2).

    The formula is Witten and Frank's: exact for no errors, linear up to one, then the normal approximation with
    continuity correction.
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


def _split_rows(rows: Ints, way: Ints, ways: int) -> list[Ints]:
    order = np.argsort(way, kind="stable")
    borders = np.searchsorted(way[order], np.arange(1, ways))
    return np.split(rows[order], borders)


def _flat(root: _Node) -> BlockDecisionTree:
    """Return the tree as arrays, level by level."""
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
