"""Weighted sums as classifiers: one (a linear support vector machine), or two with bends between (a perceptron).

Decision trees as arrays, run in NumPy: one, or a forest of which the mean is taken.

A classifier of blocks together with the names of the features it was taught with.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.model_files import fit_together
from tidings.page.columns import Ints

Rows = NDArray[np.float32]
Floats = NDArray[np.float64]

#: Deviations from the mean: a page unlike all others must not drown the rest.
FARTHEST: Final = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """Features brought to one scale, then layers of weighted sums; all but the last are cut off at 0."""

    centre: Rows
    spread: Rows
    weights: tuple[Rows, ...]  # inputs × outputs of each layer
    biases: tuple[Rows, ...]

    def __post_init__(self) -> None:
        sizes = [len(self.centre), *(len(bias) for bias in self.biases)]
        fit_together(
            len(self.weights) == len(self.biases) > 0
            and len(self.spread) == len(self.centre)
            and bool((self.spread > 0).all())
            and [weight.shape for weight in self.weights] == [*pairwise(sizes)]
            and sizes[-1] == 1,
            "the weighted sums",
        )

    @property
    def width(self) -> int:
        """Features a row must have."""
        return len(self.centre)

    def margins(self, rows: Rows) -> Floats:
        """Return how far each block, a row each, lies on the side of content."""
        held = np.clip((rows - self.centre) / self.spread, -FARTHEST, FARTHEST).astype(np.float64)
        for place, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            held = (np.maximum(held, 0.0) if place else held) @ weight.astype(np.float64) + bias
        return np.asarray(held[:, 0], np.float64)

    def chances(self, rows: Rows) -> Floats:
        """Return the logistic function of the margin: for a support vector machine a grade, for a perceptron a
        chance.
        """
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(self.margins(rows), -30.0, 30.0))), np.float64)

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """As arrays to be stored, under names that begin alike."""
        found = {f"{name}.centre": self.centre, f"{name}.spread": self.spread}
        for place, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            found |= {f"{name}.weight{place}": weight, f"{name}.bias{place}": bias}
        return {key: value.astype(np.float32) for key, value in found.items()}

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """From stored arrays."""
        count = sum(key.startswith(f"{name}.weight") for key in arrays)
        weights, biases = (
            tuple(arrays[f"{name}.{kind}{place}"].astype(np.float32) for place in range(count))
            for kind in ("weight", "bias")
        )
        return cls(arrays[f"{name}.centre"], arrays[f"{name}.spread"], weights, biases)


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
        """Return the chance of content of each block, a row each: the mean of the leaves it comes to."""
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


Columns = Mapping[str, NDArray[Any]]

_SORTS: Mapping[str, type[GrownTrees | Layers]] = {"trees": GrownTrees, "layers": Layers}


@dataclass(frozen=True, slots=True, eq=False)
class BlockClassifier:
    """Trees or weighted sums over named features."""

    features: tuple[str, ...]
    judge: GrownTrees | Layers

    def __post_init__(self) -> None:
        fit_together(self.judge.width <= len(self.features), "features and classifier")

    def chances(self, columns: Columns) -> Floats:
        """Return the chance of each block to be content, from its features by name.

        Raises:
            BadModel: it was taught with a feature that there is not.
        """
        return self.judge.chances(matrix(columns, self.features))

    def arrays(self, name: str = "blocks") -> dict[str, NDArray[Any]]:
        """As arrays to be stored, under names that begin alike."""
        (sort,) = (key for key, form in _SORTS.items() if isinstance(self.judge, form))
        told = {f"{name}.sort": np.array(sort), f"{name}.features": np.array(self.features)}
        return told | self.judge.arrays(name)

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]], name: str = "blocks") -> Self:
        """From stored arrays."""
        form = _SORTS[str(arrays[f"{name}.sort"])]
        return cls(tuple(map(str, arrays[f"{name}.features"].tolist())), form.of_arrays(name, arrays))


def matrix(columns: Columns, names: tuple[str, ...]) -> Rows:
    """Return features by name as a table, a row a block.

    Raises:
        BadModel: there is no such feature.
    """
    missing = [name for name in names if name not in columns]
    if missing:
        raise BadModel(f"the model was taught with a feature that there is not, {missing[0][:40]!r}: train it again")
    return np.stack([columns[name] for name in names], axis=1).astype(np.float32)
