"""Precision, recall and their harmonic mean, and the four counts they come from.

N-EXT 5.2 (eq. 5.2–5.4), DANA thesis eq. 2.12, memory-based thesis 3.2.3, hybrid rules 4.5. Where a denominator is zero
the value is 0: nothing was returned, or there was nothing to return.

Throughput: megabytes and pages a second (SPEC 8; DANA thesis, tables 4.7 and 4.10).

Scores of many pages in one line: mean, median, interval, and what is counted apart (SPEC 8).

Classes given to things: the confusion matrix, accuracy, and precision, recall and F of each class with their means.

Memory-based thesis 3.2.3 and 6.1: the **macro** mean averages the precisions, the recalls and the Fs themselves; the
**micro** mean adds up the counts of all and takes precision, recall and F of the sums. So macro F is not the harmonic
mean of macro precision and macro recall. Both are taken over classes, or over sources of pages. Hybrid rules 4.5: gold
in rows, predictions in columns. News-block accuracy: N-EXT 5.1, eq. 5.1. For κ see `lab.agreement`.

Clusters against reference clusters.

**Pairs** (LBNEST V, clustering terms, table I): every ordered pair of items, an item with itself included, is together
or apart in the reference and in the response. **B³** (Bagga and Baldwin 1998): for every item, how much of its cluster
belongs to it and how much of what belongs to it is there; the mean over items, so that no large cluster outweighs
the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings_lab.statistics.bootstrap import interval


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


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """How often each class of gold (row) was taken for each class (column)."""

    labels: tuple[Hashable, ...]
    cells: NDArray[np.int64]

    @classmethod
    def of(cls, gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> Confusion:
        """Count two sequences of labels against each other; labels in the order they are first seen."""
        labels = tuple(dict.fromkeys([*gold, *predicted]))
        place = {label: number for number, label in enumerate(labels)}
        cells = np.zeros((len(labels), len(labels)), np.int64)
        for wanted, found in zip(gold, predicted, strict=True):
            cells[place[wanted], place[found]] += 1
        return cls(labels, cells)

    @property
    def accuracy(self) -> float:
        """Share of the things that got the class of gold."""
        return ratio(int(np.trace(self.cells)), int(self.cells.sum()))

    def counts(self, label: Hashable) -> Counts:
        """One class against all others."""
        at = self.labels.index(label)
        right = int(self.cells[at, at])
        taken, there = int(self.cells[:, at].sum()), int(self.cells[at].sum())
        return Counts(right, taken - right, there - right, int(self.cells.sum()) - taken - there + right)

    def by_class(self, labels: Iterable[Hashable] | None = None) -> dict[Hashable, Counts]:
        """Counts of every class, or of those that matter: garbage, which is most of a page, flatters any mean."""
        return {label: self.counts(label) for label in (self.labels if labels is None else labels)}


@dataclass(frozen=True, slots=True)
class ClassMeans:
    """Means of precision, recall and F, each on its own."""

    precision: float
    recall: float
    f1: float


def macro(counts: Iterable[Counts]) -> ClassMeans:
    """The mean of precisions, of recalls and of Fs: each class or source weighs the same."""
    rows = list(counts)
    return ClassMeans(
        ratio(sum(one.precision for one in rows), len(rows)),
        ratio(sum(one.recall for one in rows), len(rows)),
        ratio(sum(one.f1 for one in rows), len(rows)),
    )


def micro(counts: Iterable[Counts]) -> ClassMeans:
    """Precision, recall and F of the summed counts: each instance weighs the same."""
    total = sum(counts, Counts())
    return ClassMeans(total.precision, total.recall, total.f1)


def news_block_accuracy(matched: Iterable[bool]) -> float:
    """Share of the labelled pages whose news block was found (N-EXT, eq. 5.1)."""
    pages = list(matched)
    return ratio(sum(pages), len(pages))


#: Disjoint groups of items.
Partition = Iterable[Collection[Hashable]]


def pair_counts(reference: Partition, response: Partition, *, self_pairs: bool = True) -> Counts:
    """Pairs together in both (TP), only in the response (FP), only in the reference (FN), in neither (TN).

    Args:
        reference: the clusters as they should be.
        response: the clusters as they are.
        self_pairs: count an item as a pair with itself, as LBNEST does; they are all true positives.

    Raises:
        ValueError: the two sides do not hold the same items, or an item is in two clusters.
    """
    ours, theirs, shared = _sizes(reference, response)
    items = sum(ours.values())
    both = _squares(shared)
    own = 0 if self_pairs else items
    together, expected = _squares(theirs), _squares(ours)
    return Counts(both - own, together - both, expected - both, items * items - together - expected + both)


def b_cubed(reference: Partition, response: Partition) -> Score:
    """B³ precision and recall.

    Raises:
        ValueError: the two sides do not hold the same items, or an item is in two clusters.
    """
    ours, theirs, shared = _sizes(reference, response)
    items = sum(ours.values())
    return Score(
        ratio(sum(count * count / theirs[there] for (_, there), count in shared.items()), items),
        ratio(sum(count * count / ours[here] for (here, _), count in shared.items()), items),
    )


def _sizes(reference: Partition, response: Partition) -> tuple[Counter[int], Counter[int], Counter[tuple[int, int]]]:
    """Sizes of the clusters on either side and of what each two have in common."""
    ours, theirs = _places(reference, "reference"), _places(response, "response")
    if ours.keys() != theirs.keys():
        lost = next(iter(ours.keys() ^ theirs.keys()))
        raise ValueError(f"{lost!r} is in one partition only; leave it out of both or give it a cluster of its own")
    shared = Counter((here, theirs[item]) for item, here in ours.items())
    return Counter(ours.values()), Counter(theirs.values()), shared


def _places(partition: Partition, name: str) -> dict[Hashable, int]:
    place: dict[Hashable, int] = {}
    for number, cluster in enumerate(partition):
        for item in cluster:
            if place.setdefault(item, number) != number:
                raise ValueError(f"{item!r} is in two clusters of the {name}; a partition has it in one")
    return place


def _squares(sizes: Counter[int] | Counter[tuple[int, int]]) -> int:
    return sum(size * size for size in sizes.values())
