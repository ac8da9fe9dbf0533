"""Weighted sums as classifiers: one (a linear support vector machine), or two with bends between (a perceptron)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.trained.weights import fit_together

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
        """How far each block, a row each, lies on the side of content."""
        held = np.clip((rows - self.centre) / self.spread, -FARTHEST, FARTHEST).astype(np.float64)
        for place, (weight, bias) in enumerate(zip(self.weights, self.biases, strict=True)):
            held = (np.maximum(held, 0.0) if place else held) @ weight.astype(np.float64) + bias
        return np.asarray(held[:, 0], np.float64)

    def chances(self, rows: Rows) -> Floats:
        """The logistic function of the margin: for a support vector machine a grade, for a perceptron a chance."""
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
