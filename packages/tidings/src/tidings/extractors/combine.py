"""Extractors made of extractors: CombinE's serial, parallel and voting ensembles.

Gottron 2008, 2009; DANA thesis 3.4.2. Serial: each works inside what the one before it left. Parallel: union or
intersection. Voting: what enough of them keep. Fallback is ours: the first that finds enough.

Keep everything a reader can see: the floor that every method is compared with.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import and_, or_

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.registry import Extractor
from tidings.page import Page, Spans


@checked
@dataclass(frozen=True, slots=True)
class Serial:
    """Each extractor works inside the result of the one before it."""

    members: tuple[Extractor, ...]

    def __call__(self, page: Page, /) -> Spans:
        """What is left after the last."""
        for member in self.members:
            page = page.within(member(page))
        return page.shown(page.scope)


@checked
@dataclass(frozen=True, slots=True)
class Union:
    """What any of the extractors keeps."""

    members: tuple[Extractor, ...]

    def __call__(self, page: Page, /) -> Spans:
        """Return the union of the results."""
        return reduce(or_, (member(page) for member in self.members))


@checked
@dataclass(frozen=True, slots=True)
class Intersection:
    """What all of the extractors keep."""

    members: tuple[Extractor, ...]

    def __call__(self, page: Page, /) -> Spans:
        """Return the intersection of the results."""
        return reduce(and_, (member(page) for member in self.members))


@checked
@dataclass(frozen=True, slots=True)
class Difference:
    """What the first extractor keeps and the second does not."""

    kept: Extractor
    dropped: Extractor

    def __call__(self, page: Page, /) -> Spans:
        """Return the difference of the results."""
        return self.kept(page) - self.dropped(page)


@checked
@dataclass(frozen=True, slots=True)
class Vote:
    """What extractors keep whose votes together reach the quorum; without one, more than half of all votes."""

    members: tuple[Extractor, ...]
    quorum: float | None = None
    weights: tuple[float, ...] | None = None  # one vote each

    def __call__(self, page: Page, /) -> Spans:
        """Return the elected text."""
        weights = self.weights or (1.0,) * len(self.members)
        total = sum(weights)
        if not all(weight > 0 for weight in weights):
            raise BadParameter(f"the weights are {weights}; each vote counts more than 0")
        if len(weights) != len(self.members):
            raise BadParameter(f"{len(self.members)} extractors vote with {len(weights)} weights")
        quorum = self.quorum
        if quorum is not None and not 0 < quorum <= total:
            raise BadParameter(
                f"the quorum is {quorum:g} and there are {total:g} votes; it must lie between them and 0"
            )
        return tally([member(page) for member in self.members], weights, quorum, len(page.text))


def tally(results: list[Spans], weights: tuple[float, ...], quorum: float | None, size: int) -> Spans:
    """Return the text for which the votes reach the quorum (more than half of them, when it is None)."""
    places = np.concatenate([place for spans in results for place in (spans.starts, spans.ends)])
    steps = np.concatenate(
        [np.full(len(spans), sign * weight) for spans, weight in zip(results, weights, strict=True) for sign in (1, -1)]
    )
    order = np.argsort(places, kind="stable")
    places, votes = places[order], np.cumsum(steps[order])
    # A little slack, for weights are added and taken away again.
    elected = votes > sum(weights) / 2 + 1e-9 if quorum is None else votes >= quorum - 1e-9
    begin = np.flatnonzero(elected)
    begin = begin[begin < len(places) - 1]
    return Spans.union(places[begin], places[begin + 1], size)


@checked
@dataclass(frozen=True, slots=True)
class Fallback:
    """The first extractor that keeps at least so many words; else the one that keeps most."""

    members: tuple[Extractor, ...]
    words: int = 25

    def __call__(self, page: Page, /) -> Spans:
        """Return the first good enough result."""
        if self.words < 0:
            raise BadParameter(f"words is {self.words}; an extractor keeps 0 or more")
        best, most = Spans.none(len(page.text)), 0
        for member in self.members:
            spans = member(page)
            found = len(spans.words(page))
            if found >= self.words:
                return spans
            if found > most:
                best, most = spans, found
        return best


@checked
@dataclass(frozen=True, slots=True)
class Everything:
    """All visible text of the page."""

    def __call__(self, page: Page, /) -> Spans:
        """Return the visible text."""
        return page.visible
