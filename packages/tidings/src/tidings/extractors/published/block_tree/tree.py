"""A decision tree as arrays: all rows descend together, level by level.

A node compares one feature: a number with a border (two children), or a nominal value (a child for each value). The
children of a node are contiguous. A leaf has the training counts of each class; a leaf without training instances has
those of its parent.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.page.columns import Ints

Floats = NDArray[np.float64]

#: Tolerance of comparisons with a border (SMALL in Weka's Utils).
SLACK: Final = 1e-6
#: Increased when the features change, so that trees of another version are refused.
VERSION: Final = 1
LEAF: Final = -1
_MOST_NODES: Final = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class BlockDecisionTree:
    """A trained decision tree."""

    feature: Ints  # the column that a node compares; LEAF for a leaf
    border: Floats  # NaN for a nominal feature
    first: Ints  # the first child
    ways: Ints  # the number of children
    counts: Floats  # nodes × classes

    @property
    def leaves(self) -> int:
        """Return the number of leaves."""
        return int((self.feature == LEAF).sum())

    def leaf(self, rows: Floats) -> Ints:
        """Return the index of the leaf to which the decision tree assigns each row of features."""
        node = np.zeros(len(rows), np.int64)
        going = np.arange(len(rows)) if self.feature[0] != LEAF else np.zeros(0, np.int64)
        while len(going):
            at = node[going]
            value, border = rows[going, self.feature[at]], self.border[at]
            child = np.where(np.isnan(border), value, value - border >= SLACK).astype(np.int64)
            node[going] = self.first[at] + np.clip(child, 0, self.ways[at] - 1)
            going = going[self.feature[node[going]] != LEAF]
        return node

    def classify(self, rows: Floats) -> Ints:
        """Return the class of each row of features: the most frequent class of its leaf, or the first of equal ones."""
        return np.asarray(self.counts.argmax(axis=1)[self.leaf(rows)], np.int64)

    def probabilities(self, rows: Floats) -> Floats:
        """Return the class probabilities of each row from the counts in its leaf, with Laplace smoothing."""
        counts = self.counts + 1.0
        return np.asarray((counts / counts.sum(axis=1, keepdims=True))[self.leaf(rows)])

    def save(self, path: Path, more: Mapping[str, Any]) -> None:
        """Write the tree and additional keys as JSON; equal trees produce equal bytes."""
        columns = {
            "feature": self.feature.tolist(),
            "border": [None if np.isnan(border) else border for border in self.border.tolist()],
            "first": self.first.tolist(),
            "ways": self.ways.tolist(),
            "counts": [[round(count) for count in row] for row in self.counts.tolist()],
        }
        text = json.dumps({"version": VERSION, **more, "nodes": columns}, ensure_ascii=False, separators=(",", ":"))
        path.write_text(text + "\n", encoding="utf-8")


def load(path: Path, features: tuple[str, ...], classes: int) -> BlockDecisionTree:
    """Read a decision tree over the given features.

    Raises:
        BadModel: the file is damaged, of another version, or for other features.
    """
    try:
        stored = json.loads(path.read_text(encoding="utf-8"))
        if stored["version"] != VERSION or tuple(stored["features"]) != features:
            raise BadModel(f"{path} is of another version of Tidings: train it with `tidings lab train block-tree`")
        nodes = stored["nodes"]
        border = [np.nan if border is None else float(border) for border in nodes["border"]]
        tree = BlockDecisionTree(
            np.array(nodes["feature"], np.int64),
            np.array(border, np.float64),
            np.array(nodes["first"], np.int64),
            np.array(nodes["ways"], np.int64),
            np.array(nodes["counts"], np.float64),
        )
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError) as error:
        raise BadModel(f"{path} is no tree of blocks: {error}") from None
    _check(tree, path, len(features), classes)
    return tree


def _check(tree: BlockDecisionTree, path: Path, features: int, classes: int) -> None:
    """Check that children come after their parents, so that every descent ends inside the tree."""
    count = len(tree.feature)
    columns = (tree.border, tree.first, tree.ways)
    fits = 0 < count <= _MOST_NODES and tree.feature.ndim == 1 and tree.counts.shape == (count, classes)
    if not fits or any(column.shape != (count,) for column in columns):
        raise BadModel(f"{path} is no tree of blocks: its columns do not fit together")
    is_inner = tree.feature != LEAF
    inner, first, ways = np.flatnonzero(is_inner), tree.first[is_inner], tree.ways[is_inner]
    if (tree.feature[is_inner] < 0).any() or (tree.feature >= features).any() or not np.isfinite(tree.counts).all():
        raise BadModel(f"{path} is no tree of blocks: it asks for features that there are not")
    if (ways < 1).any() or (first <= inner).any() or (first > count).any() or (ways > count - first).any():
        raise BadModel(f"{path} is no tree of blocks: a way leads out of it")
