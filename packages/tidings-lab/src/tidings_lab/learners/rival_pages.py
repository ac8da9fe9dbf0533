"""Pages for comparing learners: their labels, and block features with word weights from other sites.

Pages are prepared once for all learners. Muting words for other languages, as the default does, is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.page import Page
from tidings_lab.learners.default import Training
from tidings_lab.learners.features import BlockFeatures, features
from tidings_lab.learners.labelled_pages import GoldPage, Labelled, label
from tidings_lab.learners.site_folds import fold_of
from tidings_lab.learners.taught_pages import TaughtPage
from tidings_lab.learners.word_weights import weigh


@dataclass(frozen=True, slots=True, eq=False)
class LookedPage:
    """The features and labels of a page, and its fold."""

    fold: int
    lesson: GoldPage
    features: BlockFeatures
    taught: TaughtPage


@dataclass(frozen=True, slots=True, eq=False)
class MarkedPage:
    """A page with its labels; None if the ground truth is not on it, so that it can only be used for testing."""

    lesson: GoldPage
    labelled: Labelled | None
    fold: int


def mark(lesson: GoldPage, folds: int) -> MarkedPage:
    """Label a page."""
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
    """Compute the features of a page with given word weights, and add its labels."""
    block_features = features(Page(page.lesson.html, page.lesson.url), words)
    if page.labelled is None:
        content, importance = np.zeros(len(block_features.words), np.bool_), np.ones(len(block_features.words))
    else:
        content, importance = page.labelled.share > 0.5, page.labelled.importance(training.power)
    return LookedPage(page.fold, page.lesson, block_features, TaughtPage(block_features.rows, content, importance))
