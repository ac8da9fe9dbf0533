"""Training of the default extractor: word weights, first pass, second pass with context, and network.

A later step must not be trained on better inputs than it will get. So the word weights for training the first pass come
from other sites, and so do the probabilities for training the second pass: each fold of sites gets them from a model of
the other folds. The stored words, first pass and second pass are trained on all sites.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError
from tidings.extractors.learned.features import all_names, first_names
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.extractors.learned.model import Expert, Model, shipped
from tidings.extractors.learned.network import BlockNetwork
from tidings.extractors.learned.stages import ARTICLE
from tidings.extractors.learned.trees import Trees
from tidings.page import Page
from tidings.processes import results
from tidings_lab.learners.boosting import Boosting
from tidings_lab.learners.features import BlockFeatures, context_features, features, first_probabilities
from tidings_lab.learners.labelled_pages import GoldPage, Labelled, label
from tidings_lab.learners.network import NetworkTraining, borders_of, network_page, scaled
from tidings_lab.learners.page_kinds import FEWEST_PAGES, learn_kinds
from tidings_lab.learners.site_folds import folds_of
from tidings_lab.learners.word_weights import weigh

Floats = NDArray[np.float32]
#: Positions are clipped, because the same text further down the page is no different.
_BOUNDS: Final = {
    "rank": (0, 64), "rank_end": (0, 64), "since_h1": (-64, 64), "dates_before": (0, 8), "dates_behind": (0, 8),
    "main_gap": (0, 16), "since_heading": (0, 16), "second_before_first": (-16, 16), "second_behind_last": (-16, 16),
    "second_from_surest": (-16, 16), "second_gap": (0, 400),
}  # fmt: skip
#: Features that are not used, because the position of the box has the same information (`run_before` and similar).
#: With them the probabilities of paragraphs sank steadily in a long text, until they fell below the threshold.
_UNUSED: Final = frozenset({"place", "before", "long_before", "long_behind"})
#: The value of `since_h1` on a page without an h1.
_NO_H1: Final = -float(1 << 24)
Report = Callable[[str], None]  # receives progress messages
_Words = tuple[dict[str, float], dict[str, float]]


@dataclass(frozen=True, slots=True)
class Training:
    """The parameters of training the default extractor."""

    folds: int = 5
    first: Boosting = field(default_factory=Boosting)
    second: Boosting = field(default_factory=lambda: Boosting(trees=150))
    network: NetworkTraining = field(default_factory=NetworkTraining)
    blocks: int = 110  # drawn from each page by importance, so that large pages have no more influence than small ones
    power: float = 0.75  # exponent of a block's words in its importance
    name_sites: int = 4  # least number of sites of a class name
    cue_sites: int = 6
    mute: float = 0.5  # share of pages without cue words, so that the model also works in other languages
    mute_names: float = 0.4  # share of those that are also without class names
    bags: int = 2  # ensembles per pass, which are averaged
    jobs: int = 2

    def run(self, lessons: Sequence[GoldPage], report: Report = lambda _: None) -> Model:
        """Train the classifier of page kinds, the expert for articles, and the expert for all pages.

        Raises:
            InputError: there is too little training data.
        """
        report(f"labelling {len(lessons)} pages")
        labelled = results(label, lessons, self.jobs)
        pages = [(lesson, marked) for lesson, marked in zip(lessons, labelled, strict=True) if marked is not None]
        if len(pages) < FEWEST_PAGES:
            raise InputError(
                f"training needs at least {FEWEST_PAGES} pages with ground truth; {len(pages)} of {len(lessons)} have"
                " text on the page that their ground truth contains"
            )
        articles = [(lesson, marked) for lesson, marked in pages if lesson.kind == ARTICLE]
        report("kinds of pages")
        kinds = learn_kinds([marked for _, marked in pages if marked.kind])
        all_pages = self._expert(pages, lambda step: report(f"all pages: {step}"))
        if len(articles) < FEWEST_PAGES:
            expert = shipped().article
        elif len(articles) == len(pages):  # one kind of page: one expert is enough
            expert = all_pages
        else:
            expert = self._expert(articles, lambda step: report(f"articles: {step}"))
        return Model(kinds, expert, all_pages)

    def _expert(self, taught: Sequence[tuple[GoldPage, Labelled]], report: Report) -> Expert:
        pages, marked = [lesson for lesson, _ in taught], [labelled for _, labelled in taught]
        fold = folds_of([page.site for page in pages], self.folds)
        report("learning words")
        words = self._words(marked)
        lexicons = self._lexicons(pages, marked, fold, report)
        report("features of the first look")
        first_features = results(_look, list(zip(pages, lexicons, strict=True)), self.jobs)
        report("first look: trees on all sites")
        rows = [labelled.rows for labelled in first_features]
        first = self._grow(self.first, marked, rows, first_names())
        contexts: list[Floats] = [rows[0][:0]] * len(pages)
        for out in range(self.folds):
            report(f"first look: trees without fold {out + 1} of {self.folds}")
            inside = [place for place in range(len(pages)) if fold[place] != out]
            outside = [place for place in range(len(pages)) if fold[place] == out]
            trees = self._grow(
                self.first, [marked[index] for index in inside], [rows[index] for index in inside], first_names()
            )
            work = [(pages[index], lexicons[index], trees) for index in outside]
            for place, context in zip(outside, results(_look_again, work, self.jobs), strict=True):
                contexts[place] = context
        report("second look: trees on all sites")
        both = [np.concatenate(parts) for parts in zip(rows, contexts, strict=True)]
        second = self._grow(self.second, marked, both, all_names())
        return Expert(_lexicon(words), first, second, self._network(marked, first_features, report))

    def _network(
        self, marked: Sequence[Labelled], block_features: Sequence[BlockFeatures], report: Report
    ) -> BlockNetwork:
        """Train the network on the block features of the trees, without positions that grow with the page."""
        is_unused = [name in _UNUSED for name in block_features[0].names]
        border, bounds = borders_of(
            [page_features.rows for page_features in block_features], is_unused, self.network.seed
        )
        pages = [
            network_page(
                page_features,
                scaled(page_features.rows, border, bounds),
                page.share,
                page.importance(self.power) * page.weight,
            )
            for page, page_features in zip(marked, block_features, strict=True)
        ]
        return self.network.run(pages, border, bounds, lambda step: report(f"network: {step}"))

    def _words(self, marked: Sequence[Labelled]) -> _Words:
        sites, shares = [page.site for page in marked], [page.share for page in marked]
        weight = [page.importance(0.5) for page in marked]
        return (
            weigh(sites, [page.bags.names for page in marked], shares, weight, self.name_sites),
            weigh(sites, [page.bags.cues for page in marked], shares, weight, self.cue_sites),
        )

    def _lexicons(
        self, pages: Sequence[GoldPage], marked: Sequence[Labelled], fold: Sequence[int], report: Report
    ) -> list[Lexicon]:
        """Return for each page the word weights learned from the other folds of sites.

        For a random selection of pages, the weights of cue words, or of cue words and class names, are left out, so
        that the trees also learn to work without them.
        """
        by_fold = []
        for out in range(self.folds):
            report(f"words without fold {out + 1} of {self.folds}")
            names, cues = self._words([page for page, own in zip(marked, fold, strict=True) if own != out])
            by_fold.append((_lexicon((names, cues)), _lexicon((names, {})), _lexicon(({}, {}))))
        return [by_fold[out][self._muting(page)] for page, out in zip(pages, fold, strict=True)]

    def _muting(self, page: GoldPage) -> int:
        """Return which word weights are left out for a page: 0 none, 1 those of cue words, 2 those of class
        names too.
        """
        drawn = _draw(page.url or page.site)
        return 0 if drawn >= self.mute else 1 if drawn >= self.mute * self.mute_names else 2

    def _grow(
        self, boosting: Boosting, marked: Sequence[Labelled], rows: Sequence[Floats], names: tuple[str, ...]
    ) -> Trees:
        """Train several ensembles of trees, each on its own sample of blocks, and average them.

        In every second ensemble the position features are clipped.
        """
        return _mean(
            [
                self._bag(replace(boosting, seed=boosting.seed + bag), marked, rows, names, is_bounded=bag % 2 == 0)
                for bag in range(self.bags)
            ]
        )

    def _bag(
        self,
        boosting: Boosting,
        marked: Sequence[Labelled],
        rows: Sequence[Floats],
        names: tuple[str, ...],
        *,
        is_bounded: bool,
    ) -> Trees:
        """Train trees on a sample of each page's blocks, drawn by importance and weighted inversely."""
        random = np.random.default_rng(boosting.seed)
        sampled, content, weight = [], [], []
        for page, columns in zip(marked, rows, strict=True):
            importance = page.importance(self.power)
            probability = np.minimum(1.0, self.blocks * (importance + 1 / len(importance)) / 2)
            drawn = random.random(len(importance)) < probability
            sampled.append(_bounded(names, columns[:, drawn]) if is_bounded else columns[:, drawn])
            content.append(page.share[drawn] > 0.5)
            weight.append((importance / probability)[drawn] * page.weight)
        weights = np.concatenate(weight)
        rows_drawn, is_content = np.concatenate(sampled, axis=1), np.concatenate(content)
        return boosting.trees_of(names, boosting.fit(names, rows_drawn, is_content, weights / weights.mean()))


