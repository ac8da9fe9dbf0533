"""Training data of block learners: pages with labelled blocks, and samples of blocks."""

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
    """The training data of a page: the features of its visible blocks in order, with labels and weights."""

    rows: Rows  # a row per feature, a column per block
    content: Bools
    importance: NDArray[np.float64]  # of each block; the sum is 1


class BlockJudge(Protocol):
    """A trained classifier of blocks."""

    @property
    def size(self) -> int:
        """Return the size of the weights in bytes, as arrays of 32-bit numbers or as the learner's own file."""
        ...

    def probabilities(self, rows: Rows, /) -> Chances:
        """Return the probability of each block of a page to be content."""
        ...


class Rival(Protocol):
    """A learning algorithm for block classifiers that is compared with the default extractor's; its settings are its
    fields.
    """

    def fit(self, pages: Sequence[TaughtPage], /) -> BlockJudge:
        """Train a classifier of blocks on labelled pages.

        Raises:
            InputError: the pages have no content, or nothing else.
            MissingExtra: the library of the learner is not installed.
        """
        ...


class Drawn(NamedTuple):
    """A sample of labelled blocks from many pages, for learners that classify each block by itself."""

    rows: Rows  # a row per block
    content: Bools
    weight: NDArray[np.float64]  # with mean 1


def draw(pages: Sequence[TaughtPage], blocks: int = 110, seed: int = 1) -> Drawn:
    """Return a sample of about `blocks` blocks per page, drawn by importance and weighted inversely, like the
    default's.

    Raises:
        InputError: there is too little training data.
    """
    check(pages)
    random = np.random.default_rng(seed)
    rows, content, weight = [], [], []
    for page in pages:
        count = len(page.content)
        probability = np.minimum(1.0, blocks * (page.importance + 1 / max(count, 1)) / 2)
        drawn = random.random(count) < probability
        rows.append(page.rows[:, drawn].T)
        content.append(page.content[drawn])
        weight.append((page.importance / probability)[drawn])
    weights = np.concatenate(weight)
    return Drawn(np.concatenate(rows), np.concatenate(content), weights / weights.mean())


def check(pages: Sequence[TaughtPage]) -> None:
    """Raise an error unless there are blocks of both classes.

    Raises:
        InputError: there are not.
    """
    if not any(page.content.any() for page in pages) or all(page.content.all() for page in pages):
        raise InputError("learning needs pages with blocks that are content and blocks that are not")
