"""Classes given to things: the confusion matrix, accuracy, and precision, recall and F of each class with their means.

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

import numpy as np
from numpy.typing import NDArray

from tidings.lab.metrics.score import Counts, Score, ratio


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
