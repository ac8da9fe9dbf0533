"""How much each feature tells about the class: the weights of TiMBL (memory-based thesis 3.2.2, eq. 3.3–3.7).

Information gain, gain ratio, χ², shared variance, or none. They are worked out from how often each value was seen with
each class. The values of a numeric feature are first sorted into 20 bins, each with as many distinct values as the
next: what counts is the order of the values, not how often they occur. So does TiMBL, and sums are taken in its order.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Bools, Ints

Floats = NDArray[np.float64]

#: TiMBL's number of bins for the values of a numeric feature (its switch -B).
BINS: Final = 20
_NOTHING: Final = float(np.finfo(np.float64).eps)


class Weighting(Enum):
    """How features are weighed, by the names TiMBL's switch -w has for them."""

    NONE = "nw"
    GAIN_RATIO = "gr"
    INFORMATION_GAIN = "ig"
    CHI_SQUARE = "x2"
    SHARED_VARIANCE = "sv"


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """For each feature its weight by each measure, and how many values it has."""

    information_gain: Floats
    gain_ratio: Floats
    chi_square: Floats
    shared_variance: Floats
    values: Ints

    def weights(self, weighting: Weighting) -> Floats:
        """The weight of each feature."""
        return {
            Weighting.NONE: np.ones(len(self.values)),
            Weighting.GAIN_RATIO: self.gain_ratio,
            Weighting.INFORMATION_GAIN: self.information_gain,
            Weighting.CHI_SQUARE: self.chi_square,
            Weighting.SHARED_VARIANCE: self.shared_variance,
        }[weighting]

    def nearest_order(self) -> Ints:
        """The order in which IB1 sums distances: by gain ratio over the number of values, whatever the weights."""
        return _falling(self.gain_ratio / np.maximum(self.values, 1))

    def tree_order(self, weighting: Weighting) -> Ints:
        """The order in which IGTREE asks: by the weights; without weights as the features stand."""
        return np.arange(len(self.values)) if weighting is Weighting.NONE else _falling(self.weights(weighting))


def statistics(values: NDArray[np.int32], classes: Ints, numeric: Bools, bins: int = BINS) -> Statistics:
    """Weigh features by their values in instances of known classes."""
    size = int(classes.max()) + 1 if len(classes) else 0
    entropy = _entropy(np.bincount(classes, minlength=size)[None, :].astype(np.float64))[0]
    found = [
        _weigh(_table(column, classes, size), bool(is_number), bins, float(entropy))
        for column, is_number in zip(values.T, numeric, strict=True)
    ]
    gain, ratio, chi, shared, count = (np.array(column) for column in zip(*found, strict=True))
    return Statistics(gain, ratio, chi, shared, count)


def _table(column: NDArray[np.int32], classes: Ints, size: int) -> tuple[NDArray[np.int32], Ints, Floats]:
    """The distinct values, where each was first seen, and how often each was seen with each class."""
    distinct, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    cells = np.bincount(inverse * size + classes, minlength=len(distinct) * size)
    return distinct, first, cells.reshape(-1, size).astype(np.float64)


def _weigh(
    table: tuple[NDArray[np.int32], Ints, Floats], numeric: bool, bins: int, entropy: float
) -> tuple[float, float, float, float, int]:
    distinct, first, cells = table
    count = len(distinct)
    binned = numeric and count > 1  # with one value there is no range: it is a symbol
    cells = _binned(cells, bins) if binned else cells[np.argsort(first)]
    total, row = cells.sum(), cells.sum(axis=1)
    left = abs(_in_turn(_entropy(cells) * row / total))
    gain = entropy - left if binned else max(entropy - left, 0.0)
    share = row / total
    split = -_in_turn(share * np.log2(share))
    ratio = gain / split if abs(split) >= _NOTHING else 0.0
    if binned and abs(split) < _NOTHING:
        gain = 0.0
    expected = np.outer(row, cells.sum(axis=0)) / total
    some = np.abs(expected) > _NOTHING
    chi = _in_turn(np.divide((expected - cells) ** 2, expected, out=np.zeros_like(cells), where=some).ravel())
    freedom = min(cells.shape[1], len(cells)) - 1
    return gain, ratio, chi, chi / (total * freedom) if freedom > 0 else 0.0, count


def _binned(cells: Floats, bins: int) -> Floats:
    """Rows of neighbouring values joined: as many values in each bin, the first ones one more where it does not fit."""
    size, rest = divmod(len(cells), bins)
    sizes = np.full(bins, size)
    sizes[:rest] += 1
    starts = np.concatenate(([0], np.cumsum(sizes[sizes > 0])[:-1]))
    return np.add.reduceat(cells, starts, axis=0)


def _entropy(cells: Floats) -> Floats:
    """Of each row of counts, in bits."""
    share = cells / cells.sum(axis=1, keepdims=True)
    bits = share * np.log2(share, out=np.zeros_like(share), where=share > 0)
    return np.asarray(-np.cumsum(bits, axis=1)[:, -1])


def _in_turn(terms: Floats) -> float:
    """The sum from the first to the last, as a loop takes it; NumPy's own adds in pairs."""
    return float(np.cumsum(terms)[-1]) if len(terms) else 0.0


def _falling(weights: Floats) -> Ints:
    """Places from the largest weight to the smallest, equals in their order."""
    return np.argsort(-weights, kind="stable")
