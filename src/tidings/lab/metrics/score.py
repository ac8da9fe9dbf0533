"""Precision, recall and their harmonic mean, and the four counts they come from.

N-EXT 5.2 (eq. 5.2–5.4), DANA thesis eq. 2.12, memory-based thesis 3.2.3, hybrid rules 4.5. Where a denominator is zero
the value is 0: nothing was returned, or there was nothing to return.

Throughput: megabytes and pages a second (SPEC 8; DANA thesis, tables 4.7 and 4.10).

Scores of many pages in one line: mean, median, interval, and what is counted apart (SPEC 8).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final

from tidings.lab.statistics.bootstrap import interval


def ratio(part: float, whole: float) -> float:
    """A share, 0 when there is nothing to share."""
    return part / whole if whole else 0.0


def harmonic(precision: float, recall: float) -> float:
    """F1: the harmonic mean, 0 when both are 0."""
    return ratio(2 * precision * recall, precision + recall)


@dataclass(frozen=True, slots=True)
class Score:
    """Precision and recall, and their harmonic mean."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean, 0 when both are 0."""
        return harmonic(self.precision, self.recall)


@dataclass(frozen=True, slots=True)
class Counts:
    """True and false positives and negatives; counts of several pages, folds or classes add up."""

    tp: int = 0
    fp: int = 0
    fn: int = 0
    tn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(self.tp + other.tp, self.fp + other.fp, self.fn + other.fn, self.tn + other.tn)

    @property
    def total(self) -> int:
        """All that was counted."""
        return self.tp + self.fp + self.fn + self.tn

    @property
    def precision(self) -> float:
        """TP / (TP + FP)."""
        return ratio(self.tp, self.tp + self.fp)

    @property
    def recall(self) -> float:
        """TP / (TP + FN)."""
        return ratio(self.tp, self.tp + self.fn)

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return ratio(2 * self.tp, 2 * self.tp + self.fp + self.fn)

    @property
    def accuracy(self) -> float:
        """(TP + TN) / all."""
        return ratio(self.tp + self.tn, self.total)

    @property
    def score(self) -> Score:
        """Precision and recall alone."""
        return Score(self.precision, self.recall)


#: No clock here tells shorter times apart.
_SHORTEST: Final = 1e-9


@dataclass(frozen=True, slots=True)
class Throughput:
    """Work done and the time it took."""

    pages: int
    bytes: int  # of the pages as they came, before decoding
    seconds: float

    def __add__(self, other: Throughput) -> Throughput:
        return Throughput(self.pages + other.pages, self.bytes + other.bytes, self.seconds + other.seconds)

    @property
    def megabytes_per_second(self) -> float:
        """A megabyte is a million bytes."""
        return self.bytes / 1e6 / max(self.seconds, _SHORTEST)

    @property
    def pages_per_second(self) -> float:
        """Pages a second."""
        return self.pages / max(self.seconds, _SHORTEST)

    @property
    def milliseconds_per_page(self) -> float:
        """Mean time of a page, 0 without pages."""
        return 1000 * self.seconds / self.pages if self.pages else 0.0


@dataclass(frozen=True, slots=True)
class PageScore:
    """What one page adds to a mean."""

    value: float | None  # None: gold is empty, or says nothing about this
    site: str = ""
    returned_nothing: bool = False


@dataclass(frozen=True, slots=True)
class Summary:
    """The scores of a corpus. Pages whose gold is empty are in no mean."""

    mean: float
    median: float
    low: float  # of the 95 % interval of the mean, whole sites drawn
    high: float
    pages: int  # in the mean
    empty_gold: int = 0  # not in the mean
    empty_gold_right: int = 0  # of these, where nothing was returned, as should be
    returned_nothing: int = 0  # pages in the mean for which nothing was returned

    @classmethod
    def of(cls, pages: Iterable[PageScore], *, seed: int = 0) -> Summary:
        """Sum up pages; all zero when none has gold."""
        rows = list(pages)
        scored = [(row.value, row) for row in rows if row.value is not None]
        empty = [row for row in rows if row.value is None]
        silent = sum(row.returned_nothing for row in empty)
        if not scored:
            return cls(0.0, 0.0, 0.0, 0.0, 0, len(empty), silent, 0)
        values = [value for value, _ in scored]
        # Where no page tells its site, every page is one of its own.
        sites = [row.site or f"page {number}" for number, (_, row) in enumerate(scored)]
        between = interval(values, sites, seed=seed)
        return cls(
            fmean(values),
            median(values),
            between.low,
            between.high,
            len(scored),
            len(empty),
            silent,
            sum(row.returned_nothing for _, row in scored),
        )


def summarise(
    values: Sequence[float | None],
    sites: Sequence[str] = (),
    returned_nothing: Sequence[bool] = (),
    *,
    seed: int = 0,
) -> Summary:
    """The same from columns; those that are not known may be left out."""
    return Summary.of(
        (
            PageScore(value, sites[row] if sites else "", bool(returned_nothing and returned_nothing[row]))
            for row, value in enumerate(values)
        ),
        seed=seed,
    )
