"""Features brought to one scale, for learners that add and multiply them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.lab.learners.rivals.taught import Rows

_FARTHEST: Final = 5.0  # deviations from the mean: a page unlike all others must not drown the rest


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """The mean and the deviation of each feature."""

    centre: Rows
    spread: Rows

    @classmethod
    def of(cls, rows: Rows) -> Scale:
        """From blocks, a row each; a feature that never varies stays 0."""
        spread = rows.std(axis=0, dtype=np.float64)
        return cls(
            rows.mean(axis=0, dtype=np.float64).astype(np.float32),
            np.where(spread > 1e-6, spread, np.inf).astype(np.float32),
        )

    def __call__(self, rows: Rows) -> Rows:
        """The same blocks in deviations from the mean."""
        return np.asarray(np.clip((rows - self.centre) / self.spread, -_FARTHEST, _FARTHEST), np.float32)