def _mean(bags: Sequence[Trees]) -> Trees:
    """Combine ensembles of trees into one whose result is the mean of their results."""
    return Trees(
        bags[0].features,
        np.concatenate([trees.feature for trees in bags]),
        np.concatenate([trees.border for trees in bags]),
        (np.concatenate([trees.leaf for trees in bags]) / len(bags)).astype(np.float32),
        sum(trees.bias for trees in bags) / len(bags),
    )


def _bounded(names: tuple[str, ...], rows: Floats) -> Floats:
    """Clip positions, and set unused features to 0, in place.

    Trees trained like this compare nothing beyond a bound, so the features need no clipping later.
    """
    for row, name in zip(rows, names, strict=True):
        if name in _BOUNDS:
            low, high = _BOUNDS[name]
            is_present = row > _NO_H1
            row[is_present] = np.clip(row[is_present], low, high)
        elif name in _UNUSED:
            row[:] = 0
    return rows


def _draw(name: str) -> float:
    """Return a pseudo-random number from 0 to 1, computed from a name (equal names give equal numbers)."""
    return int.from_bytes(hashlib.sha256(b"mute" + name.encode()).digest()[:4], "big") / 2**32


def _lexicon(words: _Words) -> Lexicon:
    return Lexicon(*(Weights.of(weights) for weights in words))


def _look(task: tuple[GoldPage, Lexicon]) -> BlockFeatures:
    lesson, lexicon = task
    return features(Page(lesson.html, lesson.url), lexicon)


def _look_again(task: tuple[GoldPage, Lexicon, Trees]) -> Floats:
    lesson, lexicon, trees = task
    page = Page(lesson.html, lesson.url)
    return context_features(page, first_probabilities(page, lexicon, trees))
