"""How much a feature tells of the class: entropy, information gain, gain ratio (Quinlan 1993; Cover and Thomas 2006).

All of them are taken from counts, in bits: a row a value of the feature, a column a class. Numbers are cut into
intervals first (`learn.blocks.discretise`), or are asked whether they are above a border.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


def plogp(counts: ArrayLike) -> Floats:
    """X · log2 x of each count, 0 where there is nothing: what sums of entropies are made of."""
    given = np.asarray(counts, np.float64)
    return np.asarray(given * np.log2(np.where(given > 0, given, 1.0)))


def entropy(counts: ArrayLike, axis: int = -1) -> Floats:
    """Bits a case that are needed to tell the class, from how often each is there; 0 where nothing is."""
    given = np.asarray(counts, np.float64)
    total = given.sum(axis=axis)
    return np.asarray((plogp(total) - plogp(given).sum(axis=axis)) / np.where(total > 0, total, 1.0))


def information_gain(counts: ArrayLike) -> float:
    """The entropy of the class that goes when the feature is known."""
    given = np.asarray(counts, np.float64)
    total = given.sum()
    if not total:
        return 0.0
    left = float((given.sum(axis=1) / total) @ entropy(given))
    return max(float(entropy(given.sum(axis=0))) - left, 0.0)


def gain_ratio(counts: ArrayLike) -> float:
    """Information gain over the entropy of the feature itself, so that many values are no merit."""
    split = float(entropy(np.asarray(counts, np.float64).sum(axis=1)))
    return information_gain(counts) / split if split > 0 else 0.0


def cross_counts(values: NDArray[np.int64], classes: NDArray[np.int64], sizes: tuple[int, int]) -> Floats:
    """How often each value of a feature stands with each class."""
    counts = np.bincount(values * sizes[1] + classes, minlength=sizes[0] * sizes[1])
    return counts.reshape(sizes).astype(np.float64)
