"""Four classifiers learned by scikit-learn and kept as plain arrays.

The four that Content-Seeker compares (DANA thesis 3.2.6): J48, a random forest, sequential minimal optimisation, a
perceptron of several layers; two of them are those of the shallow text features (3.3.2.1). For J48 stands a tree by
information gain whose leaves are limited in number; for sequential minimal optimisation another way to the same linear
support vector machine, with squared losses; the perceptron has one hidden layer.

What all learners here have in common.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from tidings.errors import MissingExtra
from tidings.extractors.learned.seen_blocks import seen_blocks
from tidings.extractors.published.trained.classifiers import FARTHEST, GrownTrees, Layers
from tidings.extractors.published.trained.weights import Portable
from tidings.lab.learners.lesson import GoldPage, shares
from tidings.lab.learners.rival_learners import Drawn, Rows, TaughtPage
from tidings.page import Page
from tidings.page.columns import Bools, Ints


class Taught(Protocol):
    """What was read off one page."""

    @property
    def site(self) -> str:
        """Whose page it is."""
        ...


Item = TypeVar("Item", bound=Taught)
Weights_co = TypeVar("Weights_co", bound=Portable, covariant=True)


class WeightsLearner(Protocol[Item, Weights_co]):
    """A learner; its settings are its fields."""

    def prepare(self, lesson: GoldPage, /) -> Item | None:
        """What a page teaches; None where its gold text is not found on it."""
        ...

    def fit(self, items: Sequence[Item], /) -> Weights_co:
        """Weights from what pages teach, the same for the same pages.

        Raises:
            InputError: there is too little to learn from.
            MissingExtra: a library to learn with is not installed.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The visible blocks of a page, and which of them are content."""

    page: Page
    blocks: Ints
    content: Bools

    def taught(self, rows: Rows, power: float) -> TaughtPage:
        """The blocks as learners of the comparison get them; a block's importance is its words to a power."""
        weight = self.page.blocks.words[self.blocks].astype(np.float64) ** power
        return TaughtPage(rows.T, self.content, weight / weight.sum())


def labels(lesson: GoldPage) -> Labels | None:
    """Which blocks of a page have more than half of their words in gold; None if none has."""
    page = Page(lesson.html, lesson.url)
    blocks = seen_blocks(page)
    content = shares(page, lesson.gold)[blocks] > 0.5
    return Labels(page, blocks, content) if content.any() else None


FeatureRows = np.ndarray[tuple[int, ...], np.dtype[np.float32]]

_BLOCKS_IN_A_LEAF: Final = 20
_TREES: Final = 20  # of a forest: with 100 the file is five times as large and nothing else is much better
_HIDDEN: Final = 16
_STRENGTH: Final = 0.01  # of the trust of the support vector machine in single blocks
_STEPS: Final = 40  # of the perceptron through all blocks


class ClassifierKind(Enum):
    """The classifiers."""

    TREE = "tree"
    FOREST = "forest"
    SVM = "svm"
    PERCEPTRON = "perceptron"


def grow(kind: ClassifierKind, drawn: Drawn, leaves: int) -> GrownTrees | Layers:
    """A classifier from a sample of blocks; trees have at most so many leaves.

    Raises:
        MissingExtra: scikit-learn is not installed.
    """
    try:
        import sklearn.ensemble
        import sklearn.neural_network
        import sklearn.svm
        import sklearn.tree
    except ImportError:
        raise MissingExtra("training", "lab") from None
    if kind in (ClassifierKind.TREE, ClassifierKind.FOREST):
        shape = {"criterion": "entropy", "max_leaf_nodes": leaves, "min_samples_leaf": _BLOCKS_IN_A_LEAF}
        if kind is ClassifierKind.TREE:
            tree = sklearn.tree.DecisionTreeClassifier(**shape, random_state=0)
            return of_trees([tree.fit(drawn.rows, drawn.content, drawn.weight)])
        forest = sklearn.ensemble.RandomForestClassifier(_TREES, **shape, random_state=0, n_jobs=1)
        return of_trees(forest.fit(drawn.rows, drawn.content, drawn.weight).estimators_)
    centre = drawn.rows.mean(axis=0, dtype=np.float64).astype(np.float32)
    spread = drawn.rows.std(axis=0, dtype=np.float64).astype(np.float32)
    spread[spread < 1e-6] = np.inf
    rows = np.clip((drawn.rows - centre) / spread, -FARTHEST, FARTHEST).astype(np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a few more steps would change a little more
        if kind is ClassifierKind.SVM:
            machine = sklearn.svm.LinearSVC(C=_STRENGTH, dual=False, tol=1e-3)
            machine.fit(rows, drawn.content, drawn.weight)
            return Layers(
                centre, spread, (machine.coef_.T.astype(np.float32),), (machine.intercept_.astype(np.float32),)
            )
        net = sklearn.neural_network.MLPClassifier((_HIDDEN,), max_iter=_STEPS, batch_size=512, random_state=0)
        net.fit(*resampled(rows, drawn))
    weights, biases = (tuple(np.asarray(one, np.float32) for one in some) for some in (net.coefs_, net.intercepts_))
    return Layers(centre, spread, weights, biases)


def resampled(rows: Any, drawn: Drawn) -> tuple[Any, Any]:
    """As many blocks drawn again by their weights, for a learner that knows no weights."""
    places = np.random.default_rng(0).choice(len(rows), len(rows), p=drawn.weight / drawn.weight.sum())
    return rows[places], drawn.content[places]


def of_trees(trees: Sequence[Any]) -> GrownTrees:
    """Trees of scikit-learn as arrays.

    A border is rounded down to the next number of four bytes: features are such numbers, so the answers stay the same.
    """
    root, columns, size = [], [], 0
    for tree in (one.tree_ for one in trees):
        leaf = tree.children_left < 0
        border = tree.threshold.astype(np.float32)
        border = np.where(border > tree.threshold, np.nextafter(border, np.float32(-np.inf)), border)
        value = tree.value[:, 0, :]
        chance = value[:, 1] / value.sum(axis=1) if value.shape[1] > 1 else np.ones(len(value))
        columns.append(
            (
                np.where(leaf, 0, tree.feature),
                np.where(leaf, 0.0, border),
                *(np.where(leaf, 0, way + size) for way in (tree.children_left, tree.children_right)),
                chance,
            )
        )
        root.append(size)
        size += len(leaf)
    feature, border, left, right, chance = (np.concatenate(some) for some in zip(*columns, strict=True))
    return GrownTrees(
        np.array(root, np.int64),
        feature.astype(np.int64),
        border.astype(np.float32),
        left.astype(np.int64),
        right.astype(np.int64),
        chance.astype(np.float32),
    )
