"""A random forest: many trees that each saw other blocks and other features, and the mean of what they say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tidings.errors import MissingExtra
from tidings.lab.learners.rivals.decision_tree import NODE_BYTES, of_classifier
from tidings.lab.learners.rivals.taught import Chances, Rows, TaughtPage, draw


@dataclass(frozen=True, slots=True, eq=False)
class ForestJudge:
    """The grown trees."""

    forest: Any  # sklearn.ensemble.RandomForestClassifier

    @property
    def size(self) -> int:
        """The nodes of all trees."""
        return NODE_BYTES * sum(int(tree.tree_.node_count) for tree in self.forest.estimators_)

    def chances(self, rows: Rows, /) -> Chances:
        """The mean of the trees."""
        return of_classifier(self.forest, rows)


@dataclass(frozen=True, slots=True)
class Forest:
    """The learner."""

    trees: int = 100
    blocks_in_a_leaf: int = 3

    def fit(self, pages: Sequence[TaughtPage], /) -> ForestJudge:
        """Trees from a sample of blocks."""
        try:
            from sklearn.ensemble import RandomForestClassifier
        except ImportError:
            raise MissingExtra("growing a forest", "lab") from None
        drawn = draw(pages)
        forest = RandomForestClassifier(self.trees, min_samples_leaf=self.blocks_in_a_leaf, random_state=0, n_jobs=1)
        return ForestJudge(forest.fit(drawn.rows, drawn.content, drawn.weight))
