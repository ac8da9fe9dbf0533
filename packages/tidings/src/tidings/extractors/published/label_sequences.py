"""Decoding of a two-label sequence: the best sequence, and the marginal probability of each label.

There are labels 0 and 1. A sequence has scores for its first block and, for each further block, a table of scores from
the previous label to its own. A conditional random field and a maximum entropy Markov model differ only in the origin
of the tables. The loops use plain numbers, which are faster than arrays for two labels.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Bools

Floats = NDArray[np.float64]
_FARTHEST: Final = 700.0  # larger exponents overflow


def best_path(first: Floats, steps: Floats) -> Bools:
    """Return the labels with the greatest sum of scores (Viterbi algorithm).

    Args:
        first: the score of each label of the first block.
        steps: the scores of the other blocks: (blocks - 1) × previous label × label.
    """
    to_0, to_1 = (float(score) for score in first)
    from_0: list[bool] = []  # for each step whether the best predecessor of label 0 is 1
    from_1: list[bool] = []  # the same for label 1
    for s00, s01, s10, s11 in steps.reshape(-1, 4).tolist():
        a, b = to_0 + s00, to_1 + s10
        c, d = to_0 + s01, to_1 + s11
        from_0.append(b > a)
        from_1.append(d > c)
        to_0, to_1 = (max(a, b)), (max(c, d))
    label = to_1 > to_0
    labels = [label]
    for place in range(len(from_0) - 1, -1, -1):
        label = from_1[place] if label else from_0[place]
        labels.append(label)
    return np.array(labels[::-1], np.bool_)


def marginals(first: Floats, steps: Floats) -> Floats:
    """Return the marginal probability of label 1 for each block (forward-backward algorithm).

    Args:
        first: the score of each label of the first block.
        steps: the scores of the other blocks: (blocks - 1) × previous label × label.
    """
    tables = np.exp(np.clip(steps - steps.max(axis=(1, 2), keepdims=True), -_FARTHEST, 0.0))
    tables = tables.reshape(-1, 4).tolist()
    odds = float(np.clip(first[1] - first[0], -_FARTHEST, _FARTHEST))
    one = 1.0 / (1.0 + math.exp(-odds))
    forward = [(1.0 - one, one)]
    for t00, t01, t10, t11 in tables:
        f0, f1 = forward[-1]
        g0, g1 = f0 * t00 + f1 * t10, f0 * t01 + f1 * t11
        whole = g0 + g1
        forward.append((g0 / whole, g1 / whole) if whole > 0 else (0.5, 0.5))
    b0 = b1 = 1.0
    result = [forward[-1][1]]
    for (t00, t01, t10, t11), (f0, f1) in zip(reversed(tables), reversed(forward[:-1]), strict=True):
        b0, b1 = t00 * b0 + t01 * b1, t10 * b0 + t11 * b1
        whole = b0 + b1
        b0, b1 = (b0 / whole, b1 / whole) if whole > 0 else (0.5, 0.5)
        both = f0 * b0 + f1 * b1
        result.append(f1 * b1 / both if both > 0 else f1)
    return np.array(result[::-1], np.float64)
