"""Learners that look again at what a first one said.

One classifier for each class, and a second one that combines them (memory-based thesis, 7.1).

The thesis found that title, heading and body each want other weights, and proposes a classifier for each and one above
them. Here each of the first ones answers for its class alone: is the text of this element one, is its tail? The second
is a memory too: it remembers which answers, for the element and its two neighbours, went with which pair of classes. It
learns from answers about sites that the first ones had not seen, for their answers about what they remember are right
more often than they will be.

Any learner with a second look: at what its first look says of the surroundings of a block.

The chances that the second look learns from come from learners that have not seen the page's fold of sites, so that
they are no better than those it will meet (as `tidings_lab.learners.default` does it).

Pages made ready once for all rivals: labels, and features with words' weights from other sites.

As in `tidings_lab.learners.default`, the words that a page is judged by are never learned from its own fold of sites.
What that has for other languages, pages whose words are not heard, is left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from tidings.errors import InputError
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.extractors.published.memory_based.extractor import CombinedModel, MemoryModel
from tidings.extractors.published.memory_based.ib1 import Nearest
from tidings.extractors.published.memory_based.memory import InstanceMemory, Schema, Values, collapse
from tidings.extractors.published.memory_based.second_level import first_answers
from tidings.page import Page
from tidings.page.columns import Ints
from tidings_lab.learners.default import Training, fold_of
from tidings_lab.learners.features import BlockFeatures, context_features, features
from tidings_lab.learners.lesson import GoldPage, Labelled, label, weigh
from tidings_lab.learners.memory import ElementExample, FeatureWeighting, MemoryLearner, statistics
from tidings_lab.learners.rival_learners import BlockJudge, Chances, Rival, Rows, TaughtPage
from tidings_lab.learners.structure import PAIRS, ElementClass, ElementClasses

#: The settings that were best for each class across sites in the thesis (table 6.12), with its best k.
BEST: Final[Mapping[ElementClass, MemoryLearner]] = {
    ElementClass.TITLE: MemoryLearner(weights=FeatureWeighting.CHI_SQUARE, k=7),
    ElementClass.HEADING: MemoryLearner(weights=FeatureWeighting.INFORMATION_GAIN, k=7),
    ElementClass.BODY: MemoryLearner(weights=FeatureWeighting.INFORMATION_GAIN, k=7),
}


@dataclass(frozen=True, slots=True)
class SecondLevel:
    """The learner: settings for each class, and into how many folds of sites the pages go for the second one."""

    first: Mapping[ElementClass, MemoryLearner]
    folds: int = 3
    card: Mapping[str, Any] = field(default_factory=dict)

    def fit(self, items: Sequence[ElementExample], /) -> CombinedModel:
        """Train the first ones without each fold of sites, the second on their answers, and the first ones on all.

        Raises:
            InputError: all pages are of sites in one fold.
        """
        answers, pairs = [], []
        for fold in range(self.folds):
            inside = [page for page in items if fold_of(page.site, self.folds) != fold]
            outside = [page for page in items if fold_of(page.site, self.folds) == fold]
            if inside and outside:
                models = self._fit_first(inside)
                answers += [first_answers(models, page.rows, PAIRS) for page in outside]
                pairs += [page.classes.pairs for page in outside]
        if not answers:
            raise InputError("a second level needs pages of several sites")
        second = _remember(np.concatenate(answers), np.concatenate(pairs))
        return CombinedModel(self._fit_first(items), second, PAIRS, self.card)

    def _fit_first(self, items: Sequence[ElementExample]) -> dict[str, MemoryModel]:
        return {kind.letter: learner.fit([_only(page, kind) for page in items]) for kind, learner in self.first.items()}


def _only(page: ElementExample, kind: ElementClass) -> ElementExample:
    """A page on which everything else is garbage."""
    text, tail = (np.where(part == kind, part, 0).astype(np.int8) for part in (page.classes.text, page.classes.tail))
    return ElementExample(page.id, page.site, page.rows, ElementClasses(text, tail))


def _remember(values: Values, pairs: Ints) -> Nearest:
    numeric = np.zeros(values.shape[1], np.bool_)
    found = statistics(values, pairs, numeric)
    rows, counts = collapse(values, pairs, len(PAIRS))
    nothing = np.zeros(values.shape[1])
    schema = Schema(numeric, found.nearest_order())
    return Nearest(InstanceMemory(rows, counts, schema, found.weights(FeatureWeighting.GAIN_RATIO), nothing, nothing))


@dataclass(frozen=True, slots=True, eq=False)
class LookedPage:
    """A page to learn from with all that the second look needs."""

    fold: int
    lesson: GoldPage
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

    def probabilities(self, page: Page, rows: Rows, /) -> Chances:
        """Return the probability of each block after the second look, given the features of the first."""
        return self.second.probabilities(_both(page, rows, self.first.probabilities(rows)))


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
                _both(
                    Page(page.lesson.html, page.lesson.url),
                    page.found.rows,
                    without[page.fold].probabilities(page.found.rows),
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
    return LookedPage(page.fold, page.lesson, found, TaughtPage(found.rows, content, importance))
