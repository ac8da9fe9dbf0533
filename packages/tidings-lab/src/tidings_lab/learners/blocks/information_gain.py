"""Entropy, information gain and gain ratio (Quinlan 1993; Cover and Thomas 2006), in bits, from counts.

A row of counts is a value of the feature, a column is a class. Numbers are cut into intervals first (`discretisation`),
or compared with a border.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def plogp(counts: ArrayLike) -> Floats:
    """Return x · log2 x for each count x, and 0 for 0."""
    values = np.asarray(counts, np.float64)
    return np.asarray(values * np.log2(np.where(values > 0, values, 1.0)))


def entropy(counts: ArrayLike, axis: int = -1) -> Floats:
    """Return the entropy of the class in bits, from class frequencies; 0 without instances."""
    values = np.asarray(counts, np.float64)
    total = values.sum(axis=axis)
    return np.asarray((plogp(total) - plogp(values).sum(axis=axis)) / np.where(total > 0, total, 1.0))


def information_gain(counts: ArrayLike) -> float:
    """Return by how many bits knowing the feature reduces the entropy of the class."""
    table = np.asarray(counts, np.float64)
    total = table.sum()
    if not total:
        return 0.0
    remaining = float((table.sum(axis=1) / total) @ entropy(table))
    return max(float(entropy(table.sum(axis=0))) - remaining, 0.0)


def gain_ratio(counts: ArrayLike) -> float:
    """Return the information gain divided by the entropy of the feature, so that many values are no advantage."""
    split = float(entropy(np.asarray(counts, np.float64).sum(axis=1)))
    return information_gain(counts) / split if split > 0 else 0.0


def cross_counts(values: NDArray[np.int64], classes: NDArray[np.int64], sizes: tuple[int, int]) -> Floats:
    """Return the frequency of each value of a feature with each class."""
    counts = np.bincount(values * sizes[1] + classes, minlength=sizes[0] * sizes[1])
    return counts.reshape(sizes).astype(np.float64)
