"""Hierarchical clustering cut at a distance, single and complete link (LBNEST V.A), over all articles at once.

Cut at a distance, neither needs the distances of all pairs. Single-link clusters are the connected components of the
graph of near pairs. Under complete link every pair of a cluster is near, so a cluster lies inside one component, and
each component is clustered separately: merge the two clusters whose farthest members are nearest, with ties to the
earliest articles.

The distance is LBNEST's (V): the length of a story is the square root of the number of its tokens, the similarity of
two the sum of √(count · count) over the tokens that both have, over the product of the lengths; the distance is
1 − similarity. Written as Σ √(count/tokens) · √(count/tokens) it is the product of two vectors of length 1, which
allows an index (Bayardo, Ma and Srikant 2007): the remaining terms add at most the length of the rest of the query.
Terms are looked up from the rarest to the most frequent, until the rest is small. Only articles that could still be
near are then compared in full.

A token is a content word except stop words. LBNEST removes full stops, commas and common verbs, and does not stem.
Distances are rounded to 12 places, so that the order of summation cannot move one across the cut.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.text import base_language, terms
from tidings_portal.stories.packing import Column
from tidings_portal.stories.report import Report
from tidings_portal.stories.sparse_rows import Floats, Growing, Ints, Postings, SparseRows

#: LBNEST V and VI.D: 0.35 to 0.4 separates similar stories from others; 0.38 was used.
CUT: Final = 0.38
#: The maximum rest of a query of length 1: a fifth leaves few candidates, without reading the most frequent terms.
_REMAINING: Final = 0.2
#: Rounding of single precision in the postings.
_SLACK: Final = 1e-5


def tokens(report: Report, *, stemmed: bool = False) -> list[str]:
    """Return the tokens that LBNEST compares: headline and text without stop words."""
    return terms(f"{report.title}\n{report.text}", report.language, stemmed=stemmed)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An earlier article by its row, and its distance."""

    row: int
    distance: float


class NearIndex:
    """An index of articles by token counts, for exact near neighbours of a new article."""

    __slots__ = ("_postings", "_rows", "_sizes")

    def __init__(self) -> None:
        self._rows = SparseRows()
        self._sizes = Growing(np.empty(0, np.float64))
        self._postings = Postings()

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, words: list[str], language: str, cut: float) -> list[Neighbour]:
        """Add an article; return the earlier articles nearer than a distance, in order."""
        # Terms are separate by language, so articles in two languages are never near.
        space = base_language(language)
        counted = {f"{space} {word}": float(count) for word, count in Counter(words).items()}
        row_terms, counts = self._rows.add(counted)
        size = float(len(words))
        weights = np.sqrt(counts / max(size, 1.0)).astype(np.float32)
        candidates = self._candidates(row_terms, weights, 1.0 - cut)
        near = [
            Neighbour(row, distance)
            for row in candidates.tolist()
            if (distance := self._distance(row_terms, counts, size, row)) < cut
        ]
        self._postings.add(len(self._rows) - 1, row_terms, weights)
        self._sizes.append(size)
        return near

    def _candidates(self, row_terms: Ints, weights: Floats, least: float) -> NDArray[np.int64]:
        """Return the rows whose similarity to a new article may exceed `least`."""
        frequencies = np.array([self._postings.count(term) for term in row_terms.tolist()], np.int64)
        order = np.argsort(frequencies, kind="stable")
        # For each term: the length of the rest, including the term.
        remaining = np.sqrt(np.cumsum(weights[order][::-1].astype(np.float64) ** 2)[::-1])
        looked_up = order[remaining > max(min(_REMAINING, least / 2), 0.0)]
        rest = float(remaining[len(looked_up)]) if len(looked_up) < len(order) else 0.0
        factors = weights[looked_up].astype(np.float64)
        common = self._postings.summed(row_terms[looked_up].tolist(), factors, self._sizes.size)
        return np.flatnonzero(common > least - rest - _SLACK)

    def _distance(self, row_terms: Ints, counts: Floats, size: float, row: int) -> float:
        other_terms, other_counts = self._rows.row(row)
        _, mine, theirs = np.intersect1d(row_terms, other_terms, assume_unique=True, return_indices=True)
        products = counts[mine].astype(np.float64) * other_counts[theirs]
        sizes = size * float(self._sizes.all[row])
        similarity = math.fsum(np.sqrt(products).tolist()) / math.sqrt(sizes) if sizes else 0.0
        return round(1.0 - similarity, 12)

    def columns(self) -> dict[str, Column]:
        """Return the state of the index as columns (`stories.packing` serialises them)."""
        return {**self._rows.columns(), "sizes": self._sizes.all}

    @classmethod
    def of(cls, columns: Mapping[str, Column]) -> NearIndex:
        """Restore the index from its columns."""
        index = cls()
        index._rows = SparseRows.of(columns)
        index._sizes = Growing(columns["sizes"].astype(np.float64))
        owners = np.repeat(index._sizes.all, np.diff(index._rows.starts))
        index._postings = Postings.of(index._rows, np.sqrt(index._rows.values / owners).astype(np.float32))
        return index


