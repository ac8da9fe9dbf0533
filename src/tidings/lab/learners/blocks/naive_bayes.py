"""Naive Bayes, with three ways to take a number (hybrid rules 4.4.1; John and Langley 1995, as Weka has them).

A number has a precision: the mean distance between the values that are there. It is rounded to that, and its chance is
that of an interval of this width: under one normal curve for each class, or under as many as the class has values
(kernels, all of one width). With numbers cut into intervals by `discretise` everything is a count.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, Protocol

import numpy as np

from tidings.errors import InputError, MissingExtra
from tidings.lab.learners.blocks.discretise import Intervals
from tidings.lab.learners.blocks.instances import Attribute, Floats, Instances
from tidings.lab.learners.information import cross_counts
from tidings.page.columns import Ints

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


class _Column(Protocol):
    """What is known of a column."""

    def chances(self, values: Floats, /) -> Floats:
        """The chance of each value in each class: a row a value."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class _Names:
    share: Floats  # classes × values, each counted once more than it was there

    def chances(self, values: Floats, /) -> Floats:
        return self.share[:, values.astype(np.int64)].T


@dataclass(frozen=True, slots=True, eq=False)
class _Normal:
    precision: float
    mean: Floats
    deviation: Floats

    def chances(self, values: Floats, /) -> Floats:
        at = _rounded(values, self.precision)[:, None] - self.mean
        half = self.precision / 2
        return below((at + half) / self.deviation) - below((at - half) / self.deviation)


@dataclass(frozen=True, slots=True, eq=False)
class _Kernels:
    precision: float
    places: tuple[Floats, ...]  # of each class, its values
    weights: tuple[Floats, ...]
    width: Floats

    def chances(self, values: Floats, /) -> Floats:
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
    columns: tuple[_Column, ...]
    intervals: Intervals | None

    def classify(self, rows: Floats, /) -> Ints:
        """The most likely class of each row."""
        given = rows if self.intervals is None else self.intervals.cut(rows).astype(np.float64)
        score = np.log(self.prior) + np.zeros((len(rows), 1))
        for place, column in enumerate(self.columns):
            score = score + np.log(np.maximum(column.chances(given[:, place]), _LEAST))
        return np.asarray(score.argmax(axis=1), np.int64)


@dataclass(frozen=True, slots=True)
class NaiveBayes:
    """The learner."""

    numbers: Numbers = Numbers.NORMAL

    def fit(self, instances: Instances, /) -> BayesClassifier:
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

    def _column(self, attribute: Attribute, values: Floats, table: Instances) -> _Column:
        classes = len(table.classes)
        if not attribute.numeric:
            counts = cross_counts(values.astype(np.int64), table.labels, (len(attribute.values), classes)).T + 1
            return _Names(counts / counts.sum(axis=1, keepdims=True))
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
    try:
        from scipy.special import ndtr
    except ImportError:
        raise MissingExtra("naive Bayes with numbers", "lab") from None
    return np.asarray(ndtr(deviations), np.float64)
