"""Logistic regression: the least that features can be made to say. Learned by scikit-learn, run in NumPy."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tidings.errors import MissingExtra
from tidings.extractors.learned.trees import chances
from tidings.lab.learners.rivals.scaling import Scale
from tidings.lab.learners.rivals.taught import Chances, Rows, TaughtPage, draw


@dataclass(frozen=True, slots=True, eq=False)
class LinearJudge:
    """A weight for each feature."""

    scale: Scale
    weight: Rows
    bias: float

    @property
    def size(self) -> int:
        """Weights, means and deviations."""
        return 4 * (3 * len(self.weight) + 1)

    def chances(self, rows: Rows, /) -> Chances:
        """The logistic function of the weighted sum."""
        return chances(np.asarray(self.scale(rows.T) @ self.weight + self.bias, np.float64))


@dataclass(frozen=True, slots=True)
class Linear:
    """The learner."""

    strength: float = 1.0  # of the trust in the data against the pull towards zero

    def fit(self, pages: Sequence[TaughtPage], /) -> LinearJudge:
        """Weights from a sample of blocks."""
        try:
            from sklearn.linear_model import LogisticRegression
        except ImportError:
            raise MissingExtra("logistic regression", "lab") from None
        drawn = draw(pages)
        scale = Scale.of(drawn.rows)
        regression = LogisticRegression(C=self.strength, max_iter=300, tol=1e-3)
        regression.fit(scale(drawn.rows).astype(np.float64), drawn.content, drawn.weight)
        return LinearJudge(scale, regression.coef_[0].astype(np.float32), float(regression.intercept_[0]))
