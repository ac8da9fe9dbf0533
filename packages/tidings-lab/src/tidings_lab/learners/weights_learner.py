"""The interface of learners for published extractors, and the block labels that they share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from tidings.extractors.model_files import Portable
from tidings.page import Page
from tidings.page.columns import Bools, Ints
from tidings_lab.learners.gold_words import shares
from tidings_lab.learners.labelled_pages import GoldPage
from tidings_lab.learners.taught_pages import Rows, TaughtPage


class PageRows(Protocol):
    """Training data of a page."""

    @property
    def site(self) -> str:
        """The page's site."""
        ...


Item = TypeVar("Item", bound=PageRows)
Weights_co = TypeVar("Weights_co", bound=Portable, covariant=True)


class WeightsLearner(Protocol[Item, Weights_co]):
    """A learner; its settings are its fields."""

    def prepare(self, lesson: GoldPage, /) -> Item | None:
        """Return the training data of a page; None if its ground-truth text is not on it."""
        ...

    def fit(self, items: Sequence[Item], /) -> Weights_co:
        """Return weights from the training data of pages; deterministic.

        Raises:
            InputError: there is too little data.
            MissingExtra: a required library is not installed.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The visible blocks of a page, and which of them are content."""

    page: Page
    blocks: Ints
    content: Bools

    def taught(self, rows: Rows, power: float) -> TaughtPage:
        """Return the blocks as training data; the importance of a block is its number of words to a power."""
        weight = self.page.blocks.words[self.blocks].astype(np.float64) ** power
        return TaughtPage(rows.T, self.content, weight / weight.sum())


def labels(lesson: GoldPage) -> Labels | None:
    """Return which blocks have more than half of their words in the ground truth; None if no block has."""
    page = Page(lesson.html, lesson.url)
    blocks = page.blocks.seen
    content = shares(page, lesson.gold)[blocks] > 0.5
    return Labels(page, blocks, content) if content.any() else None
