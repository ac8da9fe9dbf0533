"""Classification measures: confusion matrix, accuracy, and precision, recall and F of each class with their means.

Sources: memory-based thesis 3.2.3 and 6.1; hybrid rules 4.5 (ground truth in rows, predictions in columns); N-EXT 5.1,
eq. 5.1 (news-block accuracy). The **macro** mean averages precisions, recalls and Fs separately; the **micro** mean
computes precision, recall and F from the sum of the counts. So macro F is not the harmonic mean of macro precision and
macro recall. Both means are taken over classes, or over sources of pages.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings_lab.metrics.score import Counts, ratio


@dataclass(frozen=True, slots=True, eq=False)
class Confusion:
    """A confusion matrix: how often each gold class (row) was predicted as each class (column)."""

    labels: tuple[Hashable, ...]
    cells: NDArray[np.int64]

    @classmethod
    def of(cls, gold: Sequence[Hashable], predicted: Sequence[Hashable]) -> Confusion:
        """Count two sequences of labels against each other; labels are in order of first occurrence."""
        labels = tuple(dict.fromkeys([*gold, *predicted]))
        place = {label: number for number, label in enumerate(labels)}
        cells = np.zeros((len(labels), len(labels)), np.int64)
        for gold_label, predicted_label in zip(gold, predicted, strict=True):
            cells[place[gold_label], place[predicted_label]] += 1
        return cls(labels, cells)

    @property
    def accuracy(self) -> float:
        """Return the share of correct predictions."""
        return ratio(int(np.trace(self.cells)), int(self.cells.sum()))

    def counts(self, label: Hashable) -> Counts:
        """Return the counts of one class against all others."""
        at = self.labels.index(label)
        correct = int(self.cells[at, at])
        predicted, gold = int(self.cells[:, at].sum()), int(self.cells[at].sum())
        return Counts(correct, predicted - correct, gold - correct, int(self.cells.sum()) - predicted - gold + correct)

    def by_class(self, labels: Iterable[Hashable] | None = None) -> dict[Hashable, Counts]:
        """Return the counts of every class, or of some classes: garbage, which is most of a page, would flatter any
        mean.
        """
        return {label: self.counts(label) for label in (self.labels if labels is None else labels)}


@dataclass(frozen=True, slots=True)
class ClassMeans:
    """Means of precision, recall and F over classes or sources."""

    precision: float
    recall: float
    f1: float


def macro(counts: Iterable[Counts]) -> ClassMeans:
    """Return the means of precisions, recalls and Fs: each class or source has the same weight."""
    rows = list(counts)
    return ClassMeans(
        ratio(sum(row.precision for row in rows), len(rows)),
        ratio(sum(row.recall for row in rows), len(rows)),
        ratio(sum(row.f1 for row in rows), len(rows)),
    )


def micro(counts: Iterable[Counts]) -> ClassMeans:
    """Return precision, recall and F of the summed counts: each instance has the same weight."""
    total = sum(counts, Counts())
    return ClassMeans(total.precision, total.recall, total.f1)


def news_block_accuracy(matched: Iterable[bool]) -> float:
    """Return the share of the labelled pages whose news block was found (N-EXT, eq. 5.1)."""
    pages = list(matched)
    return ratio(sum(pages), len(pages))
