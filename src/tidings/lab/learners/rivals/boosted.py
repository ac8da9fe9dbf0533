"""Boosted oblivious trees, as the default has them, in the form of its rivals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from tidings.extractors.learned.trees import Trees, chances
from tidings.lab.learners.default import Boosting
from tidings.lab.learners.rivals.taught import Chances, Rows, TaughtPage, draw


@dataclass(frozen=True, slots=True, eq=False)
class BoostedJudge:
    """The grown trees."""

    trees: Trees

    @property
    def size(self) -> int:
        """Features, borders and leaves, as they are stored."""
        stored = self.trees.arrays("")
        return sum(stored[name].nbytes for name in (".feature", ".border", ".leaf"))

    def chances(self, rows: Rows, /) -> Chances:
        """From the sum over all trees."""
        return chances(self.trees.log_odds(rows))


@dataclass(frozen=True, slots=True)
class Boosted:
    """The learner."""

    boosting: Boosting = field(default_factory=Boosting)

    def fit(self, pages: Sequence[TaughtPage], /) -> BoostedJudge:
        """Trees from a sample of blocks."""
        drawn = draw(pages, seed=self.boosting.seed)
        names = tuple(f"feature{number}" for number in range(drawn.rows.shape[1]))
        rows = np.ascontiguousarray(drawn.rows.T)
        return BoostedJudge(self.boosting.grow(names, rows, drawn.content, drawn.weight))
