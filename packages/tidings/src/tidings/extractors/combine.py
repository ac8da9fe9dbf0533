"""Extractors that combine other extractors: CombinE's serial, parallel and voting ensembles.

Sources: Gottron 2008 and 2009; DANA thesis 3.4.2. Serial: each extractor works on the output of the one before it.
Parallel: union or intersection of the results. Voting: text that a quorum selects. `Fallback` is ours: the first
extractor that selects enough words.
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
    """A chain of extractors; each works on the text that the previous one selected."""

    members: tuple[Extractor, ...]

    def __call__(self, page: Page, /) -> Spans:
        """Return the text that is left after the last extractor."""
        for member in self.members:
            page = page.within(member(page))
        return page.shown(page.scope)


@checked
@dataclass(frozen=True, slots=True)
class Union:
    """Text that at least one of the extractors selects."""

    members: tuple[Extractor, ...]

    def __call__(self, page: Page, /) -> Spans:
        """Return the union of the results."""
        return reduce(or_, (member(page) for member in self.members))


@checked
@dataclass(frozen=True, slots=True)
class Intersection:
    """Text that all extractors select."""

    members: tuple[Extractor, ...]

    def __call__(self, page: Page, /) -> Spans:
        """Return the intersection of the results."""
        return reduce(and_, (member(page) for member in self.members))


@checked
@dataclass(frozen=True, slots=True)
class Difference:
    """Text that the first extractor selects and the second does not."""

    included: Extractor
    excluded: Extractor

    def __call__(self, page: Page, /) -> Spans:
        """Return the difference of the results."""
        return self.included(page) - self.excluded(page)


@checked
@dataclass(frozen=True, slots=True)
class Vote:
    """Text for which the votes of the extractors reach the quorum (default: more than half of all votes)."""

    members: tuple[Extractor, ...]
    quorum: float | None = None
    weights: tuple[float, ...] | None = None  # one vote each

    def __call__(self, page: Page, /) -> Spans:
        """Return the text with enough votes."""
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
    """Return the text for which the votes reach a quorum; with a quorum of None, more than half of all votes."""
    places = np.concatenate([place for spans in results for place in (spans.starts, spans.ends)])
    steps = np.concatenate(
        [np.full(len(spans), sign * weight) for spans, weight in zip(results, weights, strict=True) for sign in (1, -1)]
    )
    order = np.argsort(places, kind="stable")
    places, votes = places[order], np.cumsum(steps[order])
    # Tolerance for rounding: weights are added and subtracted.
    elected = votes > sum(weights) / 2 + 1e-9 if quorum is None else votes >= quorum - 1e-9
    begin = np.flatnonzero(elected)
    begin = begin[begin < len(places) - 1]
    return Spans.union(places[begin], places[begin + 1], size)


@checked
@dataclass(frozen=True, slots=True)
class Fallback:
    """The result of the first extractor that selects at least `words` words; if none does, the longest result."""

    members: tuple[Extractor, ...]
    words: int = 25

    def __call__(self, page: Page, /) -> Spans:
        """Return the first result that is long enough."""
        if self.words < 0:
            raise BadParameter(f"words is {self.words}; an extractor keeps 0 or more")
        best, most = Spans.none(len(page.text)), 0
        for member in self.members:
            spans = member(page)
            count = len(spans.words(page))
            if count >= self.words:
                return spans
            if count > most:
                best, most = spans, count
        return best


@checked
@dataclass(frozen=True, slots=True)
class Everything:
    """All visible text of the page: the baseline for every other method."""

    def __call__(self, page: Page, /) -> Spans:
        """Return the visible text."""
        return page.visible
