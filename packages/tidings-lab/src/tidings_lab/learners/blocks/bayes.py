"""Naive Bayes, Bayesian networks and nearest neighbours, as Weka has them.

Naive Bayes, with three ways to take a number (hybrid rules 4.4.1; John and Langley 1995, as Weka has them).

A number has a precision: the mean distance between the values that are there. It is rounded to that, and its chance is
that of an interval of this width: under one normal curve for each class, or under as many as the class has values
(kernels, all of one width). With numbers cut into intervals by `discretise` everything is a count.

Bayesian networks with learned structure: K2 and TAN (hybrid rules 4.4.2).

Numbers are cut into intervals first. K2 (Cooper and Herskovits 1992) begins with the class above every feature and adds
to each feature, in their order, the earlier one that most raises the K2 score, as long as one does and there is room.
TAN (Friedman, Geiger and Goldszmidt 1997) gives every feature one other, by the tree that tells most given the class.
The tree comes from pgmpy (extra `learn`). Its K2 score (1.1.2) is not taken: it credits parents with every combination
of their values that no row has, so that many values win; `k2_score` is the publication's and agrees with pgmpy's where
all combinations are there. With all features known the network is a product of counts, so the class is told here, for
all rows at once.

k nearest neighbours (hybrid rules 4.4.3): Euclid's distance, as Weka's IBk has it.

Numbers are brought between 0 and 1 by the least and the greatest of the table; two names are 1 apart or not at all. The
search is scikit-learn's (extra `learn`), for which a name is a column a value.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final, Protocol

import numpy as np

from tidings.errors import InputError, needs
from tidings.page.columns import Ints
from tidings_lab.learners.blocks.instances import (
    Attribute,
    BlockInstances,
    Floats,
    Intervals,
    cross_counts,
    information_gain,
)

#: Where only one value is there (Weka).
_DEFAULT_PRECISION: Final = 0.01
#: A curve is no narrower than this share of the precision, and no chance is smaller (Weka).
_NARROWEST: Final = 1 / 6
_LEAST: Final = 1e-75


class Numbers(Enum):
    """How numbers are taken."""

    NORMAL = "normal distribution"
    KERNEL = "kernel estimator"
    DISCRETISED = "supervised discretisation"


class _BayesColumn(Protocol):
    """What is known of a column."""

    def probabilities(self, values: Floats, /) -> Floats:
        """The chance of each value in each class: a row a value."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class _NameCounts:
    share: Floats  # classes × values, each counted once more than it was there

    def probabilities(self, values: Floats, /) -> Floats:
        return self.share[:, values.astype(np.int64)].T


@dataclass(frozen=True, slots=True, eq=False)
class _Normal:
    precision: float
    mean: Floats
    deviation: Floats

    def probabilities(self, values: Floats, /) -> Floats:
        at = _rounded(values, self.precision)[:, None] - self.mean
        half = self.precision / 2
        return below((at + half) / self.deviation) - below((at - half) / self.deviation)


@dataclass(frozen=True, slots=True, eq=False)
class _Kernels:
    precision: float
    places: tuple[Floats, ...]  # of each class, its values
    weights: tuple[Floats, ...]
    width: Floats

    def probabilities(self, values: Floats, /) -> Floats:
        asked, back = np.unique(values, return_inverse=True)
        columns = [self._under(asked, *one)[back] for one in zip(self.places, self.weights, self.width, strict=True)]
        return np.column_stack(columns)

    def _under(self, asked: Floats, places: Floats, weights: Floats, width: float) -> Floats:
        """The area of all curves of a class around each asked value; those that reach it are next to each other."""
        if not len(places):
            return np.zeros(len(asked))
        half, reach = self.precision / 2, 9 * width + self.precision
        first, last = np.searchsorted(places, asked - reach), np.searchsorted(places, asked + reach)
        found = np.zeros(len(asked))
        for step in range(0, len(asked), 256):
            some = slice(step, step + 256)
            low, high = int(first[some].min()), int(last[some].max())
            at = asked[some, None] - places[low:high]
            found[some] = (below((at + half) / width) - below((at - half) / width)) @ weights[low:high]
        return np.asarray(found / weights.sum())


@dataclass(frozen=True, slots=True, eq=False)
class BayesClassifier:
    """What was learned: the shares of classes, and of values in them."""

    prior: Floats
    columns: tuple[_BayesColumn, ...]
    intervals: Intervals | None

    def classify(self, rows: Floats, /) -> Ints:
        """The most likely class of each row."""
        given = rows if self.intervals is None else self.intervals.cut(rows).astype(np.float64)
        score = np.log(self.prior) + np.zeros((len(rows), 1))
        for place, column in enumerate(self.columns):
            score = score + np.log(np.maximum(column.probabilities(given[:, place]), _LEAST))
        return np.asarray(score.argmax(axis=1), np.int64)


