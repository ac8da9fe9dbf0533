"""Logistic regression with targets between 0 and 1."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
_RIDGE: Final = 2.0
_STEPS: Final = 60


def regression(rows: Floats, f1: Floats) -> tuple[float, Floats]:
    """Fit by Newton's method with a small ridge penalty; return bias and weights."""
    design = np.column_stack((np.ones(len(rows)), rows))
    penalty = np.diag([1e-6, *[_RIDGE] * rows.shape[1]])
    weights = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        probability = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (f1 - probability) - penalty @ weights
        weights += np.linalg.solve((design * (probability * (1 - probability))[:, None]).T @ design + penalty, slope)
    return float(weights[0]), weights[1:]
