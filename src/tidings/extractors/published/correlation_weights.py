"""How alike two nodes of a page look: the weights of correlation clustering, printed or learned.

LBNEST II.B.1. The printed numbers were "found in trial and error method": 1.7 less 0.07 for each pixel that the heights
differ, 5.0 for the same width, 0.2 for each style rule with the same value and -9.0 for each with another, all divided
by a root of roots of the sizes. The paper names the other way too, a learning algorithm over a labelled set with the
same properties: `tidings lab train correlation-clustering` finds the same five numbers from pages with gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import astuple, dataclass
from itertools import chain
from typing import Self

import numpy as np

from tidings.extractors.published.trained.weights import Arrays, fit_together
from tidings.text import FloatArray


@dataclass(frozen=True, slots=True)
class Weights:
    """The printed numbers, "found in trial and error method" (II.B.1)."""

    height: float = 1.7
    height_step: float = 0.07  # less for each pixel of difference
    same_width: float = 5.0
    same_rule: float = 0.2
    other_value: float = -9.0

    def arrays(self) -> dict[str, FloatArray]:
        """The weights by name, for a file."""
        return {"weights": np.array(astuple(self))}

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Self:
        """From a file.

        Raises:
            BadModel: they are not five numbers.
        """
        stored = arrays["weights"]
        fit_together(stored.shape == (5,) and stored.dtype.kind == "f" and bool(np.isfinite(stored).all()), "weights")
        return cls(*stored.tolist())


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """What a browser drew, one row for each element of the page, in pixels."""

    left: FloatArray
    top: FloatArray
    width: FloatArray
    height: FloatArray
    styles: Sequence[Mapping[str, str]]


def compared(boxes: Boxes) -> tuple[FloatArray, ...]:
    """What the five weights are multiplied with, for each two nodes (II.B.1)."""
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


def similarity(boxes: Boxes, weights: Weights) -> FloatArray:
    """The similarity of each node to each (II.B.1), before it is brought to 0 … 1."""
    found = np.zeros((len(boxes.height), len(boxes.height)))
    for weight, column in zip(astuple(weights), compared(boxes), strict=True):
        found += weight * column
    return found


def _shared(sets: Sequence[frozenset[Hashable]]) -> FloatArray:
    """How many members each two sets have in common."""
    counts = Counter(chain.from_iterable(sets))
    place = {member: at for at, member in enumerate(one for one, count in counts.items() if count > 1)}
    held = np.zeros((len(sets), len(place)), np.float32)  # sums of ones: exact, and half the size
    for row, members in enumerate(sets):
        held[row, [place[member] for member in members if member in place]] = 1
    return (held @ held.T).astype(np.float64)
