"""Training of the default extractor: word weights, trees and networks of each expert, and the classifier of page kinds.

The word weights for training trees and networks come from other sites: each fold of sites gets those of the other
folds, so that trees and networks do not trust words more than they deserve. The stored word weights are trained on all
sites.

One of the two networks of an expert sees no weights of class names. A single misleading name ("commented") can turn a
whole site around; this network limits the damage.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError
from tidings.extractors.learned.features import feature_names
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.extractors.learned.model import Expert, Model, shipped
from tidings.extractors.learned.network import BlockNetwork
from tidings.extractors.learned.stages import ARTICLE, FORUM
from tidings.extractors.learned.trees import Trees
from tidings.page import Page
from tidings.processes import results
from tidings_lab.learners.boosting import Boosting
from tidings_lab.learners.features import BlockFeatures, features
from tidings_lab.learners.labelled_pages import GoldPage, Labelled, label
from tidings_lab.learners.network import NetworkTraining, borders_of, network_page, scaled
from tidings_lab.learners.page_kinds import FEWEST_PAGES, KindTraining, describe, with_plain_pages
from tidings_lab.learners.site_folds import folds_of
from tidings_lab.learners.word_weights import weigh

Floats = NDArray[np.float32]
#: Positions are clipped, because the same text further down the page is no different.
_BOUNDS: Final = {
    "rank": (0, 64), "rank_end": (0, 64), "since_h1": (-64, 64), "dates_before": (0, 8), "dates_behind": (0, 8),
    "main_gap": (0, 16), "since_heading": (0, 16),
}  # fmt: skip
#: Features that are not used, because the position of the box has the same information (`run_before` and similar).
#: With them the probabilities of paragraphs sank steadily in a long text, until they fell below the threshold.
_UNUSED: Final = frozenset({"place", "before", "long_before", "long_behind"})
#: The value of `since_h1` on a page without an h1.
_NO_H1: Final = -float(1 << 24)
#: The prefix of features that depend on the weights of class names.
_NAME_FEATURES: Final = "class_"
Report = Callable[[str], None]  # receives progress messages
_Words = tuple[dict[str, float], dict[str, float]]


@dataclass(frozen=True, slots=True)
class Training:
    """The parameters of training the default extractor."""

    folds: int = 4  # of sites, for the word weights
    boosting: Boosting = field(default_factory=Boosting)
    network: NetworkTraining = field(default_factory=NetworkTraining)
    kinds: KindTraining = field(default_factory=KindTraining)
    articles: float = 0.4  # share of the articles from which the expert for all pages is trained
    forum_trees: int = 80  # of the expert for forums, which has few training pages
    blocks: int = 110  # drawn from each page by importance, so that large pages have no more influence than small ones
    power: float = 0.75  # exponent of a block's words in its importance
    name_sites: int = 4  # least number of sites of a class name
    cue_sites: int = 6
    most_name: float = 1.5  # bound of a class name's weight, so that one name cannot decide
    most_cue: float = 3.0
    mute: float = 0.5  # share of pages without cue words, so that the model also works in other languages
    mute_names: float = 0.8  # share of those that are also without class names
    site_pages: int = 4  # pages of a site that count in full; of more, the sum of weights grows with the square root
    bags: int = 2  # ensembles of trees, which are averaged
    jobs: int = 2

    def run(self, lessons: Sequence[GoldPage], report: Report = lambda _: None) -> Model:
        """Train the classifier of page kinds, and the experts for articles, for all pages, and for forums.

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
        report("kinds of pages")
        kind_pages = with_plain_pages([lesson for lesson in lessons if lesson.kind])
        kinds = self.kinds.run(results(describe, kind_pages, self.jobs))
        articles = [(lesson, marked) for lesson, marked in pages if lesson.kind == ARTICLE]
        forums = [(lesson, marked) for lesson, marked in pages if lesson.kind == FORUM]
        others = [pair for pair in pages if pair[0].kind != ARTICLE or _draw("all", pair[0]) < self.articles]
        is_mixed = len(articles) < len(pages)
        all_pages = self._expert(others if is_mixed else pages, lambda step: report(f"all pages: {step}"))
        if len(articles) < FEWEST_PAGES:
            expert = shipped().article
        elif not is_mixed:  # one kind of page: one expert is enough
            expert = all_pages
        else:
            expert = self._expert(articles, lambda step: report(f"articles: {step}"))
        if len(forums) < FEWEST_PAGES:
            return Model(kinds, expert, all_pages)
        small = replace(self, boosting=replace(self.boosting, trees=self.forum_trees))
        return Model(kinds, expert, all_pages, small._expert(forums, lambda step: report(f"forums: {step}")))

    def _expert(self, taught: Sequence[tuple[GoldPage, Labelled]], report: Report) -> Expert:
        pages = [lesson for lesson, _ in taught]
        marked = self._weighted([labelled for _, labelled in taught])
        fold = folds_of([page.site for page in pages], self.folds)
        report("learning words")
        words = self._words(marked)
        lexicons = self._lexicons(pages, marked, fold, report)
        report("features of blocks")
        block_features = results(_features, list(zip(pages, lexicons, strict=True)), self.jobs)
        report("trees")
        trees = self._grow(marked, [page_features.rows for page_features in block_features])
        networks = tuple(
            self._network(marked, block_features, report, has_names=has_names) for has_names in (True, False)
        )
        return Expert(self._lexicon(words), trees, networks)

    def _weighted(self, marked: Sequence[Labelled]) -> list[Labelled]:
        """Return the pages with lower weights for those of sites with many pages."""
        counts = Counter(page.site for page in marked)
        share = {site: min(1.0, (self.site_pages / count) ** 0.5) for site, count in counts.items()}
        return [replace(page, weight=page.weight * share[page.site]) for page in marked]

    def _network(
        self, marked: Sequence[Labelled], block_features: Sequence[BlockFeatures], report: Report, *, has_names: bool
    ) -> BlockNetwork:
        """Train a network on the block features of the trees, without positions that grow with the page.

        Without `has_names`, the network does not see the weights of class names.
        """
        is_unused = [
            name in _UNUSED or (not has_names and name.startswith(_NAME_FEATURES)) for name in block_features[0].names
        ]
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
        name = "network" if has_names else "network without names"
        return self.network.run(pages, border, bounds, lambda step: report(f"{name}: {step}"))

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
        by_fold: list[tuple[Lexicon, ...]] = []
        for out in range(self.folds):
            report(f"words without fold {out + 1} of {self.folds}")
            names, cues = self._words([page for page, own in zip(marked, fold, strict=True) if own != out])
            by_fold.append(tuple(self._lexicon(words) for words in ((names, cues), (names, {}), ({}, {}))))
        return [by_fold[out][self._muting(page)] for page, out in zip(pages, fold, strict=True)]

    def _muting(self, page: GoldPage) -> int:
        """Return which word weights are left out for a page: 0 none, 1 those of cue words, 2 those of class
        names too.
        """
        drawn = _draw("mute", page)
        return 0 if drawn >= self.mute else 1 if drawn >= self.mute * self.mute_names else 2

    def _lexicon(self, words: _Words) -> Lexicon:
        names, cues = words
        return Lexicon(_bounded_weights(names, self.most_name), _bounded_weights(cues, self.most_cue))

    def _grow(self, marked: Sequence[Labelled], rows: Sequence[Floats]) -> Trees:
        """Train several ensembles of trees, each on its own sample of blocks, and average them.

        In every second ensemble the position features are clipped.
        """
        return _mean(
            [
                self._bag(replace(self.boosting, seed=self.boosting.seed + bag), marked, rows, is_bounded=bag % 2 == 0)
                for bag in range(self.bags)
            ]
        )

    def _bag(
        self, boosting: Boosting, marked: Sequence[Labelled], rows: Sequence[Floats], *, is_bounded: bool
    ) -> Trees:
        """Train trees on a sample of each page's blocks, drawn by importance and weighted inversely."""
        names = feature_names()
        random = np.random.default_rng(boosting.seed)
        sampled, content, weight = [], [], []
        for page, columns in zip(marked, rows, strict=True):
            importance = page.importance(self.power)
            probability = np.minimum(1.0, self.blocks * (importance + 1 / len(importance)) / 2) * page.is_judged
            drawn = random.random(len(importance)) < probability
            sampled.append(_bounded(names, columns[:, drawn]) if is_bounded else columns[:, drawn])
            content.append(page.share[drawn] > 0.5)
            weight.append((importance[drawn] / probability[drawn]) * page.weight)
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


def _draw(purpose: str, page: GoldPage) -> float:
    """Return a pseudo-random number from 0 to 1 that depends only on the page and a purpose."""
    name = purpose + (page.url or page.site)
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:4], "big") / 2**32


def _bounded_weights(words: dict[str, float], most: float) -> Weights:
    return Weights.of({word: min(max(weight, -most), most) for word, weight in words.items()})


def _features(task: tuple[GoldPage, Lexicon]) -> BlockFeatures:
    lesson, lexicon = task
    return features(Page(lesson.html, lesson.url), lexicon)
