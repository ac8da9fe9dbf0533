"""Decision trees as arrays, run in NumPy: one, or a forest of which the mean is taken."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.trained.weights import fit_together
from tidings.page.columns import Ints

Rows = NDArray[np.float32]
Chances = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class GrownTrees:
    """The nodes of all trees one after the other; a node with no way on (0) is a leaf."""

    root: Ints  # the first node of each tree
    feature: Ints  # what a node asks
    border: Rows  # up to this value the way goes left
    left: Ints
    right: Ints
    chance: Rows  # of content, in each node
    _depth: int = field(init=False, repr=False)

    def __post_init__(self) -> None:
        nodes = np.arange(len(self.feature))
        inner = self.left > 0
        lengths = {len(column) for column in (self.border, self.left, self.right, self.chance)}
        fit_together(
            bool(len(self.root))
            and lengths == {len(nodes)}
            and bool(((self.root >= 0) & (self.root < len(nodes))).all())
            # A way on leads to a later node, so that every walk ends.
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
        """Features a row must have at least."""
        return int(self.feature.max()) + 1

    def chances(self, rows: Rows) -> Chances:
        """The chance of content of each block, a row each: the mean of the leaves it comes to."""
        node = np.repeat(self.root[:, None], len(rows), axis=1)
        row = np.arange(len(rows))
        for _ in range(self._depth):
            asked = self.left[node] > 0
            goes_left = rows[row, self.feature[node]] <= self.border[node]
            node = np.where(asked, np.where(goes_left, self.left[node], self.right[node]), node)
        return np.asarray(self.chance[node].mean(axis=0, dtype=np.float64), np.float64)

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """As arrays to be stored, under names that begin alike."""
        return {
            f"{name}.root": self.root.astype(np.int32),
            f"{name}.feature": self.feature.astype(np.int16),
            f"{name}.border": self.border.astype(np.float32),
            f"{name}.left": self.left.astype(np.int32),
            f"{name}.right": self.right.astype(np.int32),
            f"{name}.chance": self.chance.astype(np.float32),
        }

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """From stored arrays."""
        root, feature, left, right = (
            arrays[f"{name}.{one}"].astype(np.int64) for one in ("root", "feature", "left", "right")
        )
        border, chance = (arrays[f"{name}.{one}"].astype(np.float32) for one in ("border", "chance"))
        return cls(root, feature, border, left, right, chance)
