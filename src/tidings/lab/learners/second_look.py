"""Any learner with a second look: at what its first look says of the surroundings of a block.

The chances that the second look learns from come from learners that have not seen the page's fold of sites, so that
they are no better than those it will meet (as `tidings.lab.learners.default` does it).

Pages made ready once for all rivals: labels, and features with words' weights from other sites.

As in `tidings.lab.learners.default`, the words that a page is judged by are never learned from its own fold of sites.
What that has for other languages, pages whose words are not heard, is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tidings.extractors.learned.context import context
from tidings.extractors.learned.features import BlockFeatures, features
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.lab.learners.default import Training, fold_of
from tidings.lab.learners.lesson import GoldPage, Labelled, label, weigh
from tidings.lab.learners.rival_learners import BlockJudge, Chances, Rival, Rows, TaughtPage
from tidings.page import Page


@dataclass(frozen=True, slots=True, eq=False)
class LookedPage:
    """A page to learn from with all that the second look needs."""

    fold: int
    found: BlockFeatures
    taught: TaughtPage


@dataclass(frozen=True, slots=True, eq=False)
class TwiceJudge:
    """Both looks."""

    first: BlockJudge
    second: BlockJudge

    @property
    def size(self) -> int:
        """Of both."""
        return self.first.size + self.second.size

    def chances(self, found: BlockFeatures, /) -> Chances:
        """The chance of each block after the second look."""
        return self.second.chances(_both(found, self.first.chances(found.rows)))


@dataclass(frozen=True, slots=True)
class TwoLooks:
    """The learner of both looks."""

    first: Rival
    second: Rival

    def fit(self, pages: Sequence[LookedPage], /) -> TwiceJudge:
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


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPage:
    """A page with its labels; none where gold is not found on it, which teaches nothing but can be measured."""

    lesson: GoldPage
    labelled: Labelled | None
    fold: int


def mark(lesson: GoldPage, folds: int) -> MarkedPage:
    """Label a page."""
    return MarkedPage(lesson, label(lesson), fold_of(lesson.site, folds))


def lexicon(pages: Sequence[MarkedPage], fold: int, training: Training) -> Lexicon:
    """What words mean on the pages of all folds but one; nothing where sites are too few to tell."""
    marked = [page.labelled for page in pages if page.fold != fold and page.labelled is not None]
    sites = [page.site for page in marked]
    shares, weights = [page.share for page in marked], [page.importance(0.5) for page in marked]
    learned = []
    for bags, least in (
        ([page.bags.names for page in marked], training.name_sites),
        ([page.bags.cues for page in marked], training.cue_sites),
    ):
        enough = len(set(sites)) >= least
        learned.append(Weights.of(weigh(sites, bags, shares, weights, least) if enough else {}))
    return Lexicon(*learned)


def look(page: MarkedPage, words: Lexicon, training: Training) -> LookedPage:
    """The features of a page beside its labels."""
    found = features(Page(page.lesson.html, page.lesson.url), words)
    if page.labelled is None:
        content, importance = np.zeros(len(found.words), np.bool_), np.ones(len(found.words))
    else:
        content, importance = page.labelled.share > 0.5, page.labelled.importance(training.power)
    return LookedPage(page.fold, found, TaughtPage(found.rows, content, importance))
