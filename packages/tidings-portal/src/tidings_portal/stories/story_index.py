"""Incremental clustering of the articles of one language: a new article joins the most similar story or begins one.

The fit of an article is the mean of its cosines with the members of a story (average link; Voorhees 1986). So an odd
member neither opens a story to strangers, as under single link, nor closes it, as under complete link. A story without
recent news fits less and less, and is dropped in the end (`Span`). Early articles are placed with little knowledge, so
each new article triggers a re-clustering of its neighbourhood: the articles of the few nearest stories are grouped by
average link as if they had arrived together. Small stories may thus be merged or split. A story is identified by the
number of its first article.

`CosineIndex` computes the cosines with all earlier articles: term weights times rarity, on vectors of length 1.
Rarities change with every article. They are frozen, with the lengths, and recomputed when the number of articles has
grown by a tenth. So an article costs the postings of its terms, and from time to time a pass over everything. The most
frequent terms, which make up a hundredth of the squared length of an article, are left out, because their postings are
the longest and say least.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import islice, zip_longest
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings_portal.stories.packing import Column
from tidings_portal.stories.report import Report
from tidings_portal.stories.sparse_rows import Floats, Growing, Ints, Postings, SparseRows
from tidings_portal.stories.weights import Rarity, TermWeights, common_terms

Cosines = NDArray[np.float64]

_LEFT_OUT: Final = 0.01
_GROWN: Final = 1.1
_ONE_THREAD: Final = 1 << 17  # multiplications


class CosineIndex:
    """Articles as weighted terms, identified by row number in order of arrival."""

    __slots__ = ("_lengths", "_postings", "_rarities", "_rarity", "_refreshed", "_rows", "most_terms")

    def __init__(self, rarity: Rarity, most_terms: int) -> None:
        self.most_terms = most_terms
        self._rarity = rarity
        self._rows = SparseRows()
        self._postings = Postings()
        self._rarities = Growing(np.empty(0, np.float64))  # as frozen
        self._lengths = Growing(np.empty(0, np.float64))
        self._refreshed = 0

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, weights: Mapping[str, float]) -> Cosines:
        """Add an article, given the weights of its terms; return its cosines with all earlier articles."""
        before = len(self._rows.numbers)
        terms, values = self._rows.add(self._heaviest(weights))
        unseen = list(islice(reversed(self._rows.numbers), len(self._rows.numbers) - before))[::-1]
        self._rarity.see(terms, unseen)
        if len(self._rows) >= _GROWN * self._refreshed:
            self._refresh()
        else:
            new = np.arange(self._rarities.size, len(self._rows.numbers), dtype=np.int32)
            self._rarities.extend(self._rarity.of(new))
            self._rarities.all[terms] = self._rarity.of(terms)
            self._lengths.append(float(np.linalg.norm(values * self._rarities.all[terms])))
        cosines = self._cosines(terms, values)
        self._postings.add(len(self._rows) - 1, terms, values)
        return cosines

    def between(self, groups: list[list[int]]) -> Cosines:
        """Return the sums of the cosines between groups of rows, as a square matrix. Its diagonal is unspecified."""
        rows = [row for group in groups for row in group]
        vectors = [self._vector(row) for row in rows]
        sizes = [len(terms) for terms, _ in vectors]
        terms = np.concatenate([terms for terms, _ in vectors])
        weights = np.concatenate([vector for _, vector in vectors])
        owners = np.repeat([number for number, group in enumerate(groups) for _ in group], sizes)
        held_by = np.bincount(terms, minlength=len(self._rows.numbers))
        shared = held_by[terms] > 1
        columns = np.cumsum(held_by > 1) - 1
        width = int(columns[-1]) + 1 if len(columns) else 0
        places = owners[shared] * width + columns[terms[shared]]
        summed = np.bincount(places, weights[shared], minlength=len(groups) * width).astype(np.float32)
        summed = summed.reshape(len(groups), width)
        turned = summed.T.copy()
        sums = np.zeros((len(groups), len(groups)))
        # In pieces too small for the linear algebra to start threads, which would cost more than the product.
        step = max(1, _ONE_THREAD // len(groups) ** 2)
        for start in range(0, width, step):
            sums += summed[:, start : start + step] @ turned[start : start + step]
        return sums

    def _heaviest(self, weights: Mapping[str, float]) -> Mapping[str, float]:
        """Return the heaviest terms of an article with very many terms."""
        if len(weights) <= self.most_terms:
            return weights
        numbers_by_term, rarities = self._rows.numbers, self._rarities.all
        unseen = self._rarity.unseen()
        terms = sorted(weights)
        numbers = np.array([numbers_by_term.get(term, -1) for term in terms])
        rarity = np.where((numbers >= 0) & (numbers < len(rarities)), rarities[numbers] if len(rarities) else 0, unseen)
        order = np.argsort(-rarity * np.array([weights[term] for term in terms]), kind="stable")
        return {terms[place]: weights[terms[place]] for place in order[: self.most_terms].tolist()}

    def _refresh(self) -> None:
        """Recompute the rarities of all terms, and the vector lengths of all articles."""
        self._refreshed = len(self._rows)
        self._rarities = Growing(self._rarity.of_all())
        squares = (self._rows.values * self._rarities.all[self._rows.terms]) ** 2
        owners = np.repeat(np.arange(len(self._rows)), np.diff(self._rows.starts))
        self._lengths = Growing(np.sqrt(np.bincount(owners, squares, minlength=len(self._rows))))

    def _cosines(self, terms: Ints, values: Floats) -> Cosines:
        length = float(self._lengths.all[-1])
        if not length:
            return np.zeros(len(self._rows) - 1)
        rarities = self._rarities.all[terms]
        weights = values * rarities / length
        order = np.argsort(rarities, kind="stable")
        looked_up = order[np.cumsum(weights[order] ** 2) > _LEFT_OUT]
        factors = weights[looked_up] * rarities[looked_up]
        common = self._postings.summed(terms[looked_up].tolist(), factors, len(self._rows) - 1)
        lengths = self._lengths.all[:-1]
        np.divide(common, lengths, out=common, where=lengths > 0)
        return common

    def _vector(self, row: int) -> tuple[Ints, Cosines]:
        terms, values = self._rows.row(row)
        return terms, values * self._rarities.all[terms] / max(float(self._lengths.all[row]), 1e-12)

    def select(self, selected: NDArray[np.int64]) -> CosineIndex:
        """Return an index of the articles with these row numbers, in this order. The rarities of their terms remain."""
        rows = self._rows.select(selected)
        terms = np.array([self._rows.numbers[term] for term in rows.numbers], np.int64)
        fewer = CosineIndex(self._rarity.select(terms), self.most_terms)
        fewer._rows = rows
        fewer._postings = Postings.of(rows, rows.values)
        fewer._refresh()
        return fewer

    def columns(self) -> dict[str, Column]:
        """Return the state as columns (`stories.packing` serialises them)."""
        return {
            **self._rows.columns(),
            **self._rarity.columns(),
            "lengths": self._lengths.all,
            "rarities": self._rarities.all,
            "most": np.array([self.most_terms, self._refreshed], np.int64),
        }

    @classmethod
    def of(cls, columns: Mapping[str, Column], common: Mapping[str, float]) -> CosineIndex:
        """Restore the index from its columns: the next article gets the same cosines."""
        most, refreshed = columns["most"].tolist()
        index = cls(Rarity.of_columns(columns, common), most)
        index._rows = SparseRows.of(columns)
        index._postings = Postings.of(index._rows, index._rows.values)
        index._rarities = Growing(columns["rarities"].astype(np.float64))
        index._lengths = Growing(columns["lengths"].astype(np.float64))
        index._refreshed = refreshed
        return index


def average_link(likeness: NDArray[np.float64], counts: NDArray[np.float64], least: float) -> list[list[int]]:
    """Return average-link groups with a mean similarity of at least `least`, each sorted, ordered by first members.

    Args:
        likeness: the mean similarities, a square matrix.
        counts: the number of articles of each row.
        least: the similarity at which to stop. Ties merge the first two.
    """
    means = likeness.astype(np.float64)
    np.fill_diagonal(means, -np.inf)
    sizes = counts.astype(np.float64)
    groups: list[list[int]] = [[place] for place in range(len(sizes))]
    while len(sizes) > 1:
        first, second = sorted(divmod(int(means.argmax()), len(sizes)))
        if means[first, second] < least:
            break
        merged = (means[first] * sizes[first] + means[second] * sizes[second]) / (sizes[first] + sizes[second])
        means[first] = means[:, first] = merged
        means[second] = means[:, second] = -np.inf
        means[first, first] = -np.inf
        sizes[first] += sizes[second]
        groups[first] += groups[second]
        groups[second] = []
    return sorted(sorted(group) for group in groups if group)


DAY: Final = 86_400.0
_NEAR: Final = 4  # stories to re-cluster with an article
_UNITS: Final = 64  # articles to re-cluster; a story that does not fit in remains unchanged
_LATEST: Final = 40  # members that represent a large story
_LOOKED: Final = 500  # articles between searches for old stories


@dataclass(frozen=True, slots=True)
class Span:
    """How many days a story accepts articles.

    For `fresh` days similarity counts in full, then halves every `half_life`; after `most` days no article joins.
    """

    fresh: float = 3.0
    half_life: float = 7.0
    most: float = 30.0

    def remaining(self, gaps: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the factor of a similarity after each time gap (in seconds): 1 while fresh, 0 when too old."""
        days = gaps / DAY
        return np.where(days > self.most, 0.0, 0.5 ** (np.maximum(days - self.fresh, 0.0) / self.half_life))


