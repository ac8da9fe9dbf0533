"""Classes given to things: the confusion matrix, accuracy, and precision, recall and F of each class with their means.

Memory-based thesis 3.2.3 and 6.1: the **macro** mean averages the precisions, the recalls and the Fs themselves; the
**micro** mean adds up the counts of all and takes precision, recall and F of the sums. So macro F is not the harmonic
mean of macro precision and macro recall. Both are taken over classes, or over sources of pages. Hybrid rules 4.5: gold
in rows, predictions in columns. News-block accuracy: N-EXT 5.1, eq. 5.1. For κ see `lab.agreement`.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.lab.metrics.score import Counts, ratio


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
class Means:
    """Means of precision, recall and F, each on its own."""

    precision: float
    recall: float
    f1: float


def macro(counts: Iterable[Counts]) -> Means:
    """The mean of precisions, of recalls and of Fs: each class or source weighs the same."""
    rows = list(counts)
    return Means(
        ratio(sum(one.precision for one in rows), len(rows)),
        ratio(sum(one.recall for one in rows), len(rows)),
        ratio(sum(one.f1 for one in rows), len(rows)),
    )


def micro(counts: Iterable[Counts]) -> Means:
    """Precision, recall and F of the summed counts: each instance weighs the same."""
    total = sum(counts, Counts())
    return Means(total.precision, total.recall, total.f1)


def news_block_accuracy(matched: Iterable[bool]) -> float:
    """Share of the labelled pages whose news block was found (N-EXT, eq. 5.1)."""
    pages = list(matched)
    return ratio(sum(pages), len(pages))
