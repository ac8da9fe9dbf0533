"""Any learner with a second look: at what its first look says of the surroundings of a block.

The chances that the second look learns from come from learners that have not seen the page's fold of sites, so that
they are no better than those it will meet (as `tidings.lab.learners.default` does it).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tidings.extractors.learned.context import context
from tidings.extractors.learned.features import BlockFeatures
from tidings.lab.learners.rivals.taught import Chances, Judge, Rival, Rows, TaughtPage


@dataclass(frozen=True, slots=True, eq=False)
class Looked:
    """A page to learn from with all that the second look needs."""

    fold: int
    found: BlockFeatures
    taught: TaughtPage


@dataclass(frozen=True, slots=True, eq=False)
class TwiceJudge:
    """Both looks."""

    first: Judge
    second: Judge

    @property
    def size(self) -> int:
        """Of both."""
        return self.first.size + self.second.size

    def chances(self, found: BlockFeatures, /) -> Chances:
        """The chance of each block after the second look."""
        return self.second.chances(_both(found, self.first.chances(found.rows)))


@dataclass(frozen=True, slots=True)
class Twice:
    """The learner of both looks."""

    first: Rival
    second: Rival

    def fit(self, pages: Sequence[Looked], /) -> TwiceJudge:
        """Learn the first look from all pages, and for the second once without each fold."""
        first = self.first.fit([page.taught for page in pages])
        without = {
            fold: self.first.fit([page.taught for page in pages if page.fold != fold])
            for fold in sorted({page.fold for page in pages})
        }
        again = [
            TaughtPage(
                _both(page.found, without[page.fold].chances(page.found.rows)),
                page.taught.content,
                page.taught.importance,
            )
            for page in pages
        ]
        return TwiceJudge(first, self.second.fit(again))


def _both(found: BlockFeatures, chance: Chances) -> Rows:
    return np.concatenate((found.rows, context(found, chance)[1]))
