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
    """An object that belongs to a site. Training and test data must not share a site."""

    @property
    def site(self) -> str:
        """Return the site's name."""
        ...


Item = TypeVar("Item", bound=Sited)
Item_contra = TypeVar("Item_contra", contravariant=True)
Model = TypeVar("Model")
Model_co = TypeVar("Model_co", covariant=True)
Result = TypeVar("Result")
#: A callback after each step: number of finished steps, number of all steps.
Progress = Callable[[int, int], None]


def silent(done: int, total: int) -> None:
    """Ignore progress reports."""


class Trainable(Protocol[Item_contra, Model_co]):
    """A learner: its fields are parameters, and fitting returns a new object."""

    def fit(self, items: Sequence[Item_contra], /) -> Model_co:
        """Return a model trained on these items only."""
        ...


@dataclass(frozen=True, slots=True)
class Fixed(Generic[Model]):
    """A learner without training, for comparing untrained models in the same tables."""

    model: Model

    def fit(self, items: Sequence[object], /) -> Model:  # noqa: ARG002  # ignored
        """Return the model, whatever the items are."""
        return self.model


@dataclass(frozen=True, slots=True)
class Split(Generic[Item]):
    """Items for training and items for testing."""

    train: tuple[Item, ...]
    test: tuple[Item, ...]


@dataclass(frozen=True, slots=True)
class SplitOutcome(Generic[Item, Result]):
    """The result for an item, and the index of its split."""

    item: Item
    split: int
    result: Result


class Mode(Enum):
    """Where a page's training pages come from (memory-based thesis 6.2, 6.3, 6.4)."""

    SINGLE = "single site"  # its own site only
    MERGED = "all sites"  # every site, including its own
    ACROSS = "other sites"  # every site except its own


def by_site(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Return the items of each site; sites are in the order of their first item."""
    sites: dict[str, list[Item]] = {}
    for item in items:
        sites.setdefault(item.site, []).append(item)
    return sites


def shuffled(items: Sequence[Item], seed: int) -> list[Item]:
    """Return the items in a random order determined by the seed."""
    return [items[place] for place in np.random.default_rng(seed).permutation(len(items)).tolist()]


def k_fold(items: Sequence[Item], k: int = 10, seed: int = 0) -> list[Split[Item]]:
    """Return `k` splits that test each item once; folds have equal size, regardless of sites (N-EXT thesis 6.2.1)."""
    folds = _at_most(k, len(items), "items")
    order = shuffled(items, seed)
    return _leave_out([order[fold::folds] for fold in range(folds)])


def grouped_k_fold(items: Sequence[Item], k: int = 10, seed: int = 0) -> list[Split[Item]]:
    """Return `k` splits that keep sites together. Sites are added, largest first, to the fold
    with the fewest items.
    """
    sites = by_site(shuffled(items, seed))
    folds: list[list[Item]] = [[] for _ in range(_at_most(k, len(sites), "sites"))]
    for pages in sorted(sites.values(), key=len, reverse=True):
        min(folds, key=len).extend(pages)
    return _leave_out(folds)


def mode_splits(items: Sequence[Item], mode: Mode, k: int = 10, seed: int = 0) -> list[Split[Item]]:
    """Return the splits for an origin of training pages; with `k` at least the number of items they leave one out, as
    in the thesis.

    In the single-site mode, sites with one page are skipped. To compare the modes, pass only pages of sites with
    several.
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
    """Train a learner on one side of each split, and measure every item of the other."""
    outcomes = []
    for number, split in enumerate(splits):
        model = learner.fit(split.train)
        outcomes += [SplitOutcome(item, number, measure(model, item)) for item in split.test]
        progress(number + 1, len(splits))
    return outcomes


def fold_means(outcomes: Iterable[SplitOutcome[Item, float]]) -> list[float]:
    """Return the mean result of each split in order, for an analysis of variance."""
    folds: dict[int, list[float]] = {}
    for outcome in outcomes:
        folds.setdefault(outcome.split, []).append(outcome.result)
    return [float(np.mean(folds[number])) for number in sorted(folds)]


def mean(outcomes: Iterable[SplitOutcome[Item, float]]) -> float:
    """Return the mean result over items."""
    results = [outcome.result for outcome in outcomes]
    return float(np.mean(results)) if results else 0.0


@dataclass(frozen=True, slots=True)
class Tuned(Generic[Item, Model]):
    """The best of several learners, chosen by cross-validation over the sites of the training items.

    It is a learner itself, so it can be cross-validated: the choice never uses the test items.
    """

    candidates: Mapping[str, Trainable[Item, Model]]
    measure: Callable[[Model, Item], float]
    k: int = 5
    seed: int = 0

    def choose(self, items: Sequence[Item]) -> str:
        """Return the name of the best candidate; the first of equal ones."""
        has_sites = len({item.site for item in items}) > 1
        splits = grouped_k_fold(items, self.k, self.seed) if has_sites else k_fold(items, self.k, self.seed)
        scores = {
            name: mean(cross_validate(candidate, splits, self.measure)) for name, candidate in self.candidates.items()
        }
        return max(scores, key=lambda name: scores[name])

    def fit(self, items: Sequence[Item], /) -> Model:
        """Return the best candidate's model, trained on all items."""
        return self.candidates[self.choose(items)].fit(items)


@dataclass(frozen=True, slots=True)
class ScoreRow:
    """A page with its score for each of several settings."""

    site: str
    scores: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class BestColumn:
    """A learner that chooses the setting with the best mean score."""

    def fit(self, items: Sequence[ScoreRow], /) -> int:
        """Return the index of the best setting; the first of equal ones."""
        return int(np.argmax(np.mean([row.scores for row in items], axis=0)))


def score_of(column: int, row: ScoreRow) -> float:
    """Return the score of a page with a setting: the measure for `BestColumn`."""
    return row.scores[column]


def _leave_out(folds: list[list[Item]]) -> list[Split[Item]]:
    return [Split(tuple(_other_folds(folds, number)), tuple(fold)) for number, fold in enumerate(folds)]


def _other_folds(folds: list[list[Item]], number: int) -> Iterator[Item]:
    for place, fold in enumerate(folds):
        if place != number:
            yield from fold


def _at_most(k: int, size: int, what: str) -> int:
    if k < 2 or size < 2:
        raise BadParameter(f"{k} folds of {size} {what}: cross-validation needs 2 folds and 2 {what} at least")
    return min(k, size)
