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
    """The training data of a page; its fields depend on the learner."""

    @property
    def site(self) -> str:
        """Return the page's site."""
        ...


Item = TypeVar("Item", bound=PageRows)
Weights_co = TypeVar("Weights_co", bound=Portable, covariant=True)


class WeightsLearner(Protocol[Item, Weights_co]):
    """A learner for the weights of a published extractor; its settings are its fields."""

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
        """Return blocks as training data, weighted by their number of words to a power.

        Args:
            rows: the features, a row per block.
            power: the exponent of the number of words.
        """
        weight = self.page.blocks.words[self.blocks].astype(np.float64) ** power
        return TaughtPage(rows.T, self.content, weight / weight.sum())


def labels(lesson: GoldPage) -> Labels | None:
    """Return which blocks have more than half of their words in the ground truth; None if no block has."""
    page = Page(lesson.html, lesson.url)
    blocks = page.blocks.seen
    content = shares(page, lesson.gold)[blocks] > 0.5
    return Labels(page, blocks, content) if content.any() else None