@dataclass(frozen=True, slots=True)
class Tracking:
    """The parameters of story clustering. docs/explanation/stories.md explains the defaults."""

    joins: float = 0.23  # least mean cosine of a story: the middle of a plateau from 0.22 to 0.24
    terms: int = 100  # the heaviest terms per article; 200 are no better
    prior: float = 5.0  # articles, see `Rarity`
    background: float = 20.0  # articles that the common terms count for
    half_life: float = 50_000.0  # of document counts, in articles
    weights: TermWeights = field(default_factory=TermWeights)
    span: Span = field(default_factory=Span)


@dataclass(frozen=True, slots=True)
class StoryPlacement:
    """The story in which an article was placed, by the number of its first article, and how well it fits."""

    story: int
    is_first: bool  # a new event
    fit: float = 0.0  # mean cosine with the members of the best story, reduced by its age
    nearest: int | None = None  # the most similar article so far
    merged: tuple[int, ...] = ()  # stories that were merged into others
    changed: tuple[int, ...] = ()  # other stories that gained or lost articles


class StoryIndex:
    """The stories of one language, with the state to place the next article."""

    __slots__ = ("_firsts", "_ids", "_index", "_known", "_lasts", "_members", "_slots", "_times", "latest", "tracking")

    def __init__(self, tracking: Tracking, language: str = "") -> None:
        self.tracking = tracking
        self.latest = 0.0  # the latest time
        rarity = Rarity(tracking.prior, tracking.half_life, tracking.background, common_terms(language))
        self._index = CosineIndex(rarity, tracking.terms)
        self._ids = Growing(np.empty(0, np.int64))  # of each article
        self._known: dict[int, int] = {}  # its row
        self._times = Growing(np.empty(0, np.float64))
        self._slots = Growing(np.empty(0, np.int64))  # the slot of its story
        self._members: list[list[int]] = []  # rows, sorted; empty for merged stories
        self._firsts = Growing(np.empty(0, np.float64))
        self._lasts = Growing(np.empty(0, np.float64))

    def __len__(self) -> int:
        return len(self._index)

    def place(self, report: Report, time: float) -> StoryPlacement:
        """Place an article. An article that was placed before stays where it is."""
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
        merged = tuple(sorted(before.keys() - after.keys()))
        changed = tuple(sorted(story for story in after if story != name and after[story] != before.get(story)))
        fit = fits[near[0]] if near else 0.0
        return StoryPlacement(name, len(members) == 1, fit, nearest, merged, changed)

    def stories(self) -> list[tuple[int, tuple[int, ...], float, float]]:
        """Return each story: number, articles in order of arrival, first and last time."""
        ids, firsts, lasts = self._ids.all.tolist(), self._firsts.all.tolist(), self._lasts.all.tolist()
        stories = [
            (rows[0], ids[rows[0]], tuple(ids[row] for row in rows), first, last)
            for rows, first, last in zip(self._members, firsts, lasts, strict=True)
            if rows
        ]
        return [story[1:] for story in sorted(stories)]

    def _name(self, slot: int) -> int:
        return int(self._ids.all[self._members[slot][0]])

    def _near(self, cosines: Cosines, time: float) -> list[tuple[int, float]]:
        """Return the stories that an article may belong to, with its similarity to each, best first."""
        count = len(self._members)
        sums = np.bincount(self._slots.all, cosines, minlength=count)
        means = sums / np.maximum(np.bincount(self._slots.all, minlength=count), 1)
        candidates = np.flatnonzero(means >= self.tracking.joins / 2)
        gaps = np.maximum(0.0, np.maximum(time - self._lasts.all[candidates], self._firsts.all[candidates] - time))
        fits = means[candidates] * self.tracking.span.remaining(gaps)
        best = np.argsort(-fits, kind="stable")[:_NEAR]
        return [
            (int(candidates[place]), float(fits[place])) for place in best if fits[place] >= self.tracking.joins / 2
        ]

    def _settle(self, near: list[int], row: int) -> None:
        """Cluster the articles of the stories nearest to a new article again, by average link.

        A large story is not split any more; it stays, grows, or absorbs others.
        """
        units = [[row]]
        for slot in near:
            rows = self._members[slot]
            units += [[member] for member in rows] if len(units) + len(rows) <= _UNITS else [rows]
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
        if not self._members[-1]:  # the slot that was opened for this article
            self._members.pop()
            self._firsts.pop()
            self._lasts.pop()

    def _open(self) -> int:
        """Add an empty story and return its index in the arrays of stories."""
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
        """Return the current stories, by index, of the articles in some former stories."""
        rows = [member for members in before.values() for member in members]
        return sorted(set(self._slots.all[[*rows, row]].tolist()))

    def _forget(self) -> None:
        """Drop stories that are too old to accept articles, once they hold most articles."""
        if not len(self._index) or len(self._index) % _LOOKED:
            return
        is_old = self._lasts.all < self.latest - self.tracking.span.most * DAY
        if 2 * int(is_old[self._slots.all].sum()) > len(self._index):
            self._keep(np.flatnonzero(~is_old[self._slots.all]))

    def _keep(self, rows: NDArray[np.int64]) -> None:
        slots, renumbered = np.unique(self._slots.all[rows], return_inverse=True)
        place = {row: number for number, row in enumerate(rows.tolist())}
        self._index = self._index.select(rows)
        self._ids, self._times = Growing(self._ids.all[rows]), Growing(self._times.all[rows])
        self._known = {number: row for row, number in enumerate(self._ids.all.tolist())}
        self._slots = Growing(renumbered.astype(np.int64))
        self._members = [[place[row] for row in self._members[slot]] for slot in slots.tolist()]
        self._firsts, self._lasts = Growing(self._firsts.all[slots]), Growing(self._lasts.all[slots])

    def columns(self) -> dict[str, Column]:
        """Return the state as columns (`stories.packing` serialises them)."""
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
        """Restore the index from its columns."""
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
