"""What all learners here have in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from tidings.extractors.learned.seen_blocks import seen_blocks
from tidings.extractors.published.trained.weights import Portable
from tidings.lab.learners.labels import shares
from tidings.lab.learners.lesson import Lesson
from tidings.lab.learners.rivals.taught import Rows, TaughtPage
from tidings.page import Page
from tidings.page.columns import Bools, Ints


class Taught(Protocol):
    """What was read off one page."""

    @property
    def site(self) -> str:
        """Whose page it is."""
        ...


Item = TypeVar("Item", bound=Taught)
Weights_co = TypeVar("Weights_co", bound=Portable, covariant=True)


class Learner(Protocol[Item, Weights_co]):
    """A learner; its settings are its fields."""

    def prepare(self, lesson: Lesson, /) -> Item | None:
        """What a page teaches; None where its gold text is not found on it."""
        ...

    def fit(self, items: Sequence[Item], /) -> Weights_co:
        """Weights from what pages teach, the same for the same pages.

        Raises:
            InputError: there is too little to learn from.
            MissingExtra: a library to learn with is not installed.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The visible blocks of a page, and which of them are content."""

    page: Page
    blocks: Ints
    content: Bools

    def taught(self, rows: Rows, power: float) -> TaughtPage:
        """The blocks as learners of the comparison get them; a block's importance is its words to a power."""
        weight = self.page.blocks.words[self.blocks].astype(np.float64) ** power
        return TaughtPage(rows.T, self.content, weight / weight.sum())


def labels(lesson: Lesson) -> Labels | None:
    """Which blocks of a page have more than half of their words in gold; None if none has."""
    page = Page(lesson.html, lesson.url)
    blocks = seen_blocks(page)
    content = shares(page, lesson.gold)[blocks] > 0.5
    return Labels(page, blocks, content) if content.any() else None
