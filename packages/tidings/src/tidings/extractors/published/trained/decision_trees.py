"""Decision trees as arrays, run with NumPy: a single tree, or a forest whose results are averaged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.model_files import fit_together
from tidings.page.columns import Ints

Rows = NDArray[np.float32]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class GrownTrees:
    """Decision trees as concatenated arrays of nodes; a node without children (0) is a leaf."""

    root: Ints  # the first node of each tree
    feature: Ints  # the feature that a node compares
    border: Rows  # up to this value the left child follows
    left: Ints  # the left child; 0 for leaves
    right: Ints
    probability: Rows  # of content, in each node
    _depth: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        nodes = np.arange(len(self.feature))
        inner = self.left > 0
        lengths = {len(column) for column in (self.border, self.left, self.right, self.probability)}
        fit_together(
            bool(len(self.root))
            and lengths == {len(nodes)}
            and bool(((self.root >= 0) & (self.root < len(nodes))).all())
            # Children come after their parents, so that every descent ends.
            and bool(((self.left > nodes) & (self.right > nodes))[inner].all())
            and not self.right[~inner].any()
            and int(max(self.left.max(), self.right.max())) < len(nodes)
            and int(self.feature.min()) >= 0,
            "the trees",
        )
        depth = np.zeros(len(nodes), np.int64)
        for node in np.flatnonzero(inner).tolist():
            depth[[self.left[node], self.right[node]]] = depth[node] + 1
        object.__setattr__(self, "_depth", int(depth.max()))

    @property
    def width(self) -> int:
        """Return the smallest number of features that rows must have."""
        return int(self.feature.max()) + 1

    def probabilities(self, rows: Rows) -> Floats:
        """Return the probability of content for each block (row): the mean over the leaves that it reaches in all
        trees.
        """
        node = np.repeat(self.root[:, None], len(rows), axis=1)
        row = np.arange(len(rows))
        for _ in range(self._depth):
            is_inner = self.left[node] > 0
            goes_left = rows[row, self.feature[node]] <= self.border[node]
            node = np.where(is_inner, np.where(goes_left, self.left[node], self.right[node]), node)
        return np.asarray(self.probability[node].mean(axis=0, dtype=np.float64), np.float64)

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the trees as arrays for a model file; `name` is their prefix."""
        return {
            f"{name}.root": self.root.astype(np.int32),
            f"{name}.feature": self.feature.astype(np.int16),
            f"{name}.border": self.border.astype(np.float32),
            f"{name}.left": self.left.astype(np.int32),
            f"{name}.right": self.right.astype(np.int32),
            f"{name}.chance": self.probability.astype(np.float32),
        }

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Create trees from stored arrays."""
        root, feature, left, right = (
            arrays[f"{name}.{part}"].astype(np.int64) for part in ("root", "feature", "left", "right")
        )
        border, probability = (arrays[f"{name}.{part}"].astype(np.float32) for part in ("border", "chance"))
        return cls(root, feature, border, left, right, probability)
