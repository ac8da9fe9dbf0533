"""Bayesian networks with learned structure: K2 and TAN (hybrid rules 4.4.2).

Numbers are cut into intervals first. K2 (Cooper and Herskovits 1992) begins with the class above every feature and adds
to each feature, in their order, the earlier one that most raises the K2 score, as long as one does and there is room.
TAN (Friedman, Geiger and Goldszmidt 1997) gives every feature one other, by the tree that tells most given the class.
The tree comes from pgmpy (extra `learn`). Its K2 score (1.1.2) is not taken: it credits parents with every combination
of their values that no row has, so that many values win; `k2_score` is the publication's and agrees with pgmpy's where
all combinations are there. With all features known the network is a product of counts, so the class is told here, for
all rows at once.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import numpy as np

from tidings.errors import InputError, MissingExtra
from tidings.lab.learners.blocks.discretise import Intervals
from tidings.lab.learners.blocks.instances import Floats, Instances
from tidings.lab.learners.information import cross_counts, information_gain
from tidings.page.columns import Ints

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

    def fit(self, instances: Instances, /) -> NetworkClassifier:
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

    def _structure(self, names: Ints, instances: Instances, sizes: list[int]) -> tuple[tuple[int, ...], ...]:
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
    try:
        from scipy.special import gammaln
    except ImportError:
        raise MissingExtra("scoring the structure of a network", "lab") from None
    there, rows = np.unique(parents, return_inverse=True)
    counts = cross_counts(rows, values, (len(there), size))
    total = gammaln(size) - gammaln(counts.sum(axis=1) + size) + gammaln(counts + 1).sum(axis=1)
    return float(total.sum())


def _tree(names: Ints, labels: Ints) -> dict[int, int]:
    """TAN: for each feature but the first the one above it in the tree."""
    try:
        import pandas as pd  # type: ignore[import-untyped]  # it comes with pgmpy, its stubs do not

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # pgmpy's own modules warn of each other's old names
            from pgmpy.estimators import TreeSearch
    except ImportError:
        raise MissingExtra("learning the structure of a network", "lab") from None
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