@dataclass(frozen=True, slots=True)
class NaiveBayes:
    """The learner."""

    numbers: Numbers = Numbers.NORMAL

    def fit(self, instances: BlockInstances, /) -> BayesClassifier:
        """Count.

        Raises:
            InputError: there are no rows.
        """
        if not len(instances):
            raise InputError("naive Bayes learns from blocks, and there are none")
        intervals = Intervals.of(instances) if self.numbers is Numbers.DISCRETISED else None
        table = instances if intervals is None else intervals.apply(instances)
        prior = instances.counts + 1
        columns = tuple(self._column(one, table.rows[:, place], table) for place, one in enumerate(table.attributes))
        return BayesClassifier(prior / prior.sum(), columns, intervals)

    def _column(self, attribute: Attribute, values: Floats, table: BlockInstances) -> _BayesColumn:
        classes = len(table.classes)
        if not attribute.numeric:
            counts = cross_counts(values.astype(np.int64), table.labels, (len(attribute.values), classes)).T + 1
            return _NameCounts(counts / counts.sum(axis=1, keepdims=True))
        precision = precision_of(values)
        rounded = _rounded(values, precision)
        parts = [rounded[table.labels == kind] for kind in range(classes)]
        if self.numbers is Numbers.NORMAL:
            mean = np.array([part.mean() if len(part) else 0.0 for part in parts])
            spread = np.array([part.std() if len(part) else 0.0 for part in parts])
            return _Normal(precision, mean, np.maximum(spread, precision * _NARROWEST))
        counted = [np.unique(part, return_counts=True) for part in parts]
        reach = np.array([np.ptp(part) / np.sqrt(len(part)) if len(part) else 0.0 for part in parts])
        places, weights = zip(*counted, strict=True)
        shares = tuple(weight.astype(np.float64) for weight in weights)
        return _Kernels(precision, tuple(places), shares, np.maximum(reach, precision * _NARROWEST))


def precision_of(values: Floats) -> float:
    """The mean distance between the values that are there."""
    there = np.unique(values)
    return float((there[-1] - there[0]) / (len(there) - 1)) if len(there) > 1 else _DEFAULT_PRECISION


def _rounded(values: Floats, precision: float) -> Floats:
    return np.asarray(np.rint(values / precision) * precision)


def below(deviations: Floats) -> Floats:
    """The area under the normal curve below so many standard deviations.

    Raises:
        MissingExtra: SciPy is not installed.
    """
    with needs("naive Bayes with numbers", "lab"):
        from scipy.special import ndtr
    return np.asarray(ndtr(deviations), np.float64)


#: Added to every count (Weka's `SimpleEstimator`).
_ALPHA: Final = 0.5
_CLASS: Final = "is"


class Search(Enum):
    """How the structure is found."""

    K2 = "K2"
    TAN = "TAN"


@dataclass(frozen=True, slots=True, eq=False)
class NetworkClassifier:
    """A network: the parents of each feature besides the class, and how likely each value is with these."""

    intervals: Intervals
    prior: Floats
    parents: tuple[tuple[int, ...], ...]
    tables: tuple[Floats, ...]  # of each feature: values of its parents together × classes × its own values

    def classify(self, rows: Floats, /) -> Ints:
        """The most likely class of each row."""
        names = self.intervals.cut(rows)
        score = np.log(self.prior) + np.zeros((len(rows), 1))
        sizes = [len(one.values) for one in self.intervals.attributes]
        for feature, (above, table) in enumerate(zip(self.parents, self.tables, strict=True)):
            score = score + np.log(table[_together(names, above, sizes), :, names[:, feature]])
        return np.asarray(score.argmax(axis=1), np.int64)


@dataclass(frozen=True, slots=True)
class Network:
    """The learner."""

    search: Search = Search.K2
    most_parents: int = 2  # of a feature in K2, the class among them

    def fit(self, instances: BlockInstances, /) -> NetworkClassifier:
        """Find the structure, and count.

        Raises:
            InputError: there are no rows.
            MissingExtra: pgmpy is not installed.
        """
        if not len(instances):
            raise InputError("a network learns from blocks, and there are none")
        intervals = Intervals.of(instances)
        names = intervals.cut(instances.rows)
        prior = instances.counts + _ALPHA
        sizes = [len(one.values) for one in intervals.attributes]
        parents = self._structure(names, instances, sizes)
        tables = []
        for feature, above in enumerate(parents):
            shape = (int(np.prod([sizes[one] for one in above], dtype=np.int64)), len(prior), sizes[feature])
            counts = np.full(shape, _ALPHA)
            np.add.at(counts, (_together(names, above, sizes), instances.labels, names[:, feature]), 1)
            tables.append(counts / counts.sum(axis=2, keepdims=True))
        return NetworkClassifier(intervals, prior / prior.sum(), parents, tuple(tables))

    def _structure(self, names: Ints, instances: BlockInstances, sizes: list[int]) -> tuple[tuple[int, ...], ...]:
        if self.search is Search.K2:
            return _greedy(names, instances.labels, sizes, len(instances.classes), self.most_parents - 1)
        varies = [place for place in range(names.shape[1]) if len(np.unique(names[:, place])) > 1]
        found = _tree(names[:, varies], instances.labels) if len(varies) > 1 else {}
        above = {varies[below]: (varies[one],) for below, one in found.items()}
        return tuple(above.get(place, ()) for place in range(names.shape[1]))


