"""A block classifier together with the names of its features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.model_files import fit_together
from tidings.extractors.published.trained.decision_trees import GrownTrees
from tidings.extractors.published.trained.layers import Layers

Rows = NDArray[np.float32]
Floats = NDArray[np.float64]
Columns = Mapping[str, NDArray[Any]]
_SORTS: Mapping[str, type[GrownTrees | Layers]] = {"trees": GrownTrees, "layers": Layers}


@dataclass(frozen=True, slots=True, eq=False)
class BlockClassifier:
    """A block classifier (decision trees or a neural network) with the names of its input features."""

    features: tuple[str, ...]
    judge: GrownTrees | Layers

    def __post_init__(self) -> None:
        fit_together(self.judge.width <= len(self.features), "features and classifier")

    def probabilities(self, columns: Columns) -> Floats:
        """Return the probability of each block to be content, from its features by name.

        Raises:
            BadModel: a feature of the model is missing.
        """
        return self.judge.probabilities(matrix(columns, self.features))

    def arrays(self, name: str = "blocks") -> dict[str, NDArray[Any]]:
        """Return the classifier as arrays for a model file; `name` is their prefix."""
        (sort,) = (key for key, form in _SORTS.items() if isinstance(self.judge, form))
        header = {f"{name}.sort": np.array(sort), f"{name}.features": np.array(self.features)}
        return header | self.judge.arrays(name)

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]], name: str = "blocks") -> Self:
        """Create a classifier from stored arrays."""
        form = _SORTS[str(arrays[f"{name}.sort"])]
        return cls(tuple(map(str, arrays[f"{name}.features"].tolist())), form.of_arrays(name, arrays))


def matrix(columns: Columns, names: tuple[str, ...]) -> Rows:
    """Return named features as a table with a row per block.

    Raises:
        BadModel: a feature is missing.
    """
    missing = [name for name in names if name not in columns]
    if missing:
        raise BadModel(f"the model was taught with a feature that there is not, {missing[0][:40]!r}: train it again")
    return np.stack([columns[name] for name in names], axis=1).astype(np.float32)
