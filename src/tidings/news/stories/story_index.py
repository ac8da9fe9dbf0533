"""Stories of one language: a new article goes to the story it is most like on average, or begins one.

How well an article fits a story is the mean of its cosines with the members (average link; Voorhees 1986): so one odd
member neither opens a story to strangers, as under single link, nor closes it, as under complete link. An index gives
the cosines with all articles at once, and they are summed by story. A story that has had no news for days fits less and
less, and is forgotten in the end (`Span`).

What comes early is placed knowing little. So an article's surroundings are settled anew when it comes: the articles of
the few stories near it are grouped by average link as if they had come all at once. Stories may so be merged or parted
while they are small; a story is known by the number of its first article, whatever becomes of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.news.stories.cosines import CosineIndex, Cosines
from tidings.news.stories.packing import Column
from tidings.news.stories.rarity import Rarity, common_terms
from tidings.news.stories.report import Report
from tidings.news.stories.sparse_rows import Growing
from tidings.news.stories.weights import TermWeights


def average_link(likeness: NDArray[np.float64], counts: NDArray[np.float64], least: float) -> list[list[int]]:
    """Groups of things whose mean likeness is at least so much, each sorted, by their first members.

    Args:
        likeness: the mean likeness between each two things, a square.
        counts: how many each thing stands for.
        least: where to stop. Among equals the first two are joined.
    """
    means = likeness.astype(np.float64)
    np.fill_diagonal(means, -np.inf)
    sizes = counts.astype(np.float64)
    groups: list[list[int]] = [[place] for place in range(len(sizes))]
    while len(sizes) > 1:
        one, other = sorted(divmod(int(means.argmax()), len(sizes)))
        if means[one, other] < least:
            break
        joined = (means[one] * sizes[one] + means[other] * sizes[other]) / (sizes[one] + sizes[other])
        means[one] = means[:, one] = joined
        means[other] = means[:, other] = -np.inf
        means[one, one] = -np.inf
        sizes[one] += sizes[other]
        groups[one] += groups[other]
        groups[other] = []
    return sorted(sorted(group) for group in groups if group)


DAY: Final = 86_400.0
_NEAR: Final = 4  # stories that are looked at anew with an article
_UNITS: Final = 64  # articles that are grouped anew at once; a story that does not fit in stays as it is
_LATEST: Final = 40  # members that stand for a large story
_LOOKED: Final = 500  # articles after which it is worth looking for those to forget


@dataclass(frozen=True, slots=True)
class Span:
    """How long a story is news, in days: it fits as well as ever while fresh, then ever less, then not at all."""

    fresh: float = 3.0
    half_life: float = 7.0
    most: float = 30.0

    def remaining(self, gaps: NDArray[np.float64]) -> NDArray[np.float64]:
        """How much of a likeness remains after gaps in seconds."""
        days = gaps / DAY
        return np.where(days > self.most, 0.0, 0.5 ** (np.maximum(days - self.fresh, 0.0) / self.half_life))


@dataclass(frozen=True, slots=True)
class Tracking:
    """When an article belongs to a story. How the defaults were found, on labelled stories: docs, stories.md."""

    joins: float = 0.23  # mean cosine from which articles are of one story: the middle of a plateau from 0.22 to 0.24
    terms: int = 100  # of an article, those that weigh most; 200 do no better
    prior: float = 5.0  # articles, see `Rarity`
    background: float = 20.0  # articles that what is known beforehand of rarity stands for
    half_life: float = 50_000.0  # of what is known of rarity, in articles
    weights: TermWeights = field(default_factory=TermWeights)
    span: Span = field(default_factory=Span)


@dataclass(frozen=True, slots=True)
class StoryPlacement:
    """What became of an article: its story, by the number of the first article in it, and how well it fits there."""

    story: int
    is_first: bool  # nobody told of it before: a new event
    fit: float = 0.0  # mean cosine with the members of the best story, less what time has taken
    nearest: int | None = None  # the most similar article so far
    gone: tuple[int, ...] = ()  # stories that are part of others now
    changed: tuple[int, ...] = ()  # other stories that won or lost articles by it


class StoryIndex:
    """The stories of one language, with all that is needed to place the next article."""

    __slots__ = ("_firsts", "_ids", "_index", "_known", "_lasts", "_members", "_slots", "_times", "latest", "tracking")

    def __init__(self, tracking: Tracking, language: str = "") -> None:
        self.tracking = tracking
        self.latest = 0.0  # time seen
        rarity = Rarity(tracking.prior, tracking.half_life, tracking.background, common_terms(language))
        self._index = CosineIndex(rarity, tracking.terms)
        self._ids = Growing(np.empty(0, np.int64))  # of each article
        self._known: dict[int, int] = {}  # its row
        self._times = Growing(np.empty(0, np.float64))
        self._slots = Growing(np.empty(0, np.int64))  # its story's place in the following
        self._members: list[list[int]] = []  # rows, sorted; none where a story went into another
        self._firsts = Growing(np.empty(0, np.float64))
        self._lasts = Growing(np.empty(0, np.float64))

    def __len__(self) -> int:
        return len(self._index)

    def place(self, report: Report, time: float) -> StoryPlacement:
        """Put an article where it belongs; one that is known stays where it is."""
        if report.id in self._known:
            slot = int(self._slots.all[self._known[report.id]])
            return StoryPlacement(self._name(slot), len(self._members[slot]) == 1)
        self.latest = max(self.latest, time)
        self._forget()
        row = len(self._index)
        cosines = self._index.add(self.tracking.weights.of(report))
        nearest = int(self._ids.all[cosines.argmax()]) if len(cosines) and cosines.max() > 0 else None
        fits = dict(self._near(cosines, time))
        near = list(fits)
        before = {self._name(slot): tuple(self._members[slot]) for slot in near}
        self._known[report.id] = row
        self._ids.append(report.id)
        self._times.append(time)
        self._slots.append(len(self._members))
        self._write(self._open(), [row])
        if near:
            self._settle(near, row)
        slot = int(self._slots.all[row])
        members = self._members[slot]
        name = self._name(slot)
        after = {self._name(slot): tuple(self._members[slot]) for slot in self._slots_of(before, row)}
        gone = tuple(sorted(before.keys() - after.keys()))
        changed = tuple(sorted(one for one in after if one != name and after[one] != before.get(one)))
        fit = fits[near[0]] if near else 0.0
        return StoryPlacement(name, len(members) == 1, fit, nearest, gone, changed)

    def stories(self) -> list[tuple[int, tuple[int, ...], float, float]]:
        """Each story that is remembered: number, articles in the order they came, first and last time."""
        ids, firsts, lasts = self._ids.all.tolist(), self._firsts.all.tolist(), self._lasts.all.tolist()
        found = [
            (rows[0], ids[rows[0]], tuple(ids[row] for row in rows), first, last)
            for rows, first, last in zip(self._members, firsts, lasts, strict=True)
            if rows
        ]
        return [story[1:] for story in sorted(found)]

    def _name(self, slot: int) -> int:
        return int(self._ids.all[self._members[slot][0]])

    def _near(self, cosines: Cosines, time: float) -> list[tuple[int, float]]:
        """The stories that an article might belong to and how well it fits there, the best first."""
        count = len(self._members)
        sums = np.bincount(self._slots.all, cosines, minlength=count)
        means = sums / np.maximum(np.bincount(self._slots.all, minlength=count), 1)
        some = np.flatnonzero(means >= self.tracking.joins / 2)
        gaps = np.maximum(0.0, np.maximum(time - self._lasts.all[some], self._firsts.all[some] - time))
        fits = means[some] * self.tracking.span.remaining(gaps)
        best = np.argsort(-fits, kind="stable")[:_NEAR]
        return [(int(some[place]), float(fits[place])) for place in best if fits[place] >= self.tracking.joins / 2]

    def _settle(self, near: list[int], row: int) -> None:
        """Part an article's surroundings anew: average link over the articles of the stories near it.

        A large story is not taken apart any more; it stays, grows, or takes others in.
        """
        units = [[row]]
        for slot in near:
            rows = self._members[slot]
            units += [[one] for one in rows] if len(units) + len(rows) <= _UNITS else [rows]
        sample = [unit[-_LATEST:] for unit in units]
        sizes = np.array([len(unit) for unit in sample], np.float64)
        means = self._index.between(sample) / np.outer(sizes, sizes)
        firsts = np.array([self._times.all[unit].min() for unit in units])
        lasts = np.array([self._times.all[unit].max() for unit in units])
        gaps = np.maximum(0.0, np.maximum(firsts[:, None] - lasts[None], firsts[None] - lasts[:, None]))
        counts = np.array([len(unit) for unit in units], np.float64)
        groups = average_link(means * self.tracking.span.remaining(gaps), counts, self.tracking.joins)
        parts = sorted(sorted(row for unit in group for row in units[unit]) for group in groups)
        free = sorted({*near, int(self._slots.all[row])})
        for slot in free:
            self._members[slot] = []
        for slot, part in zip_longest(free[: len(parts)], parts):
            self._write(self._open() if slot is None else slot, part)
        if not self._members[-1]:  # the place that was opened for this article
            self._members.pop()
            self._firsts.pop()
            self._lasts.pop()

    def _open(self) -> int:
        """A place for one more story."""
        self._members.append([])
        self._firsts.append(0.0)
        self._lasts.append(0.0)
        return len(self._members) - 1

    def _write(self, slot: int, rows: list[int]) -> None:
        self._members[slot] = rows
        self._slots.all[rows] = slot
        times = self._times.all[rows]
        self._firsts.all[slot], self._lasts.all[slot] = times.min(), times.max()

    def _slots_of(self, before: Mapping[int, tuple[int, ...]], row: int) -> list[int]:
        """Where the articles of some stories are now."""
        rows = [one for members in before.values() for one in members]
        return sorted(set(self._slots.all[[*rows, row]].tolist()))

    def _forget(self) -> None:
        """Drop stories that nothing can join any more, once they are the greater part."""
        if not len(self._index) or len(self._index) % _LOOKED:
            return
        gone = self._lasts.all < self.latest - self.tracking.span.most * DAY
        if 2 * int(gone[self._slots.all].sum()) > len(self._index):
            self._keep(np.flatnonzero(~gone[self._slots.all]))

    def _keep(self, rows: NDArray[np.int64]) -> None:
        slots, renumbered = np.unique(self._slots.all[rows], return_inverse=True)
        place = {row: number for number, row in enumerate(rows.tolist())}
        self._index = self._index.some(rows)
        self._ids, self._times = Growing(self._ids.all[rows]), Growing(self._times.all[rows])
        self._known = {number: row for row, number in enumerate(self._ids.all.tolist())}
        self._slots = Growing(renumbered.astype(np.int64))
        self._members = [[place[row] for row in self._members[slot]] for slot in slots.tolist()]
        self._firsts, self._lasts = Growing(self._firsts.all[slots]), Growing(self._lasts.all[slots])

    def columns(self) -> dict[str, Column]:
        """For keeping."""
        return {
            **self._index.columns(),
            "ids": self._ids.all,
            "slots": self._slots.all,
            "times": self._times.all,
            "stories": np.array([len(self._members)], np.int64),
            "latest": np.array([self.latest]),
        }

    @classmethod
    def of(cls, columns: Mapping[str, Column], tracking: Tracking, language: str = "") -> StoryIndex:
        """As it was kept."""
        index = cls(tracking, language)
        index._index = CosineIndex.of(columns, common_terms(language))
        index._ids = Growing(columns["ids"].astype(np.int64))
        index._known = {number: row for row, number in enumerate(index._ids.all.tolist())}
        index._slots = Growing(columns["slots"].astype(np.int64))
        index._times = Growing(columns["times"].astype(np.float64))
        index.latest = float(columns["latest"][0])
        rows: list[list[int]] = [[] for _ in range(int(columns["stories"][0]))]
        for row, slot in enumerate(index._slots.all.tolist()):
            rows[slot].append(row)
        for members in rows:
            slot = index._open()
            if members:
                index._write(slot, members)
        return index
