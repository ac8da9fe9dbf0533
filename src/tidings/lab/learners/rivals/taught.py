"""What all rivals have in common: the pages they learn from, and what they give back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError
from tidings.page.columns import Bools

Rows = NDArray[np.float32]
Chances = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TaughtPage:
    """The visible blocks of a page in their order."""

    rows: Rows  # a row a feature, a column a block
    content: Bools
    importance: NDArray[np.float64]  # of each block; together 1


class Judge(Protocol):
    """What a rival has learned."""

    @property
    def size(self) -> int:
        """Bytes of the weights, stored as plain arrays of four-byte numbers or as the learner's own file."""
        ...

    def chances(self, rows: Rows, /) -> Chances:
        """The chance of each block of one page to be content."""
        ...


class Rival(Protocol):
    """A learner; its settings are its fields."""

    def fit(self, pages: Sequence[TaughtPage], /) -> Judge:
        """Learn from pages.

        Raises:
            InputError: they have no content, or nothing else.
            MissingExtra: the library of the learner is not installed.
        """
        ...


class Drawn(NamedTuple):
    """Blocks of many pages, out of their order: for learners that look at one block at a time."""

    rows: Rows  # a row a block
    content: Bools
    weight: NDArray[np.float64]  # of mean 1


def draw(pages: Sequence[TaughtPage], blocks: int = 110, seed: int = 1) -> Drawn:
    """About so many blocks of each page, drawn by importance and weighed back: the sample the default learns from.

    Raises:
        InputError: there is too little to learn from.
    """
    check(pages)
    random = np.random.default_rng(seed)
    rows, content, weight = [], [], []
    for page in pages:
        count = len(page.content)
        chance = np.minimum(1.0, blocks * (page.importance + 1 / max(count, 1)) / 2)
        drawn = random.random(count) < chance
        rows.append(page.rows[:, drawn].T)
        content.append(page.content[drawn])
        weight.append((page.importance / chance)[drawn])
    weights = np.concatenate(weight)
    return Drawn(np.concatenate(rows), np.concatenate(content), weights / weights.mean())


def check(pages: Sequence[TaughtPage]) -> None:
    """See to it that there are blocks of both sorts.

    Raises:
        InputError: there are not.
    """
    if not any(page.content.any() for page in pages) or all(page.content.all() for page in pages):
        raise InputError("learning needs pages with blocks that are content and blocks that are not")
