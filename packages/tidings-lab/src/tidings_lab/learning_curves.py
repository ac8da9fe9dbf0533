"""Learning curves: the score of a learner by the number of training pages, averaged over random orders.

Source: memory-based thesis 6.7, where a pool of two pages is cross-validated, then a pool of three, and so on. Such a
curve depends strongly on the order of pages; the thesis proposes to average over random orders (chapter 7). This module
does so, and adds an interval. `HeldOut` sets pages aside first and measures all points of a curve on them, so that only
the training varies.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import sqrt
from typing import Protocol

import numpy as np

from tidings_lab.statistics.anova import critical_value
from tidings_lab.validation import (
    Item,
    Mode,
    Model,
    Progress,
    Split,
    Trainable,
    by_site,
    cross_validate,
    mean,
    shuffled,
    silent,
)


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """A point of a learning curve: the size of the training set, and the score for each random order of the items."""

    size: int  # pages, or sites across sites
    scores: tuple[float, ...]

    @property
    def mean(self) -> float:
        """Return the mean score over all random orders."""
        return float(np.mean(self.scores))

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the confidence interval of the mean (Student's t); the mean itself for a single order."""
        if len(self.scores) < 2:
            return self.mean, self.mean
        error = float(np.std(self.scores, ddof=1)) / sqrt(len(self.scores))
        # Student's t is the root of F with one degree of freedom.
        reach = sqrt(critical_value(1, len(self.scores) - 1, 1 - confidence)) * error
        return self.mean - reach, self.mean + reach

    @property
    def banded(self) -> tuple[float, float, float]:
        """Return the mean score with both ends of its confidence interval."""
        return self.mean, *self.interval()


class Pool(Protocol):
    """How ordered items are split into training sets of a given size and test sets."""

    @property
    def mode(self) -> Mode:
        """Return whether the pool grows by pages or by whole sites."""
        ...

    def __call__(self, items: Sequence[Item], size: int, /) -> list[Split[Item]]:
        """Return splits into training and test sets, with `size` pages or sites in each training set."""
        ...


def random_order(items: Sequence[Item], mode: Mode, seed: int) -> list[Item]:
    """Return pages in a random order; across sites, sites in a random order, regardless of their size."""
    if mode is not Mode.ACROSS:
        return shuffled(items, seed)
    sites = list(by_site(items).values())
    return [item for place in np.random.default_rng(seed).permutation(len(sites)).tolist() for item in sites[place]]


@dataclass(frozen=True, slots=True)
class HeldOut:
    """A pool that tests on the last items of the order and trains on the first `size` pages or sites.

    `share` is the share of the items to test on. In the mode across sites, whole sites are tested on.
    """

    mode: Mode = Mode.MERGED
    share: float = 0.25

    def __call__(self, items: Sequence[Item], size: int, /) -> list[Split[Item]]:
        """Return one split; the test set does not depend on the size."""
        groups = list(by_site(items).values()) if self.mode is Mode.ACROSS else [[item] for item in items]
        test_size = max(1, round(self.share * len(groups)))
        train, test = groups[: len(groups) - test_size][:size], groups[len(groups) - test_size :]
        return [Split(tuple(chain.from_iterable(train)), tuple(chain.from_iterable(test)))]


def learning_curve(
    learner: Trainable[Item, Model],
    items: Sequence[Item],
    sizes: Sequence[int],
    measure: Callable[[Model, Item], float],
    pool: Pool,
    orders: int = 10,
    seed: int = 0,
    progress: Progress = silent,
) -> list[CurvePoint]:
    """Return the points of a learning curve: the mean score of a learner for each size of the training set.

    Args:
        learner: the learner.
        items: the labelled pages.
        sizes: numbers of pages, or of sites across sites.
        measure: returns the score of a model for an item.
        pool: splits ordered items into training and test sets.
        orders: the number of random orders; each is used for all sizes.
        seed: selects the random orders.
        progress: is called with the number of finished trainings and their total.
    """
    scores: list[list[float]] = [[] for _ in sizes]
    for number in range(orders):
        order = random_order(items, pool.mode, seed + number)
        for place, size in enumerate(sizes):
            scores[place].append(mean(cross_validate(learner, pool(order, size), measure)))
            progress(number * len(sizes) + place + 1, orders * len(sizes))
    return [CurvePoint(size, tuple(size_scores)) for size, size_scores in zip(sizes, scores, strict=True)]
