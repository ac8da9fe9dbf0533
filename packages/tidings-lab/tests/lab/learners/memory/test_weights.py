"""Weights of features (memory-based thesis 3.2.2, eq. 3.3–3.7)."""

from __future__ import annotations

from itertools import pairwise
from math import log2

import numpy as np
import pytest

from tidings_lab.learners.feature_weights import FeatureWeighting, statistics

SYMBOL = np.array([False])
NUMBER = np.array([True])


def column(*values: int) -> np.ndarray[tuple[int, int], np.dtype[np.int32]]:
    return np.array(values, np.int32)[:, None]


def test_by_hand() -> None:
    # Four of class 0 and four of class 1; value 0 goes with class 0 three times of four.
    values, classes = column(0, 0, 0, 1, 1, 1, 1, 0), np.array([0, 0, 0, 0, 1, 1, 1, 1])
    found = statistics(values, classes, SYMBOL)
    left = -(0.75 * log2(0.75) + 0.25 * log2(0.25))
    assert found.information_gain[0] == pytest.approx(1 - left)
    assert found.gain_ratio[0] == pytest.approx((1 - left) / 1)  # both values half of the time: one bit
    assert found.chi_square[0] == pytest.approx(4 * (3 - 2) ** 2 / 2)
    assert found.shared_variance[0] == pytest.approx(2 / (8 * (min(2, 2) - 1)))
    assert found.weights(FeatureWeighting.NONE).tolist() == [1.0]


def test_a_feature_that_tells_nothing_weighs_nothing() -> None:
    found = statistics(column(5, 5, 5, 5), np.array([0, 1, 0, 1]), NUMBER)
    for weighting in (
        FeatureWeighting.GAIN_RATIO,
        FeatureWeighting.INFORMATION_GAIN,
        FeatureWeighting.CHI_SQUARE,
        FeatureWeighting.SHARED_VARIANCE,
    ):
        assert found.weights(weighting).tolist() == [0.0]


def test_numbers_go_into_twenty_bins_of_as_many_values() -> None:
    # 45 values in 20 bins: five bins of three values, fifteen of two. Classes change inside each bin.
    numbers = np.arange(45)
    classes = numbers % 2
    found = statistics(numbers.astype(np.int32)[:, None], classes, NUMBER)
    sizes = [3] * 5 + [2] * 15
    starts = np.cumsum([0, *sizes])
    left = 0.0
    for first, last in pairwise(starts.tolist()):
        share = float(np.mean(classes[first:last]))
        left += (last - first) / 45 * -(share * log2(share) + (1 - share) * log2(1 - share))
    whole = 22 / 45
    assert found.information_gain[0] == pytest.approx(-(whole * log2(whole) + (1 - whole) * log2(1 - whole)) - left)
    assert found.values.tolist() == [45]


def test_orders() -> None:
    values = np.array([[0, 0, 0], [0, 1, 1], [1, 0, 2], [1, 1, 3]], np.int32)
    found = statistics(values, np.array([0, 0, 1, 1]), np.array([False, False, False]))
    assert found.tree_order(FeatureWeighting.NONE).tolist() == [0, 1, 2]
    assert found.tree_order(FeatureWeighting.INFORMATION_GAIN).tolist() == [0, 2, 1]  # equals as they stand
    assert found.nearest_order().tolist() == [0, 2, 1]  # gain ratio over the number of values
