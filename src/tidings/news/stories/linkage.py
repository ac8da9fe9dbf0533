"""Hierarchical clustering cut at a distance, single and complete link (LBNEST V.A), over all articles at once.

Cut at a distance, neither needs the distances of all pairs. Under single link two articles are together if a chain of
near pairs leads from one to the other: the connected parts of the graph of near pairs. Under complete link every pair
of a cluster is near, so a cluster lies inside one such part, and only the parts are joined step by step: always the two
clusters whose farthest members are nearest, among equals those with the earliest articles.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from tidings.news.stories.near import CUT, NearIndex, tokens
from tidings.news.stories.report import Report

#: Clusters as numbers of articles, each in the order given; the clusters by their first members.
Clusters = list[tuple[int, ...]]
#: Two articles by their places, the earlier first, and their distance.
Pair = tuple[int, int, float]


def near_pairs(reports: Iterable[Report], cut: float = CUT) -> list[Pair]:
    """All pairs of articles nearer than the cut."""
    index = NearIndex()
    return [
        (neighbour.row, place, neighbour.distance)
        for place, report in enumerate(reports)
        for neighbour in index.add(tokens(report), report.language, cut)
    ]


def single_link(reports: Sequence[Report], cut: float = CUT) -> Clusters:
    """Articles of one cluster are joined by a chain of pairs nearer than the cut."""
    return _named(reports, connected(len(reports), near_pairs(reports, cut)))


def complete_link(reports: Sequence[Report], cut: float = CUT) -> Clusters:
    """All pairs of a cluster are nearer than the cut."""
    return _named(reports, complete(len(reports), near_pairs(reports, cut)))


def complete(count: int, pairs: Iterable[Pair]) -> list[list[int]]:
    """Groups of places all of whose pairs are among those given, joined by complete link; by their first members."""
    pairs = list(pairs)
    inside: dict[int, list[Pair]] = {}
    parts = connected(count, pairs)
    part_of = {place: number for number, part in enumerate(parts) for place in part}
    for pair in pairs:
        inside.setdefault(part_of[pair[0]], []).append(pair)
    return sorted(cluster for number, part in enumerate(parts) for cluster in _joined(part, inside.get(number, [])))


def connected(count: int, pairs: Iterable[Pair]) -> list[list[int]]:
    """The connected parts of a graph, each sorted, by their first members."""
    forest = Forest(count)
    for one, other, _ in pairs:
        forest.join(one, other)
    parts: dict[int, list[int]] = {}
    for place in range(count):
        parts.setdefault(forest.root(place), []).append(place)
    return list(parts.values())


class Forest:
    """Disjoint sets of places; the root of a set is its first member."""

    __slots__ = ("above",)

    def __init__(self, count: int = 0) -> None:
        self.above = list(range(count))

    def grow(self) -> int:
        """A new place, alone."""
        self.above.append(len(self.above))
        return len(self.above) - 1

    def root(self, place: int) -> int:
        """The first member of the set that a place is in."""
        above = self.above
        while above[place] != place:
            above[place] = above[above[place]]
            place = above[place]
        return place

    def join(self, one: int, other: int) -> int:
        """Make one set of two; its root."""
        first, second = sorted((self.root(one), self.root(other)))
        self.above[second] = first
        return first


def _joined(part: list[int], pairs: list[Pair]) -> list[list[int]]:
    """Complete link inside one connected part; what is not near is infinitely far."""
    if len(part) == 1:
        return [part]
    at = {place: number for number, place in enumerate(part)}
    far = np.full((len(part), len(part)), np.inf)
    for one, other, distance in pairs:
        far[at[one], at[other]] = far[at[other], at[one]] = distance
    clusters: list[list[int]] = [[place] for place in part]
    nearest = far.min(axis=1)  # of each cluster; joining makes distances longer, never shorter
    while True:
        one = int(nearest.argmin())  # the first of equals
        if not np.isfinite(nearest[one]):
            return [sorted(cluster) for cluster in clusters if cluster]
        one, other = sorted((one, int(far[one].argmin())))
        clusters[one] += clusters[other]
        clusters[other] = []
        changed = np.flatnonzero((far[one] <= nearest) | (far[other] <= nearest))
        far[one] = far[:, one] = np.maximum(far[one], far[other])
        far[other] = far[:, other] = np.inf
        far[one, one] = np.inf
        nearest[other] = np.inf
        for place in {one, *changed.tolist()} - {other}:
            nearest[place] = far[place].min()


def _named(reports: Sequence[Report], clusters: Iterable[Sequence[int]]) -> Clusters:
    return [tuple(reports[place].id for place in cluster) for cluster in clusters]
