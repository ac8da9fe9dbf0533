"""Layers of weighted sums: a linear support vector machine (one layer) or a perceptron (two layers)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.model_files import fit_together

Rows = NDArray[np.float32]
Floats = NDArray[np.float64]
#: Features are clipped at this many standard deviations from the mean, so that outliers do not dominate.
FARTHEST: Final = 5.0


@dataclass(frozen=True, slots=True, eq=False)
class Layers:
    """Standardised features followed by layers of weighted sums; the inputs of all but the first layer are cut off at
    0.
    """

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
        """Return the number of features of a row."""
        return len(self.centre)

    def margins(self, rows: Rows) -> Floats:
        """Return how far each block (a row) is from the decision boundary; positive values mean content."""
        values = np.clip((rows - self.centre) / self.spread, -FARTHEST, FARTHEST).astype(np.float64)
        for place, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            values = (np.maximum(values, 0.0) if place else values) @ weight.astype(np.float64) + bias
        return np.asarray(values[:, 0], np.float64)

    def probabilities(self, rows: Rows) -> Floats:
        """Return a score from 0 to 1 for each block (the logistic function of `margins`): for a perceptron its
        probability to be content.
        """
        return np.asarray(1.0 / (1.0 + np.exp(-np.clip(self.margins(rows), -30.0, 30.0))), np.float64)

    def arrays(self, name: str) -> dict[str, NDArray[Any]]:
        """Return the weights as arrays for a model file; `name` is their prefix."""
        arrays = {f"{name}.centre": self.centre, f"{name}.spread": self.spread}
        for place, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            arrays |= {f"{name}.weight{place}": weight, f"{name}.bias{place}": bias}
        return {key: value.astype(np.float32) for key, value in arrays.items()}

    @classmethod
    def of_arrays(cls, name: str, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Create layers from stored arrays."""
        count = sum(key.startswith(f"{name}.weight") for key in arrays)
        weights, biases = (
            tuple(arrays[f"{name}.{kind}{place}"].astype(np.float32) for place in range(count))
            for kind in ("weight", "bias")
        )
        return cls(arrays[f"{name}.centre"], arrays[f"{name}.spread"], weights, biases)
