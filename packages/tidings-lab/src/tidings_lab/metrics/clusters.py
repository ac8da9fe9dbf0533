"""Clustering measures: comparison of clusters with reference clusters.

**Pairs** (LBNEST V, clustering terms, table I): every ordered pair of items, including an item with itself, is together
or apart in the reference and in the response. **B³** (Bagga and Baldwin 1998): for every item, which share of its
cluster belongs to it, and which share of its reference cluster is there; averaged over items, so that no large cluster
dominates.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Hashable, Iterable

from tidings_lab.metrics.score import Counts, Score, ratio

#: Disjoint groups of items.
Partition = Iterable[Collection[Hashable]]


def pair_counts(reference: Partition, response: Partition, *, self_pairs: bool = True) -> Counts:
    """Return pairs that are together in both (TP), only in the response (FP), only in the reference (FN), in neither
    (TN).

    Args:
        reference: the correct clusters.
        response: the clusters to evaluate.
        self_pairs: count the pair of an item with itself, as LBNEST does; such pairs are true positives.

    Raises:
        ValueError: the two sides do not contain the same items, or an item is in two clusters.
    """
    ours, theirs, shared = _sizes(reference, response)
    items = sum(ours.values())
    both = _squares(shared)
    self_count = 0 if self_pairs else items
    together, expected = _squares(theirs), _squares(ours)
    return Counts(both - self_count, together - both, expected - both, items * items - together - expected + both)


def b_cubed(reference: Partition, response: Partition) -> Score:
    """Return B³ precision and recall.

    Raises:
        ValueError: the two sides do not contain the same items, or an item is in two clusters.
    """
    ours, theirs, shared = _sizes(reference, response)
    items = sum(ours.values())
    return Score(
        ratio(sum(count * count / theirs[there] for (_, there), count in shared.items()), items),
        ratio(sum(count * count / ours[here] for (here, _), count in shared.items()), items),
    )


def _sizes(reference: Partition, response: Partition) -> tuple[Counter[int], Counter[int], Counter[tuple[int, int]]]:
    """Return the sizes of the clusters of both clusterings, and of the intersections of each two."""
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
