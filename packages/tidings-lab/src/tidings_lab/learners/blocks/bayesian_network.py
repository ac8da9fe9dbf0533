"""Bayesian networks with learned structure: K2 and TAN (hybrid rules 4.4.2).

Numbers are cut into intervals first. K2 (Cooper and Herskovits 1992) starts with the class as parent of every feature
and adds to each feature, in order, the earlier feature that raises the K2 score most, as long as one does and the
number of parents allows. TAN (Friedman, Geiger and Goldszmidt 1997) gives every feature one other parent, by the tree
with most conditional mutual information. The tree comes from pgmpy. pgmpy's K2 score (1.1.2) is not used, because it
credits parents with every combination of their values that no row has, so that many values win; `k2_score` is the
publication's and agrees with pgmpy's if all combinations occur. With all features known the network is a product of
frequencies, so rows are classified here all at once.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import numpy as np

from tidings.errors import InputError, needs
from tidings.page.columns import Ints
from tidings_lab.learners.blocks.discretisation import Intervals
from tidings_lab.learners.blocks.information_gain import cross_counts, information_gain
from tidings_lab.learners.blocks.instances import BlockInstances, Floats

#: Added to every count (as in Weka's SimpleEstimator).
_ALPHA: Final = 0.5
_CLASS: Final = "is"


class Search(Enum):
    """How the structure of a Bayesian network is learned."""

    K2 = "K2"
    TAN = "TAN"


@dataclass(frozen=True, slots=True, eq=False)
class NetworkClassifier:
    """A network: the parents of each feature besides the class, and the conditional probabilities of its values."""

    intervals: Intervals
    prior: Floats
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[Floats, ...]  # of each feature: combined values of its parents × classes × its own values

    def classify(self, rows: Floats, /) -> Ints:
        """Return the most probable class of each row."""
        names = self.intervals.cut(rows)
        score = np.log(self.prior) + np.zeros((len(rows), 1))
        sizes = [len(attribute.values) for attribute in self.intervals.attributes]
        for feature, (feature_parents, table) in enumerate(zip(self.parents, self.tables, strict=True)):
            score = score + np.log(table[_together(names, feature_parents, sizes), :, names[:, feature]])
        return np.asarray(score.argmax(axis=1), np.int64)


@dataclass(frozen=True, slots=True)
class Network:
    """A learner of Bayesian networks over block features; the structure is learned by K2 or TAN."""

    search: Search = Search.K2
    most_parents: int = 2  # of a feature in K2, including the class

    def fit(self, instances: BlockInstances, /) -> NetworkClassifier:
        """Learn the structure, and estimate the probabilities.

        Raises:
            InputError: there are no rows.
            MissingExtra: pgmpy is not installed.
        """
        if not len(instances):
            raise InputError("a network learns from blocks, and there are none")
        intervals = Intervals.of(instances)
        names = intervals.cut(instances.rows)
        prior = instances.counts + _ALPHA
        sizes = [len(item.values) for item in intervals.attributes]
        parents = self._structure(names, instances, sizes)
        tables = []
        for feature, feature_parents in enumerate(parents):
            shape = (
                int(np.prod([sizes[item] for item in feature_parents], dtype=np.int64)),
                len(prior),
                sizes[feature],
            )
            counts = np.full(shape, _ALPHA)
            np.add.at(counts, (_together(names, feature_parents, sizes), instances.labels, names[:, feature]), 1)
            tables.append(counts / counts.sum(axis=2, keepdims=True))
        return NetworkClassifier(intervals, prior / prior.sum(), parents, tuple(tables))

    def _structure(self, names: Ints, instances: BlockInstances, sizes: list[int]) -> tuple[tuple[int, ...], ...]:
        if self.search is Search.K2:
            return _greedy(names, instances.labels, sizes, len(instances.classes), self.most_parents - 1)
        varies = [place for place in range(names.shape[1]) if len(np.unique(names[:, place])) > 1]
        parent_of = _tree(names[:, varies], instances.labels) if len(varies) > 1 else {}
        parents = {varies[child]: (varies[parent],) for child, parent in parent_of.items()}
        return tuple(parents.get(place, ()) for place in range(names.shape[1]))


def _together(names: Ints, columns: tuple[int, ...], sizes: list[int]) -> Ints:
    """Combine some columns of each row into one number, which is different for each combination of values."""
    number = np.zeros(len(names), np.int64)
    for column in columns:
        number = number * sizes[column] + names[:, column]
    return number


def _greedy(names: Ints, labels: Ints, sizes: list[int], classes: int, most: int) -> tuple[tuple[int, ...], ...]:
    """Return the parents of each feature, selected by the K2 algorithm.

    Each feature gets the earlier features that raise its score, the best first, at most `most`. The class is a parent
    of every feature and not in the result.
    """
    result = []
    for feature, size in enumerate(sizes):

        def score(parents: tuple[int, ...], feature: int = feature, size: int = size) -> float:
            combined = _together(names, parents, sizes) * classes + labels
            return k2_score(combined, names[:, feature], size)

        parents: tuple[int, ...] = ()
        best = score(parents)
        while len(parents) < most:
            scores = {
                candidate: score((*parents, candidate)) for candidate in range(feature) if candidate not in parents
            }
            if not scores or max(scores.values()) <= best:
                break
            better = max(scores, key=lambda candidate: scores[candidate])
            parents, best = (*parents, better), scores[better]
        result.append(parents)
    return tuple(result)


def k2_score(parents: Ints, values: Ints, size: int) -> float:
    """Return the log-likelihood of values given parents with a uniform prior (Cooper and Herskovits 1992).

    Raises:
        MissingExtra: SciPy is not installed.
    """
    with needs("scoring the structure of a network", "lab"):
        from scipy.special import gammaln
    distinct, rows = np.unique(parents, return_inverse=True)
    counts = cross_counts(rows, values, (len(distinct), size))
    total = gammaln(size) - gammaln(counts.sum(axis=1) + size) + gammaln(counts + 1).sum(axis=1)
    return float(total.sum())


def _tree(names: Ints, labels: Ints) -> dict[int, int]:
    """Run TAN: return for each feature except the first its parent in the tree."""
    with needs("learning the structure of a network", "lab"):
        import pandas as pd  # type: ignore[import-untyped]  # comes with pgmpy, without stubs

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pgmpy's modules use each other's deprecated names
            from pgmpy.estimators import TreeSearch
    frame = pd.DataFrame(names)
    frame[_CLASS] = labels
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = TreeSearch(frame, root_node=0, n_jobs=1)
        graph = search.estimate(estimator_type="tan", class_node=_CLASS, edge_weights_fn=_shared, show_progress=False)
    return {int(child): int(parent) for parent, child in graph.edges() if parent != _CLASS}


def _shared(column: Any, other_column: Any) -> float:
    """Return the mutual information of two columns in bits; faster than pgmpy's own function, with the same tree."""
    first, second = np.asarray(column, np.int64), np.asarray(other_column, np.int64)
    sizes = (int(first.max()) + 1, int(second.max()) + 1)
    return information_gain(cross_counts(first, second, sizes))
