"""One decision tree over the features of a block: the learner that the hybrid approach settles on.

Uzun, Agun and Yerlikaya 2013, section 4.4.4: C4.5 in Weka. scikit-learn's tree has the same measure (information gain)
and asks questions with two answers; for C4.5's pruning it has a least number of blocks in a leaf and a cost for leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tidings.errors import MissingExtra
from tidings.lab.learners.rivals.taught import Chances, Rows, TaughtPage, draw

#: Bytes of a node: the feature that is asked (2), the border, two ways on and the chance (4 each).
NODE_BYTES: Final = 18


@dataclass(frozen=True, slots=True, eq=False)
class TreeJudge:
    """A grown tree."""

    tree: Any  # sklearn.tree.DecisionTreeClassifier

    @property
    def size(self) -> int:
        """Its nodes."""
        return NODE_BYTES * int(self.tree.tree_.node_count)

    def chances(self, rows: Rows, /) -> Chances:
        """The share of content in the leaf of each block."""
        return of_classifier(self.tree, rows)


@dataclass(frozen=True, slots=True)
class DecisionTree:
    """The learner."""

    blocks_in_a_leaf: int = 20
    cost: float = 1e-4  # of a leaf, in information it must gain

    def fit(self, pages: Sequence[TaughtPage], /) -> TreeJudge:
        """A tree from a sample of blocks."""
        try:
            from sklearn.tree import DecisionTreeClassifier
        except ImportError:
            raise MissingExtra("growing a tree", "lab") from None
        drawn = draw(pages)
        tree = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=self.blocks_in_a_leaf, ccp_alpha=self.cost, random_state=0
        )
        return TreeJudge(tree.fit(drawn.rows, drawn.content, drawn.weight))


def of_classifier(classifier: Any, rows: Rows) -> Chances:
    """What a classifier of scikit-learn says of the blocks of a page."""
    if not rows.shape[1]:
        return np.zeros(0)
    return np.asarray(classifier.predict_proba(rows.T)[:, 1], np.float64)
