"""Learning to tell blocks by shallow text features: a decision tree, and a linear support vector machine.

Kohlschütter et al. 2010; DANA thesis 3.3.2.1. Both get the same sample of blocks, drawn by their words so that large
pages teach no more than small ones (`tidings.lab.learners.rival_learners`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from tidings.extractors.published.shallow import features
from tidings.extractors.published.trained.classifiers import BlockClassifier, matrix
from tidings.lab.learners.lesson import GoldPage
from tidings.lab.learners.rival_learners import TaughtPage, draw
from tidings.lab.learners.trainable.classifiers import ClassifierKind, grow, labels


@dataclass(frozen=True, slots=True, eq=False)
class TaughtBlocks:
    """The blocks of a page with their features."""

    site: str
    features: tuple[str, ...]
    page: TaughtPage


class FeatureChoice(Enum):
    """Which features are used."""

    ALL = "all"
    TWO = "number of words and link density"  # of the block and its neighbours: what shallow-2 has


@dataclass(frozen=True, slots=True)
class ShallowBlocks:
    """The learner."""

    kind: ClassifierKind = ClassifierKind.TREE
    choice: FeatureChoice = FeatureChoice.ALL
    leaves: int = 100  # of the tree
    power: float = 0.75  # of a block's words in its importance: as the default has it

    def prepare(self, lesson: GoldPage, /) -> TaughtBlocks | None:
        """The blocks of a page with their labels."""
        found = labels(lesson)
        if found is None:
            return None
        columns = {name: column[found.blocks] for name, column in features(found.page).items()}
        names = tuple(name for name in columns if self.choice is FeatureChoice.ALL or _is_of_the_two(name))
        return TaughtBlocks(lesson.site, names, found.taught(matrix(columns, names), self.power))

    def fit(self, items: Sequence[TaughtBlocks], /) -> BlockClassifier:
        """The classifier from the blocks of many pages."""
        return BlockClassifier(items[0].features, grow(self.kind, draw([item.page for item in items]), self.leaves))


def _is_of_the_two(name: str) -> bool:
    return name.removeprefix("prev_").removeprefix("next_") in ("words", "link_density")
