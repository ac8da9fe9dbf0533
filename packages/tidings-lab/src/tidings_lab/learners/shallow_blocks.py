"""Training on shallow text features: a decision tree, and a linear support vector machine.

Source: Kohlschütter et al. 2010; DANA thesis 3.3.2.1. Both get the same sample of blocks, drawn in proportion to their
words, so that large pages have no more influence than small ones (`taught_pages`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tidings.extractors.published.shallow_features import features
from tidings.extractors.published.trained.classifiers import BlockClassifier, matrix
from tidings_lab.learners.labelled_pages import GoldPage
from tidings_lab.learners.sklearn_classifiers import ClassifierKind, grow
from tidings_lab.learners.taught_pages import TaughtPage, draw
from tidings_lab.learners.weights_learner import labels


@dataclass(frozen=True, slots=True, eq=False)
class TaughtBlocks:
    """The training data of a page: the shallow text features of its blocks, with labels."""

    site: str
    features: tuple[str, ...]
    page: TaughtPage


class FeatureChoice(Enum):
    """The set of shallow text features to use."""

    ALL = "all"
    TWO = "number of words and link density"  # of the block and its neighbours, like shallow-2


@dataclass(frozen=True, slots=True)
class ShallowBlocks:
    """The learner for `shallow-tree` and `shallow-svm`."""

    kind: ClassifierKind = ClassifierKind.TREE
    choice: FeatureChoice = FeatureChoice.ALL
    leaves: int = 100  # of the tree
    power: float = 0.75  # exponent of a block's words in its importance, like the default extractor

    def prepare(self, lesson: GoldPage, /) -> TaughtBlocks | None:
        """Return the blocks of a page with their labels."""
        labelled = labels(lesson)
        if labelled is None:
            return None
        columns = {name: column[labelled.blocks] for name, column in features(labelled.page).items()}
        names = tuple(name for name in columns if self.choice is FeatureChoice.ALL or _is_of_the_two(name))
        return TaughtBlocks(lesson.site, names, labelled.taught(matrix(columns, names), self.power))

    def fit(self, items: Sequence[TaughtBlocks], /) -> BlockClassifier:
        """Train the classifier on the blocks of many pages."""
        return BlockClassifier(items[0].features, grow(self.kind, draw([item.page for item in items]), self.leaves))


def _is_of_the_two(name: str) -> bool:
    return name.removeprefix("prev_").removeprefix("next_") in ("words", "link_density")
