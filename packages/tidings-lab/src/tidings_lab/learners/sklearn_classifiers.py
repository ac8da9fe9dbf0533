"""Four classifiers trained by scikit-learn and stored as plain arrays.

They are the ones that Content-Seeker compares (DANA thesis 3.2.6): J48, a random forest, sequential minimal
optimisation, and a multilayer perceptron; two of them are also those of the shallow text features (3.3.2.1). J48 is
replaced by a tree by information gain with a limited number of leaves, sequential minimal optimisation by another
solver of the same linear support vector machine with squared losses; the perceptron has one hidden layer.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

import numpy as np

from tidings.errors import needs
from tidings.extractors.published.trained.decision_trees import GrownTrees
from tidings.extractors.published.trained.layers import FARTHEST, Layers
from tidings_lab.learners.taught_pages import Drawn

_BLOCKS_IN_A_LEAF: Final = 20
_TREES: Final = 20  # of a forest: with 100 the file is five times larger and the scores are hardly better
_HIDDEN: Final = 16
_STRENGTH: Final = 0.01  # the C of the support vector machine
_STEPS: Final = 40  # epochs of the perceptron


class ClassifierKind(Enum):
    """The kinds of classifiers that are compared."""

    TREE = "tree"
    FOREST = "forest"
    SVM = "svm"
    PERCEPTRON = "perceptron"


def grow(kind: ClassifierKind, drawn: Drawn, leaves: int) -> GrownTrees | Layers:
    """Train a classifier on a sample of blocks; trees have at most `leaves` leaves.

    Raises:
        MissingExtra: scikit-learn is not installed.
    """
    with needs("training", "lab"):
        import sklearn.ensemble
        import sklearn.neural_network
        import sklearn.svm
        import sklearn.tree
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
        warnings.simplefilter("ignore")  # warnings that the iterations were too few to converge
        if kind is ClassifierKind.SVM:
            machine = sklearn.svm.LinearSVC(C=_STRENGTH, dual=False, tol=1e-3)
            machine.fit(rows, drawn.content, drawn.weight)
            return Layers(
                centre, spread, (machine.coef_.T.astype(np.float32),), (machine.intercept_.astype(np.float32),)
            )
        net = sklearn.neural_network.MLPClassifier((_HIDDEN,), max_iter=_STEPS, batch_size=512, random_state=0)
        net.fit(*resampled(rows, drawn))
    weights, biases = (tuple(np.asarray(array, np.float32) for array in some) for some in (net.coefs_, net.intercepts_))
    return Layers(centre, spread, weights, biases)


def resampled(rows: Any, drawn: Drawn) -> tuple[Any, Any]:
    """Resample the blocks by their weights, for a learner without weights."""
    places = np.random.default_rng(0).choice(len(rows), len(rows), p=drawn.weight / drawn.weight.sum())
    return rows[places], drawn.content[places]


def of_trees(trees: Sequence[Any]) -> GrownTrees:
    """Convert trees of scikit-learn to arrays.

    Borders are rounded down to 32 bits; features have 32 bits, so the results stay the same.
    """
    root, columns, size = [], [], 0
    for tree in (estimator.tree_ for estimator in trees):
        leaf = tree.children_left < 0
        border = tree.threshold.astype(np.float32)
        border = np.where(border > tree.threshold, np.nextafter(border, np.float32(-np.inf)), border)
        value = tree.value[:, 0, :]
        probability = value[:, 1] / value.sum(axis=1) if value.shape[1] > 1 else np.ones(len(value))
        columns.append(
            (
                np.where(leaf, 0, tree.feature),
                np.where(leaf, 0.0, border),
                *(np.where(leaf, 0, child + size) for child in (tree.children_left, tree.children_right)),
                probability,
            )
        )
        root.append(size)
        size += len(leaf)
    feature, border, left, right, probability = (np.concatenate(parts) for parts in zip(*columns, strict=True))
    return GrownTrees(
        np.array(root, np.int64),
        feature.astype(np.int64),
        border.astype(np.float32),
        left.astype(np.int64),
        right.astype(np.int64),
        probability.astype(np.float32),
    )
