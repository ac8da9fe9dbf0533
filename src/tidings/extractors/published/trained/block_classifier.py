"""A classifier of blocks together with the names of the features it was taught with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.published.trained.grown_trees import GrownTrees
from tidings.extractors.published.trained.layers import Layers
from tidings.extractors.published.trained.weights import fit_together

Floats = NDArray[np.float64]
Rows = NDArray[np.float32]
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
        """The chance of each block to be content, from its features by name.

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
    """Features by name as a table, a row a block.

    Raises:
        BadModel: there is no such feature.
    """
    missing = [name for name in names if name not in columns]
    if missing:
        raise BadModel(f"the model was taught with a feature that there is not, {missing[0][:40]!r}: train it again")
    return np.stack([columns[name] for name in names], axis=1).astype(np.float32)
