"""Learners with two passes: the second pass uses the first pass's probabilities of surrounding blocks.

The probabilities for training the second pass come from learners that have not seen the page's fold of sites, like in
`learners.default`. Pages are prepared once for all learners: labels, and features with word weights from other sites.
Muting words for other languages, as the default does, is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.page import Page
from tidings_lab.learners.default import Training
from tidings_lab.learners.features import BlockFeatures, context_features, features
from tidings_lab.learners.labelled_pages import GoldPage, Labelled, label
from tidings_lab.learners.site_folds import fold_of
from tidings_lab.learners.taught_pages import BlockJudge, Chances, Rival, Rows, TaughtPage
from tidings_lab.learners.word_weights import weigh


@dataclass(frozen=True, slots=True, eq=False)
class LookedPage:
    """The training data of a page for learners with two passes: its features and labels, and its fold."""

    fold: int
    lesson: GoldPage
    features: BlockFeatures
    taught: TaughtPage


@dataclass(frozen=True, slots=True, eq=False)
class TwiceJudge:
    """Two trained classifiers of blocks: the second one also uses the first one's probabilities of neighbouring
    blocks.
    """

    first: BlockJudge
    second: BlockJudge

    @property
    def size(self) -> int:
        """Return the size of both classifiers' weights in bytes."""
        return self.first.size + self.second.size

    def probabilities(self, page: Page, rows: Rows, /) -> Chances:
        """Return the second classifier's probability of each block, given the first-pass features (a row per
        feature).
        """
        return self.second.probabilities(_both(page, rows, self.first.probabilities(rows)))


@dataclass(frozen=True, slots=True)
class TwoLooks:
    """A learner of two passes: the second one classifies each block with the first one's results for its
    surroundings.
    """

    first: Rival
    second: Rival

    def fit(self, pages: Sequence[LookedPage], /) -> TwiceJudge:
        """Train the classifiers of both passes.

        The second one is trained on probabilities from first-pass classifiers that did not see the page's fold.
        """
        first = self.first.fit([page.taught for page in pages])
        without = {
            fold: self.first.fit([page.taught for page in pages if page.fold != fold])
            for fold in sorted({page.fold for page in pages})
        }
        again = [
            TaughtPage(
                _both(
                    Page(page.lesson.html, page.lesson.url),
                    page.features.rows,
                    without[page.fold].probabilities(page.features.rows),
                ),
                page.taught.content,
                page.taught.importance,
            )
            for page in pages
        ]
        return TwiceJudge(first, self.second.fit(again))


def _both(page: Page, rows: Rows, probability: Chances) -> Rows:
    return np.concatenate((rows, context_features(page, probability)))


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPage:
    """A page with labelled blocks; no labels if the ground truth is not on it, so that it only serves for testing."""

    lesson: GoldPage
    labelled: Labelled | None
    fold: int


def mark(lesson: GoldPage, folds: int) -> MarkedPage:
    """Label the blocks of a page."""
    return MarkedPage(lesson, label(lesson), fold_of(lesson.site, folds))


def lexicon(pages: Sequence[MarkedPage], fold: int, training: Training) -> Lexicon:
    """Return the word weights learned from the pages of all folds except `fold`; empty if there are too few sites."""
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
    """Compute the first-pass features of a page with given word weights, and add its labels."""
    block_features = features(Page(page.lesson.html, page.lesson.url), words)
    if page.labelled is None:
        content, importance = np.zeros(len(block_features.words), np.bool_), np.ones(len(block_features.words))
    else:
        content, importance = page.labelled.share > 0.5, page.labelled.importance(training.power)
    return LookedPage(page.fold, page.lesson, block_features, TaughtPage(block_features.rows, content, importance))
