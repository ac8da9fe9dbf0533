"""Visual similarity of page nodes: the edge weights of correlation clustering, printed or learned.

Source: LBNEST II.B.1. The printed numbers were "found in trial and error method": 1.7 minus 0.07 for each pixel of
difference in height, 5.0 for the same width, 0.2 for each style rule with the same value and -9.0 for each rule with
another value, all divided by a root of roots of the sizes. The paper also suggests a learning algorithm over a labelled
set with the same properties: `tidings lab train correlation-clustering` learns the five numbers from pages with ground
truth.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import chain
from typing import Self

import numpy as np

from tidings.extractors.model_files import Arrays, fit_together
from tidings.text import FloatArray


@dataclass(frozen=True, slots=True)
class LookWeights:
    """Weights of the five terms in the similarity of two rendered nodes (eq. II.B.1); the defaults are those of the
    paper.
    """

    height: float = 1.7
    height_step: float = 0.07  # subtracted for each pixel of difference
    same_width: float = 5.0
    same_rule: float = 0.2
    other_value: float = -9.0

    def arrays(self) -> dict[str, FloatArray]:
        """Return the weights as arrays for a model file."""
        return {"weights": np.array(astuple(self))}

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Self:
        """Create weights from stored arrays.

        Raises:
            BadModel: the array does not contain five finite numbers.
        """
        stored = arrays["weights"]
        fit_together(stored.shape == (5,) and stored.dtype.kind == "f" and bool(np.isfinite(stored).all()), "weights")
        return cls(*stored.tolist())


@dataclass(frozen=True, slots=True, eq=False)
class NodeBoxes:
    """Position, size and style of elements as rendered, one row each, in pixels."""

    left: FloatArray
    top: FloatArray
    width: FloatArray
    height: FloatArray
    styles: Sequence[Mapping[str, str]]


def compared(boxes: NodeBoxes) -> tuple[FloatArray, ...]:
    """Return five matrices of comparisons between all pairs of nodes, one for each weight (II.B.1)."""
    height, width = boxes.height, boxes.width
    size = np.sqrt(np.maximum(height + width, 1.0))
    scale = 1 / np.sqrt(np.sqrt(size[:, None] * size[None, :]))
    both = _shared([frozenset(style) for style in boxes.styles])
    same = _shared([frozenset(style.items()) for style in boxes.styles])
    return (
        scale,
        -np.abs(height[:, None] - height[None, :]) * scale,
        (np.abs(width[:, None] - width[None, :]) < 0.5) * scale,
        same * scale,
        (both - same) * scale,
    )


def similarity(boxes: NodeBoxes, weights: LookWeights) -> FloatArray:
    """Return the similarity of each pair of nodes (II.B.1), not yet clipped to 0 … 1."""
    total = np.zeros((len(boxes.height), len(boxes.height)))
    for weight, column in zip(astuple(weights), compared(boxes), strict=True):
        total += weight * column
    return total


def _shared(sets: Sequence[frozenset[Hashable]]) -> FloatArray:
    """Return the number of common members of each pair of sets."""
    counts = Counter(chain.from_iterable(sets))
    place = {member: at for at, member in enumerate(key for key, count in counts.items() if count > 1)}
    matrix = np.zeros((len(sets), len(place)), np.float32)  # sums of ones are exact in 32 bits
    for row, members in enumerate(sets):
        matrix[row, [place[member] for member in members if member in place]] = 1
    return (matrix @ matrix.T).astype(np.float64)
