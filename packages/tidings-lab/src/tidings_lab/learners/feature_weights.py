"""Feature weights of TiMBL: information gain, gain ratio, χ², shared variance (memory-based thesis 3.2.2, eq. 3.3–3.7).

The weights are computed from the frequencies of values with each class. Values of a numeric feature are first sorted
into 20 bins with equally many distinct values each, so that only their order matters. Like TiMBL does, sums are taken
in a fixed order.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Bools, Ints

Floats = NDArray[np.float64]
#: TiMBL's number of bins for numeric features (option -B).
BINS: Final = 20
_NOTHING: Final = float(np.finfo(np.float64).eps)


class FeatureWeighting(Enum):
    """The measure by which features are weighted; the values are those of TiMBL's option -w."""

    NONE = "nw"
    GAIN_RATIO = "gr"
    INFORMATION_GAIN = "ig"
    CHI_SQUARE = "x2"
    SHARED_VARIANCE = "sv"


@dataclass(frozen=True, slots=True, eq=False)
class Statistics:
    """The weight of each feature by each measure of `FeatureWeighting`, and its number of distinct values."""

    information_gain: Floats
    gain_ratio: Floats
    chi_square: Floats
    shared_variance: Floats
    values: Ints

    def weights(self, weighting: FeatureWeighting) -> Floats:
        """Return the weight of each feature."""
        return {
            FeatureWeighting.NONE: np.ones(len(self.values)),
            FeatureWeighting.GAIN_RATIO: self.gain_ratio,
            FeatureWeighting.INFORMATION_GAIN: self.information_gain,
            FeatureWeighting.CHI_SQUARE: self.chi_square,
            FeatureWeighting.SHARED_VARIANCE: self.shared_variance,
        }[weighting]

    def nearest_order(self) -> Ints:
        """Return the order in which IB1 sums distances: by gain ratio divided by the number of values, whatever the
        weights.
        """
        return _falling(self.gain_ratio / np.maximum(self.values, 1))

    def tree_order(self, weighting: FeatureWeighting) -> Ints:
        """Return the order in which IGTREE compares features: by descending weight.

        Without weighting this is the original order.
        """
        return np.arange(len(self.values)) if weighting is FeatureWeighting.NONE else _falling(self.weights(weighting))


def statistics(values: NDArray[np.int32], classes: Ints, numeric: Bools, bins: int = BINS) -> Statistics:
    """Compute the weights of features from instances with known classes."""
    size = int(classes.max()) + 1 if len(classes) else 0
    entropy = _entropy(np.bincount(classes, minlength=size)[None, :].astype(np.float64))[0]
    weights_by_feature = [
        _weigh(_table(column, classes, size), bool(is_number), bins, float(entropy))
        for column, is_number in zip(values.T, numeric, strict=True)
    ]
    gain, ratio, chi, shared, count = (np.array(column) for column in zip(*weights_by_feature, strict=True))
    return Statistics(gain, ratio, chi, shared, count)


def _table(column: NDArray[np.int32], classes: Ints, size: int) -> tuple[NDArray[np.int32], Ints, Floats]:
    """Return the distinct values, the first index of each, and their frequencies by class."""
    distinct, first, inverse = np.unique(column, return_index=True, return_inverse=True)
    cells = np.bincount(inverse * size + classes, minlength=len(distinct) * size)
    return distinct, first, cells.reshape(-1, size).astype(np.float64)


def _weigh(
    table: tuple[NDArray[np.int32], Ints, Floats], numeric: bool, bins: int, entropy: float
) -> tuple[float, float, float, float, int]:
    distinct, first, cells = table
    count = len(distinct)
    binned = numeric and count > 1  # a single value has no range, so it is a symbol
    cells = _binned(cells, bins) if binned else cells[np.argsort(first)]
    total, row = cells.sum(), cells.sum(axis=1)
    remaining = abs(_in_turn(_entropy(cells) * row / total))
    gain = entropy - remaining if binned else max(entropy - remaining, 0.0)
    share = row / total
    split = -_in_turn(share * np.log2(share))
    ratio = gain / split if abs(split) >= _NOTHING else 0.0
    if binned and abs(split) < _NOTHING:
        gain = 0.0
    expected = np.outer(row, cells.sum(axis=0)) / total
    is_positive = np.abs(expected) > _NOTHING
    chi = _in_turn(np.divide((expected - cells) ** 2, expected, out=np.zeros_like(cells), where=is_positive).ravel())
    freedom = min(cells.shape[1], len(cells)) - 1
    return gain, ratio, chi, chi / (total * freedom) if freedom > 0 else 0.0, count


def _binned(cells: Floats, bins: int) -> Floats:
    """Join rows of neighbouring values into bins with equally many values; the first bins get one more if necessary."""
    size, rest = divmod(len(cells), bins)
    sizes = np.full(bins, size)
    sizes[:rest] += 1
    starts = np.concatenate(([0], np.cumsum(sizes[sizes > 0])[:-1]))
    return np.add.reduceat(cells, starts, axis=0)


def _entropy(cells: Floats) -> Floats:
    """Return the entropy of each row of counts, in bits."""
    share = cells / cells.sum(axis=1, keepdims=True)
    bits = share * np.log2(share, out=np.zeros_like(share), where=share > 0)
    return np.asarray(-np.cumsum(bits, axis=1)[:, -1])


def _in_turn(terms: Floats) -> float:
    """Return the sum in sequential order, like a loop; NumPy adds pairwise, which gives other rounding errors."""
    return float(np.cumsum(terms)[-1]) if len(terms) else 0.0


def _falling(weights: Floats) -> Ints:
    """Return indices from the largest weight to the smallest; equal ones stay in order."""
    return np.argsort(-weights, kind="stable")
