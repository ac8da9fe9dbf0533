"""LBNEST's single link, one article at a time: at every moment the same clusters as over all articles at once.

Under single link a new article joins every cluster that has a member near it, and makes one of them. So nothing that
was joined is ever parted, and the order in which articles come does not matter.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tidings.news.stories.linkage import Clusters, Forest
from tidings.news.stories.near import CUT, NearIndex, tokens
from tidings.news.stories.packing import packed, unpacked
from tidings.news.stories.report import Report

_KIND, _VERSION = "single link", 1


@dataclass(frozen=True, slots=True)
class Joined:
    """What became of an article: its cluster, by the number of its first member, and clusters that are now in it."""

    cluster: int
    merged: tuple[int, ...] = ()
    nearest: int | None = None
    distance: float = 1.0


class SingleLink:
    """Clusters of articles at a cut, kept up as they come."""

    __slots__ = ("_forest", "_ids", "_index", "cut")

    def __init__(self, cut: float = CUT) -> None:
        self.cut = cut
        self._index = NearIndex()
        self._forest = Forest()
        self._ids: list[int] = []

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, report: Report) -> Joined:
        """Put an article where it belongs."""
        near = self._index.add(tokens(report), report.language, self.cut)
        place = self._forest.grow()
        self._ids.append(report.id)
        joined = sorted({self._forest.root(one.row) for one in near})
        for root in joined:
            self._forest.join(root, place)
        if not near:
            return Joined(report.id)
        best = min(near, key=lambda one: (one.distance, one.row))
        first, *others = (self._ids[root] for root in joined)
        return Joined(first, tuple(others), self._ids[best.row], best.distance)

    def clusters(self) -> Clusters:
        """All clusters, as `single_link` gives them."""
        members: dict[int, list[int]] = {}
        for place, number in enumerate(self._ids):
            members.setdefault(self._forest.root(place), []).append(number)
        return [tuple(cluster) for cluster in members.values()]

    def state(self) -> bytes:
        """All of it, for keeping."""
        columns = {
            "cut": np.array([self.cut]),
            "ids": np.array(self._ids, np.int64),
            "above": np.array(self._forest.above, np.int64),
        }
        return packed(_KIND, _VERSION, columns | self._index.columns())

    @classmethod
    def from_state(cls, kept: bytes) -> SingleLink:
        """As it was kept.

        Raises:
            BadState: the bytes are damaged or of something else.
        """
        columns = unpacked(kept, _KIND, _VERSION)
        found = cls(float(columns["cut"][0]))
        found._ids = columns["ids"].tolist()
        found._forest.above = columns["above"].tolist()
        found._index = NearIndex.of(columns)
        return found