#: Clusters as numbers of articles, each in the order given; the clusters by their first members.
Clusters = list[tuple[int, ...]]
#: Two articles by their places, the earlier first, and their distance.
Pair = tuple[int, int, float]


def near_pairs(reports: Iterable[Report], cut: float = CUT, *, stemmed: bool = False) -> list[Pair]:
    """Return all pairs of articles nearer than the cut."""
    index = NearIndex()
    return [
        (neighbour.row, place, neighbour.distance)
        for place, report in enumerate(reports)
        for neighbour in index.add(tokens(report, stemmed=stemmed), report.language, cut)
    ]


def single_link(reports: Sequence[Report], cut: float = CUT, *, stemmed: bool = False) -> Clusters:
    """Return single-link clusters: chains of pairs nearer than the cut."""
    return _named(reports, connected(len(reports), near_pairs(reports, cut, stemmed=stemmed)))


def complete_link(reports: Sequence[Report], cut: float = CUT, *, stemmed: bool = False) -> Clusters:
    """Return complete-link clusters: all pairs of a cluster are nearer than the cut."""
    return _named(reports, complete(len(reports), near_pairs(reports, cut, stemmed=stemmed)))


def complete(count: int, pairs: Iterable[Pair]) -> list[list[int]]:
    """Return complete-link clusters of the items 0 to `count` - 1, given all near pairs, ordered by first members."""
    pairs = list(pairs)
    inside: dict[int, list[Pair]] = {}
    parts = connected(count, pairs)
    part_of = {place: number for number, part in enumerate(parts) for place in part}
    for pair in pairs:
        inside.setdefault(part_of[pair[0]], []).append(pair)
    return sorted(cluster for number, part in enumerate(parts) for cluster in _clustered(part, inside.get(number, [])))


def connected(count: int, pairs: Iterable[Pair]) -> list[list[int]]:
    """Return the connected components of a graph with `count` nodes, each sorted, ordered by first members."""
    forest = Forest(count)
    for first, second, _ in pairs:
        forest.join(first, second)
    parts: dict[int, list[int]] = {}
    for place in range(count):
        parts.setdefault(forest.root(place), []).append(place)
    return list(parts.values())


class Forest:
    """A union-find structure over the items 0, 1, 2 … The root of a set is its smallest member."""

    __slots__ = ("above",)

    def __init__(self, count: int = 0) -> None:
        self.above = list(range(count))

    def grow(self) -> int:
        """Add an item as a set of its own, and return it."""
        self.above.append(len(self.above))
        return len(self.above) - 1

    def root(self, place: int) -> int:
        """Return the root of the set that contains an item."""
        above = self.above
        while above[place] != place:
            above[place] = above[above[place]]
            place = above[place]
        return place

    def join(self, first: int, second: int) -> int:
        """Merge the sets of two items and return the root."""
        first, second = sorted((self.root(first), self.root(second)))
        self.above[second] = first
        return first


def _clustered(part: list[int], pairs: list[Pair]) -> list[list[int]]:
    """Return the complete-link clusters of a connected component. Missing pairs are infinitely far."""
    if len(part) == 1:
        return [part]
    at = {place: number for number, place in enumerate(part)}
    far = np.full((len(part), len(part)), np.inf)
    for first, second, distance in pairs:
        far[at[first], at[second]] = far[at[second], at[first]] = distance
    clusters: list[list[int]] = [[place] for place in part]
    nearest = far.min(axis=1)  # of each cluster; merging never shortens distances
    while True:
        first = int(nearest.argmin())  # the first of equals
        if not np.isfinite(nearest[first]):
            return [sorted(cluster) for cluster in clusters if cluster]
        first, second = sorted((first, int(far[first].argmin())))
        clusters[first] += clusters[second]
        clusters[second] = []
        changed = np.flatnonzero((far[first] <= nearest) | (far[second] <= nearest))
        far[first] = far[:, first] = np.maximum(far[first], far[second])
        far[second] = far[:, second] = np.inf
        far[first, first] = np.inf
        nearest[second] = np.inf
        for place in {first, *changed.tolist()} - {second}:
            nearest[place] = far[place].min()


def _named(reports: Sequence[Report], clusters: Iterable[Sequence[int]]) -> Clusters:
    return [tuple(reports[place].id for place in cluster) for cluster in clusters]
