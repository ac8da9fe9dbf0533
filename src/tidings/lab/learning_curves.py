"""Learning curves: how much better a learner gets with each page, averaged over random orders.

Memory-based thesis 6.7: a pool of two pages, cross-validated; then one page more, and so on to the end. The order
decides much of such a curve, and the thesis proposes to average over random orders (chapter 7); that is done here,
with an interval. `pooled` is the thesis's way, in each of its three modes. In `held_out` pages are set apart first and
all points of a curve are measured on them, so that only the training changes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import chain
from math import sqrt
from typing import Protocol

import numpy as np

from tidings.lab.statistics.f_distribution import critical_value
from tidings.lab.validation import (
    Item,
    Mode,
    Model,
    Progress,
    Split,
    Trainable,
    by_site,
    cross_validate,
    mean,
    mode_splits,
    shuffled,
    silent,
)


@dataclass(frozen=True, slots=True)
class Point:
    """One size of the training pool: the score of each order."""

    size: int  # pages, or sites across sites
    scores: tuple[float, ...]

    @property
    def mean(self) -> float:
        """The mean over orders."""
        return float(np.mean(self.scores))

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Where the mean over all orders lies (Student's t); the mean itself when there is one order."""
        if len(self.scores) < 2:
            return self.mean, self.mean
        error = float(np.std(self.scores, ddof=1)) / sqrt(len(self.scores))
        # Student's t is the root of F with one degree of freedom.
        reach = sqrt(critical_value(1, len(self.scores) - 1, 1 - confidence)) * error
        return self.mean - reach, self.mean + reach


class Pool(Protocol):
    """How a pool of training items is measured."""

    @property
    def mode(self) -> Mode:
        """Whether pages are added or, across sites, whole sites."""
        ...

    def __call__(self, items: Sequence[Item], size: int, /) -> list[Split[Item]]:
        """From items in some order and a size, the splits that measure a pool of that size."""
        ...


def random_order(items: Sequence[Item], mode: Mode, seed: int) -> list[Item]:
    """Pages in a random order; across sites, whole sites, so that a large one comes no earlier than a small one."""
    if mode is not Mode.ACROSS:
        return shuffled(items, seed)
    sites = list(by_site(items).values())
    return [item for place in np.random.default_rng(seed).permutation(len(sites)).tolist() for item in sites[place]]


@dataclass(frozen=True, slots=True)
class Pooled:
    """Cross-validation inside the first so many items; across sites, inside the first so many sites (thesis 6.7)."""

    mode: Mode = Mode.MERGED
    k: int = 10

    def __call__(self, items: Sequence[Item], size: int, /) -> list[Split[Item]]:
        """The splits of the pool."""
        pool = list(items[:size])
        if self.mode is Mode.ACROSS:
            pool = [item for pages in list(by_site(items).values())[:size] for item in pages]
        return mode_splits(pool, self.mode, self.k)


@dataclass(frozen=True, slots=True)
class HeldOut:
    """The last share of the order is set apart, whole sites of it across sites; the first so many are trained on."""

    mode: Mode = Mode.MERGED
    share: float = 0.25

    def __call__(self, items: Sequence[Item], size: int, /) -> list[Split[Item]]:
        """One split: what is measured is the same for every size."""
        groups = list(by_site(items).values()) if self.mode is Mode.ACROSS else [[item] for item in items]
        apart = max(1, round(self.share * len(groups)))
        train, test = groups[: len(groups) - apart][:size], groups[len(groups) - apart :]
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
) -> list[Point]:
    """The mean score for each size of the pool, each order random and the same for all sizes."""
    scores: list[list[float]] = [[] for _ in sizes]
    for number in range(orders):
        order = random_order(items, pool.mode, seed + number)
        for place, size in enumerate(sizes):
            scores[place].append(mean(cross_validate(learner, pool(order, size), measure)))
            progress(number * len(sizes) + place + 1, orders * len(sizes))
    return [Point(size, tuple(several)) for size, several in zip(sizes, scores, strict=True)]
