"""Naive Bayes, with three treatments of numbers (hybrid rules 4.4.1; John and Langley 1995, like in Weka).

A number has a precision: the mean distance between distinct values. It is rounded to the precision, and its probability
is that of an interval of this width: under one normal curve per class, or under one per value of the class (kernels of
equal width). If numbers are cut into intervals (`discretisation`), all probabilities are frequencies.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

import numpy as np

from tidings.errors import InputError, needs
from tidings.page.columns import Ints
from tidings_lab.learners.blocks.discretisation import Intervals
from tidings_lab.learners.blocks.information_gain import cross_counts
from tidings_lab.learners.blocks.instances import Attribute, BlockInstances, Floats

#: The precision of a column with a single value (Weka).
_DEFAULT_PRECISION: Final = 0.01
#: The least width of a curve relative to the precision, and the least probability (Weka).
_NARROWEST: Final = 1 / 6
_LEAST: Final = 1e-75


class Numbers(Enum):
    """How numeric columns are modelled: by normal curves, kernels or intervals."""

    NORMAL = "normal distribution"
    KERNEL = "kernel estimator"
    DISCRETISED = "supervised discretisation"


class _BayesColumn(Protocol):
    """The distribution of a column's values in each class."""

    def probabilities(self, values: Floats, /) -> Floats:
        """Return the probability of each value (a row) in each class."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class _NameCounts:
    share: Floats  # classes × values, with Laplace smoothing

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
    places: tuple[Floats, ...]  # the values of each class
    weights: tuple[Floats, ...]
    width: Floats

    def probabilities(self, values: Floats, /) -> Floats:
        queries, inverse = np.unique(values, return_inverse=True)
        columns = [
            self._under(queries, *class_kernels)[inverse]
            for class_kernels in zip(self.places, self.weights, self.width, strict=True)
        ]
        return np.column_stack(columns)

    def _under(self, queries: Floats, places: Floats, weights: Floats, width: float) -> Floats:
        """Return the probability of each query value by the kernel density estimate of a class.

        The density is integrated over an interval of the column's precision around the value.

        Args:
            queries: the values.
            places: the sorted values of the class in training, which are the centres of the kernels.
            weights: the weight of each kernel.
            width: the standard deviation of the kernels.
        """
        if not len(places):
            return np.zeros(len(queries))
        half, reach = self.precision / 2, 9 * width + self.precision
        first, last = np.searchsorted(places, queries - reach), np.searchsorted(places, queries + reach)
        result = np.zeros(len(queries))
        for step in range(0, len(queries), 256):
            part = slice(step, step + 256)
            low, high = int(first[part].min()), int(last[part].max())
            at = queries[part, None] - places[low:high]
            result[part] = (below((at + half) / width) - below((at - half) / width)) @ weights[low:high]
        return np.asarray(result / weights.sum())


@dataclass(frozen=True, slots=True, eq=False)
class BayesClassifier:
    """A trained classifier: frequencies of classes, and distributions of columns."""

    prior: Floats
    columns: tuple[_BayesColumn, ...]
    intervals: Intervals | None

    def classify(self, rows: Floats, /) -> Ints:
        """Return the most probable class of each row."""
        values = rows if self.intervals is None else self.intervals.cut(rows).astype(np.float64)
        score = np.log(self.prior) + np.zeros((len(rows), 1))
        for place, column in enumerate(self.columns):
            score = score + np.log(np.maximum(column.probabilities(values[:, place]), _LEAST))
        return np.asarray(score.argmax(axis=1), np.int64)


@dataclass(frozen=True, slots=True)
class NaiveBayes:
    """A naive Bayes learner for block features, like Weka's."""

    numbers: Numbers = Numbers.NORMAL

    def fit(self, instances: BlockInstances, /) -> BayesClassifier:
        """Estimate the distributions from labelled blocks.

        Raises:
            InputError: there are no rows.
        """
        if not len(instances):
            raise InputError("naive Bayes learns from blocks, and there are none")
        intervals = Intervals.of(instances) if self.numbers is Numbers.DISCRETISED else None
        table = instances if intervals is None else intervals.apply(instances)
        prior = instances.counts + 1
        columns = tuple(
            self._column(attribute, table.rows[:, place], table) for place, attribute in enumerate(table.attributes)
        )
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
    """Return the precision of a numeric column as Weka defines it: the mean distance between neighbouring distinct
    values.
    """
    distinct = np.unique(values)
    return float((distinct[-1] - distinct[0]) / (len(distinct) - 1)) if len(distinct) > 1 else _DEFAULT_PRECISION


def _rounded(values: Floats, precision: float) -> Floats:
    return np.asarray(np.rint(values / precision) * precision)


def below(deviations: Floats) -> Floats:
    """Return the area under the normal curve below a number of standard deviations.

    Raises:
        MissingExtra: SciPy is not installed.
    """
    with needs("naive Bayes with numbers", "lab"):
        from scipy.special import ndtr
    return np.asarray(ndtr(deviations), np.float64)