def _together(names: Ints, above: tuple[int, ...], sizes: list[int]) -> Ints:
    """The values of several columns as one number."""
    number = np.zeros(len(names), np.int64)
    for one in above:
        number = number * sizes[one] + names[:, one]
    return number


def _greedy(names: Ints, labels: Ints, sizes: list[int], classes: int, most: int) -> tuple[tuple[int, ...], ...]:
    """K2: for each feature the earlier ones that raise its score, best first; the class is above all of them."""
    found = []
    for feature, size in enumerate(sizes):

        def score(above: tuple[int, ...], feature: int = feature, size: int = size) -> float:
            together = _together(names, above, sizes) * classes + labels
            return k2_score(together, names[:, feature], size)

        above: tuple[int, ...] = ()
        best = score(above)
        while len(above) < most:
            tried = {one: score((*above, one)) for one in range(feature) if one not in above}
            if not tried or max(tried.values()) <= best:
                break
            better = max(tried, key=lambda one: tried[one])
            above, best = (*above, better), tried[better]
        found.append(above)
    return tuple(found)


def k2_score(parents: Ints, values: Ints, size: int) -> float:
    """How likely values are below parents, all shares being as likely, as a logarithm (Cooper and Herskovits 1992).

    Raises:
        MissingExtra: SciPy is not installed.
    """
    with needs("scoring the structure of a network", "lab"):
        from scipy.special import gammaln
    there, rows = np.unique(parents, return_inverse=True)
    counts = cross_counts(rows, values, (len(there), size))
    total = gammaln(size) - gammaln(counts.sum(axis=1) + size) + gammaln(counts + 1).sum(axis=1)
    return float(total.sum())


def _tree(names: Ints, labels: Ints) -> dict[int, int]:
    """TAN: for each feature but the first the one above it in the tree."""
    with needs("learning the structure of a network", "lab"):
        import pandas as pd  # type: ignore[import-untyped]  # it comes with pgmpy, its stubs do not

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pgmpy's own modules warn of each other's old names
            from pgmpy.estimators import TreeSearch
    frame = pd.DataFrame(names)
    frame[_CLASS] = labels
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        search = TreeSearch(frame, root_node=0, n_jobs=1)
        graph = search.estimate(estimator_type="tan", class_node=_CLASS, edge_weights_fn=_shared, show_progress=False)
    return {int(below): int(above) for above, below in graph.edges() if above != _CLASS}


def _shared(one: Any, other: Any) -> float:
    """What two columns tell of each other, in bits: quicker than what pgmpy takes by itself, and the same tree."""
    first, second = np.asarray(one, np.int64), np.asarray(other, np.int64)
    sizes = (int(first.max()) + 1, int(second.max()) + 1)
    return information_gain(cross_counts(first, second, sizes))


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourClassifier:
    """The rows that were learned, ready to be searched."""

    attributes: tuple[Attribute, ...]
    low: Floats
    reach: Floats
    classifier: Any  # sklearn.neighbors.KNeighborsClassifier

    def classify(self, rows: Floats, /) -> Ints:
        """The class of most of the nearest rows."""
        if not len(rows):
            return np.zeros(0, np.int64)
        return np.asarray(self.classifier.predict(_placed(self.attributes, rows, self.low, self.reach)), np.int64)


@dataclass(frozen=True, slots=True)
class NearestNeighbours:
    """The learner."""

    k: int = 1  # Weka's default

    def fit(self, instances: BlockInstances, /) -> NeighbourClassifier:
        """Keep the rows.

        Raises:
            InputError: there are no rows.
            MissingExtra: scikit-learn is not installed.
        """
        with needs("searching for neighbours", "lab"):
            from sklearn.neighbors import KNeighborsClassifier
        if not len(instances):
            raise InputError("neighbours are sought among blocks, and there are none")
        low = instances.rows.min(axis=0)
        reach = np.ptp(instances.rows, axis=0)
        placed = _placed(instances.attributes, instances.rows, low, reach)
        found = KNeighborsClassifier(min(self.k, len(instances)), algorithm="kd_tree")
        return NeighbourClassifier(instances.attributes, low, reach, found.fit(placed, instances.labels))


def _placed(attributes: tuple[Attribute, ...], rows: Floats, low: Floats, reach: Floats) -> Floats:
    columns = []
    for place, one in enumerate(attributes):
        if one.numeric:
            columns.append((rows[:, place] - low[place]) / (reach[place] or 1.0))
        else:  # two values differ in two columns, which together make a distance of 1
            columns.extend((rows[:, place] == value) * np.sqrt(0.5) for value in range(len(one.values)))
    return np.column_stack(columns)
