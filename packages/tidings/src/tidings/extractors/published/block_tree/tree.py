"""A decision tree as arrays: all rows go down together, a level at a time.

A node asks one feature: whether a number is above a border (two ways on), or which of its values a name has (a way
for each). The ways on from a node lie next to each other. A leaf has the counts of each class that came there in
training; one that none came to has those of the node above it.
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

#: A number no further above the border than this is not above it (Weka's `Utils.SMALL`).
SLACK: Final = 1e-6
#: Changes with the features, so that trees of another version are refused and not misread.
VERSION: Final = 1
LEAF: Final = -1
_MOST_NODES: Final = 1_000_000


@dataclass(frozen=True, slots=True, eq=False)
class BlockDecisionTree:
    """A grown tree."""

    feature: Ints  # the column that a node asks; LEAF for a leaf
    border: Floats  # of a number; not a number where a name is asked
    first: Ints  # the node of the first way on
    ways: Ints  # how many ways on
    counts: Floats  # nodes × classes

    @property
    def leaves(self) -> int:
        """How many leaves it has."""
        return int((self.feature == LEAF).sum())

    def leaf(self, rows: Floats) -> Ints:
        """For each row the leaf that it comes to."""
        node = np.zeros(len(rows), np.int64)
        going = np.arange(len(rows)) if self.feature[0] != LEAF else np.zeros(0, np.int64)
        while len(going):
            at = node[going]
            value, border = rows[going, self.feature[at]], self.border[at]
            way = np.where(np.isnan(border), value, value - border >= SLACK).astype(np.int64)
            node[going] = self.first[at] + np.clip(way, 0, self.ways[at] - 1)
            going = going[self.feature[node[going]] != LEAF]
        return node

    def classify(self, rows: Floats) -> Ints:
        """Return the class of each row: the most frequent of its leaf, the first of equals."""
        return np.asarray(self.counts.argmax(axis=1)[self.leaf(rows)], np.int64)

    def probabilities(self, rows: Floats) -> Floats:
        """Return the share of each class in the leaf of each row, each class counted once more than it was there."""
        given = self.counts + 1.0
        return np.asarray((given / given.sum(axis=1, keepdims=True))[self.leaf(rows)])

    def save(self, path: Path, more: Mapping[str, Any]) -> None:
        """Write the tree as JSON with what else there is to say of it; the same tree makes the same bytes."""
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
    """Read a tree that asks these features.

    Raises:
        BadModel: the file is damaged, of another version, or asks something else.
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
    """See to it that every way leads further on, so that no row goes round in a circle or out of the tree."""
    count = len(tree.feature)
    columns = (tree.border, tree.first, tree.ways)
    fits = 0 < count <= _MOST_NODES and tree.feature.ndim == 1 and tree.counts.shape == (count, classes)
    if not fits or any(column.shape != (count,) for column in columns):
        raise BadModel(f"{path} is no tree of blocks: its columns do not fit together")
    asks = tree.feature != LEAF
    here, first, ways = np.flatnonzero(asks), tree.first[asks], tree.ways[asks]
    if (tree.feature[asks] < 0).any() or (tree.feature >= features).any() or not np.isfinite(tree.counts).all():
        raise BadModel(f"{path} is no tree of blocks: it asks for features that there are not")
    if (ways < 1).any() or (first <= here).any() or (first > count).any() or (ways > count - first).any():
        raise BadModel(f"{path} is no tree of blocks: a way leads out of it")
