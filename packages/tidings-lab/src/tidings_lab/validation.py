"""Cross-validation: splits by page or by site, the three domain modes, and parameter search on training data.

A `Trainable` is a function from items to a model. An item is anything with a site, a `Sample` or something prepared
from it; a model is anything that the measure accepts, usually an extractor. So the same functions serve learners of
pages, of blocks and of parameters. All splits are determined by a seed.

- k-fold cross-validation over pages (N-EXT thesis 6.2.1) or over sites, so that no site is on both sides;
- the three modes of the memory-based thesis (6.2, 6.3, 6.4): training pages from the same site, from all sites, or from
  all other sites;
- parameter search on the training items: `Tuned` is a learner made of learners.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Generic, Protocol, TypeVar

import numpy as np

from tidings.errors import BadParameter


class Sited(Protocol):
    """Something that belongs to a site: what one site taught must not be measured on it."""

    @property
    def site(self) -> str:
        """The site's name."""
        ...


Item = TypeVar("Item", bound=Sited)
Item_contra = TypeVar("Item_contra", contravariant=True)
Model = TypeVar("Model")
Model_co = TypeVar("Model_co", covariant=True)
Result = TypeVar("Result")
#: Told after each step: steps done, steps in all.
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Tell nobody."""


class Trainable(Protocol[Item_contra, Model_co]):
    """A learner: its parameters are its fields, and what it learns is a new object."""

    def fit(self, items: Sequence[Item_contra], /) -> Model_co:
        """What is learned from these items and from no others."""
        ...


@dataclass(frozen=True, slots=True)
class Fixed(Generic[Model]):
    """A learner that has nothing to learn, so that untrained models stand in the same tables."""

    model: Model

    def fit(self, items: Sequence[object], /) -> Model:  # noqa: ARG002  # it looks at none
        """The model, whatever the items are."""
        return self.model


@dataclass(frozen=True, slots=True)
class Split(Generic[Item]):
    """Items to train on and items to measure on."""

    train: tuple[Item, ...]
    test: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class SplitOutcome(Generic[Item, Result]):
    """What was measured on one item, and in which split."""

    item: Item
    split: int
    result: Result


class Mode(Enum):
    """Where the training pages of a page come from (memory-based thesis 6.2, 6.3, 6.4)."""

    SINGLE = "single site"  # its own site only
    MERGED = "all sites"  # every site, its own as well
    ACROSS = "other sites"  # every site but its own


def by_site(items: Iterable[Item]) -> dict[str, list[Item]]:
    """The items of each site, sites in the order of their first item."""
    found: dict[str, list[Item]] = {}
    for item in items:
        found.setdefault(item.site, []).append(item)
    return found


def shuffled(items: Sequence[Item], seed: int) -> list[Item]:
    """The items in a random order that the seed decides."""
    return [items[place] for place in np.random.default_rng(seed).permutation(len(items)).tolist()]


def k_fold(items: Sequence[Item], k: int = 10, seed: int = 0) -> list[Split[Item]]:
    """So many splits that measure on each item once; folds of equal size, whatever the sites (N-EXT thesis 6.2.1)."""
    folds = _at_most(k, len(items), "items")
    order = shuffled(items, seed)
    return _leave_out([order[fold::folds] for fold in range(folds)])


def grouped_k_fold(items: Sequence[Item], k: int = 10, seed: int = 0) -> list[Split[Item]]:
    """The same with whole sites: none is on both sides. Large sites first, each into the smallest fold so far."""
    sites = by_site(shuffled(items, seed))
    folds: list[list[Item]] = [[] for _ in range(_at_most(k, len(sites), "sites"))]
    for pages in sorted(sites.values(), key=len, reverse=True):
        min(folds, key=len).extend(pages)
    return _leave_out(folds)


def mode_splits(items: Sequence[Item], mode: Mode, k: int = 10, seed: int = 0) -> list[Split[Item]]:
    """The splits of a domain mode; a `k` of at least the number of items leaves out one at a time, as the thesis does.

    In the single-site mode a site with one page has nothing to learn from and is left out: give only pages of sites
    that have several, if the modes are to be compared.
    """
    if mode is Mode.MERGED:
        return k_fold(items, k, seed)
    if mode is Mode.ACROSS:
        return grouped_k_fold(items, k, seed)
    return [split for pages in by_site(items).values() if len(pages) > 1 for split in k_fold(pages, k, seed)]


def cross_validate(
    learner: Trainable[Item, Model],
    splits: Sequence[Split[Item]],
    measure: Callable[[Model, Item], Result],
    progress: Progress = silent,
) -> list[SplitOutcome[Item, Result]]:
    """Train on one side of each split and measure every item of the other."""
    outcomes = []
    for number, split in enumerate(splits):
        model = learner.fit(split.train)
        outcomes += [SplitOutcome(item, number, measure(model, item)) for item in split.test]
        progress(number + 1, len(splits))
    return outcomes


def fold_means(outcomes: Iterable[SplitOutcome[Item, float]]) -> list[float]:
    """The mean result of each split, in order: what an analysis of variance compares."""
    folds: dict[int, list[float]] = {}
    for outcome in outcomes:
        folds.setdefault(outcome.split, []).append(outcome.result)
    return [float(np.mean(folds[number])) for number in sorted(folds)]


def mean(outcomes: Iterable[SplitOutcome[Item, float]]) -> float:
    """The mean result over items."""
    results = [outcome.result for outcome in outcomes]
    return float(np.mean(results)) if results else 0.0


@dataclass(frozen=True, slots=True)
class Tuned(Generic[Item, Model]):
    """The best of several learners, chosen by cross-validation over the sites of the training items alone.

    Being a learner itself, it can be cross-validated in turn: the choice never sees what it is measured on.
    """

    candidates: Mapping[str, Trainable[Item, Model]]
    measure: Callable[[Model, Item], float]
    k: int = 5
    seed: int = 0

    def choose(self, items: Sequence[Item]) -> str:
        """The name of the best candidate; among equals the first."""
        several = len({item.site for item in items}) > 1
        splits = grouped_k_fold(items, self.k, self.seed) if several else k_fold(items, self.k, self.seed)
        scores = {name: mean(cross_validate(one, splits, self.measure)) for name, one in self.candidates.items()}
        return max(scores, key=lambda name: scores[name])

    def fit(self, items: Sequence[Item], /) -> Model:
        """The best candidate, trained on all of the items."""
        return self.candidates[self.choose(items)].fit(items)


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """One page with a score for each of several settings, when every setting has been tried on it already."""

    site: str
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BestColumn:
    """The learner of a sweep: what it learns is which setting is best on the mean of its pages."""

    def fit(self, items: Sequence[ScoreRow], /) -> int:
        """The number of the best setting; among equals the first."""
        return int(np.argmax(np.mean([row.scores for row in items], axis=0)))


def score_of(column: int, row: ScoreRow) -> float:
    """What a page scores with a setting: the measure that goes with `BestColumn`."""
    return row.scores[column]


def _leave_out(folds: list[list[Item]]) -> list[Split[Item]]:
    return [Split(tuple(_others(folds, number)), tuple(fold)) for number, fold in enumerate(folds)]


def _others(folds: list[list[Item]], number: int) -> Iterator[Item]:
    for place, fold in enumerate(folds):
        if place != number:
            yield from fold


def _at_most(k: int, there_are: int, what: str) -> int:
    if k < 2 or there_are < 2:
        raise BadParameter(f"{k} folds of {there_are} {what}: cross-validation needs 2 folds and 2 {what} at least")
    return min(k, there_are)
