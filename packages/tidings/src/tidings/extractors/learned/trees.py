"""Boosted oblivious trees as arrays; the core evaluates them.

All nodes of a level compare the same feature with the same border, so the index of a leaf is the binary number of the
comparison results.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel

Floats = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Trees:
    """An ensemble of oblivious trees of equal depth."""

    features: tuple[str, ...]  # names of the rows of the input
    feature: NDArray[np.int64]  # row that is compared, for each level of each tree
    border: Floats  # value to compare with, for each level of each tree
    leaf: Floats  # trees × 2^depth: contribution of each leaf to the log-odds
    bias: float

    def __post_init__(self) -> None:
        trees, leaves = self.leaf.shape
        if (
            not 0 < self.depth <= 8
            or 1 << self.depth != leaves
            or len(self.feature) != trees * self.depth
            or len(self.border) != len(self.feature)
        ):
            raise BadModel("the trees' arrays do not fit together: train the model again")
        if len(self.feature) and not 0 <= self.feature.min() <= self.feature.max() < len(self.features):
            raise BadModel("the trees ask for features that are not named: train the model again")

    @property
    def depth(self) -> int:
        """The number of comparisons on the way to a leaf."""
        return len(self.feature) // max(len(self.leaf), 1)

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the trees as arrays for a model file; `name` is their prefix."""
        return {
            f"{name}.features": np.array(self.features),
            f"{name}.feature": self.feature.astype(np.int16),
            f"{name}.border": self.border,
            f"{name}.leaf": self.leaf,
            f"{name}.bias": np.array(self.bias),
        }

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Trees:
        """Create from stored arrays.

        Raises:
            BadModel: arrays are missing or do not fit together.
        """
        try:
            return cls(
                tuple(arrays[f"{name}.features"].tolist()),
                arrays[f"{name}.feature"].astype(np.int64),
                arrays[f"{name}.border"],
                arrays[f"{name}.leaf"],
                float(arrays[f"{name}.bias"]),
            )
        except KeyError as missing:
            raise BadModel(f"the model file has no {missing}: train the model again") from None
