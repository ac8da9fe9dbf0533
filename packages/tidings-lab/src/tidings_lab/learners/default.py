"""Training the default extractor: two lexicons, a first look at each block, a second at its surroundings, a network.

What a later step learns from must not be better than what it will meet. So the words' weights that the first look is
trained with come from other sites, and so do the chances that the second look is trained with: each fold of sites gets
them from a model of the other folds. The words, the first look and the second look that are kept learn from all sites.

Boosted oblivious trees: learned by CatBoost, kept as plain arrays.

Learning to tell kinds of pages apart: a logistic regression over words and figures of whole pages.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError, needs
from tidings.extractors.hashed_words import hashed_words
from tidings.extractors.learned.features import all_names, first_names
from tidings.extractors.learned.kinds import Kinds
from tidings.extractors.learned.lexicon import Lexicon, Weights
from tidings.extractors.learned.model import Expert, Model, shipped
from tidings.extractors.learned.network import BlockNetwork
from tidings.extractors.learned.stages import ARTICLE
from tidings.extractors.learned.trees import Trees
from tidings.page import Page
from tidings.page.counts import code_points
from tidings.processes import results
from tidings_lab.learners.features import BlockFeatures, context_features, features, first_probabilities
from tidings_lab.learners.lesson import GoldPage, Labelled, label, weigh
from tidings_lab.learners.network import NetworkTraining, borders_of, network_page, scaled

Floats = NDArray[np.float32]


#: Where a block stands, told only near to what it is counted from: further down the same text is no other text.
_BOUNDS: Final = {
    "rank": (0, 64), "rank_end": (0, 64), "since_h1": (-64, 64), "dates_before": (0, 8), "dates_behind": (0, 8),
    "main_gap": (0, 16), "since_heading": (0, 16), "second_before_first": (-16, 16), "second_behind_last": (-16, 16),
    "second_from_surest": (-16, 16), "second_gap": (0, 400),
}  # fmt: skip
#: And not told at all: the place of the box says it (`run_before` and the like). With these the chances of paragraphs
#: sank steadily down a long text, until they passed the threshold.
_UNTOLD: Final = frozenset({"place", "before", "long_before", "long_behind"})
#: The value of `since_h1` on a page without an h1.
_NO_H1: Final = -float(1 << 24)


@dataclass(frozen=True, slots=True)
class Boosting:
    """How trees are grown. Every tree costs its time on every page, and more of them hardly help: 800 instead of 300
    gained 0.002 word F1 on the articles of one fold of wcxb-dev, and lost 0.004 over all its pages.
    """

    trees: int = 200
    depth: int = 6
    rate: float = 0.12
    strength: float = 8.0  # of the pull of leaves towards zero
    seed: int = 1

    def fit(self, names: tuple[str, ...], rows: Floats, content: NDArray[np.bool_], weight: NDArray[np.float64]) -> Any:
        """Return a trained CatBoostClassifier; a row a feature, a column a block."""
        with needs("training", "lab"):
            from catboost import CatBoostClassifier, Pool
        learner = CatBoostClassifier(
            iterations=self.trees, depth=self.depth, learning_rate=self.rate, l2_leaf_reg=self.strength,
            random_seed=self.seed, loss_function="Logloss", border_count=64, rsm=0.5, bootstrap_type="Bernoulli",
            subsample=0.7, verbose=False, allow_writing_files=False, thread_count=2,
        )  # fmt: skip
        return learner.fit(Pool(rows.T, content, weight=weight, feature_names=list(names)))

    def trees_of(self, names: tuple[str, ...], learner: Any) -> Trees:
        """Return the trees of a trained CatBoostClassifier."""
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "trees.json"
            learner.save_model(str(file), format="json")
            return _trees(names, json.loads(file.read_text(encoding="utf-8")), self.depth)


def _trees(names: tuple[str, ...], model: dict[str, Any], depth: int) -> Trees:
    """From CatBoost's description of its trees; those that stopped short get questions that change nothing."""
    feature: list[int] = []
    border: list[float] = []
    leaf: list[list[float]] = []
    for tree in model["oblivious_trees"]:
        splits, values = tree["splits"] or [], tree["leaf_values"]
        missing = depth - len(splits)
        feature += [split["float_feature_index"] for split in splits] + [0] * missing
        border += [split["border"] for split in splits] + [np.inf] * missing
        leaf.append(values + [0.0] * ((1 << depth) - len(values)))
    scale, bias = model["scale_and_bias"]
    return Trees(
        names,
        np.array(feature, np.int64),
        np.array(border, np.float32),
        (np.array(leaf) * scale).astype(np.float32),
        float(np.ravel(bias)[0]),
    )


_LEAST_SITES: Final = 5
#: Fewer pages are not enough to grow trees from.
FEWEST_PAGES: Final = 10
#: Strength of the pull towards zero, from a sweep by folds grouped by site on wcxb-dev.
_STRENGTH: Final = 0.02


def learn_kinds(pages: Sequence[Labelled]) -> Kinds:
    """Learn to recognise kinds of pages; return the shipped weights if all pages are of one kind."""
    with needs("training", "lab"):
        from scipy.sparse import csr_matrix, hstack
        from sklearn.linear_model import LogisticRegression
    kinds, words = [page.kind for page in pages], [page.page_words for page in pages]
    holders: defaultdict[str, set[str]] = defaultdict(set)
    for page in pages:
        for word in page.page_words:
            holders[word].add(page.site)
    if len(set(kinds)) < 2:
        return shipped().kinds
    known = sorted(
        word
        for word, found in holders.items()
        if len(found) >= _LEAST_SITES and not word.isdigit() and len(hashed_words(code_points(word)).number) == 1
    )
    column = {word: number for number, word in enumerate(known)}
    indices: list[int] = []
    bounds = [0]
    for bag in words:
        indices += sorted({column[word] for word in bag if word in column})
        bounds.append(len(indices))
    held = csr_matrix((np.ones(len(indices)), indices, bounds), shape=(len(words), len(known)))
    told = np.array([page.figures for page in pages])
    centre, scale = told.mean(axis=0), np.maximum(told.std(axis=0), 1e-6)
    regression = LogisticRegression(C=_STRENGTH, max_iter=2000)
    regression.fit(hstack([held, csr_matrix((told - centre) / scale)]).tocsr(), np.array(kinds))
    weights, bias = regression.coef_.T, regression.intercept_
    if len(bias) == 1:  # of two kinds the regression has weights for the second only
        weights, bias = np.hstack((-weights, weights)) / 2, np.append(-bias, bias) / 2
    return Kinds.of_arrays(
        {
            "kinds.kinds": regression.classes_,
            "kinds.word": np.array(known, dtype=np.str_),
            "kinds.weight": weights[: len(known)].astype(np.float32),
            "kinds.centre": centre,
            "kinds.scale": scale,
            "kinds.figure": weights[len(known) :],
            "kinds.bias": bias,
        }
    )


Told = Callable[[str], None]  # is told what comes next
_Words = tuple[dict[str, float], dict[str, float]]


@dataclass(frozen=True, slots=True)
class Training:
    """The figures of training."""

    folds: int = 5
    first: Boosting = field(default_factory=Boosting)
    second: Boosting = field(default_factory=lambda: Boosting(trees=150))
    network: NetworkTraining = field(default_factory=NetworkTraining)
    blocks: int = 110  # drawn from each page, by importance: large pages teach no more than small ones
    power: float = 0.75  # of a block's words in its importance
    name_sites: int = 4  # sites a class name must stand on to be learned
    cue_sites: int = 6
    mute: float = 0.5  # share of pages whose cue words are not heard, so that other languages are judged well too
    mute_names: float = 0.4  # share of those whose names of classes are not heard either
    bags: int = 2  # ensembles of each look, of which the mean is taken
    jobs: int = 2

    def run(self, lessons: Sequence[GoldPage], told: Told = lambda _: None) -> Model:
        """Learn from pages: to tell their kinds, from articles, and from all of them.

        Raises:
            InputError: there is too little to learn from.
        """
        told(f"labelling {len(lessons)} pages")
        found = results(label, lessons, self.jobs)
        pages = [(lesson, marked) for lesson, marked in zip(lessons, found, strict=True) if marked is not None]
        if len(pages) < FEWEST_PAGES:
            raise InputError(
                f"training needs at least {FEWEST_PAGES} pages with ground truth; {len(pages)} of {len(lessons)} have"
                " text on the page that their ground truth contains"
            )
        articles = [(lesson, marked) for lesson, marked in pages if lesson.kind == ARTICLE]
        told("kinds of pages")
        kinds = learn_kinds([marked for _, marked in pages if marked.kind])
        all_pages = self._expert(pages, lambda step: told(f"all pages: {step}"))
        if len(articles) < FEWEST_PAGES:
            expert = shipped().article
        elif len(articles) == len(pages):  # one kind of page: one expert is enough
            expert = all_pages
        else:
            expert = self._expert(articles, lambda step: told(f"articles: {step}"))
        return Model(kinds, expert, all_pages)

    def _expert(self, taught: Sequence[tuple[GoldPage, Labelled]], told: Told) -> Expert:
        pages, marked = [lesson for lesson, _ in taught], [found for _, found in taught]
        fold = folds_of([page.site for page in pages], self.folds)
        told("learning words")
        words = self._words(marked)
        lexicons = self._lexicons(pages, marked, fold, told)
        told("features of the first look")
        looked = results(_look, list(zip(pages, lexicons, strict=True)), self.jobs)
        told("first look: trees on all sites")
        rows = [found.rows for found in looked]
        first = self._grow(self.first, marked, rows, first_names())
        around: list[Floats] = [rows[0][:0]] * len(pages)
        for out in range(self.folds):
            told(f"first look: trees without fold {out + 1} of {self.folds}")
            inside = [place for place in range(len(pages)) if fold[place] != out]
            outside = [place for place in range(len(pages)) if fold[place] == out]
            trees = self._grow(
                self.first, [marked[one] for one in inside], [rows[one] for one in inside], first_names()
            )
            work = [(pages[one], lexicons[one], trees) for one in outside]
            for place, context in zip(outside, results(_look_again, work, self.jobs), strict=True):
                around[place] = context
        told("second look: trees on all sites")
        both = [np.concatenate(parts) for parts in zip(rows, around, strict=True)]
        second = self._grow(self.second, marked, both, all_names())
        return Expert(_lexicon(words), first, second, self._network(marked, looked, told))

    def _network(self, marked: Sequence[Labelled], looked: Sequence[BlockFeatures], told: Told) -> BlockNetwork:
        """Learned from the same features as the first look, without places in a text that has no end."""
        untold = [name in _UNTOLD for name in looked[0].names]
        border, bounds = borders_of([found.rows for found in looked], untold, self.network.seed)
        pages = [
            network_page(
                found, scaled(found.rows, border, bounds), page.share, page.importance(self.power) * page.weight
            )
            for page, found in zip(marked, looked, strict=True)
        ]
        return self.network.run(pages, border, bounds, lambda step: told(f"network: {step}"))

    def _words(self, marked: Sequence[Labelled]) -> _Words:
        sites, shares = [page.site for page in marked], [page.share for page in marked]
        weight = [page.importance(0.5) for page in marked]
        return (
            weigh(sites, [page.bags.names for page in marked], shares, weight, self.name_sites),
            weigh(sites, [page.bags.cues for page in marked], shares, weight, self.cue_sites),
        )

    def _lexicons(
        self, pages: Sequence[GoldPage], marked: Sequence[Labelled], fold: Sequence[int], told: Told
    ) -> list[Lexicon]:
        """Return for each page words learned on other sites; on some pages cue words, or names too, are muted."""
        by_fold = []
        for out in range(self.folds):
            told(f"words without fold {out + 1} of {self.folds}")
            names, cues = self._words([page for page, own in zip(marked, fold, strict=True) if own != out])
            by_fold.append((_lexicon((names, cues)), _lexicon((names, {})), _lexicon(({}, {}))))
        return [by_fold[out][self._deafness(page)] for page, out in zip(pages, fold, strict=True)]

    def _deafness(self, page: GoldPage) -> int:
        """0: all words of the page are heard, 1: no cue words, 2: no names either."""
        drawn = _draw(page.url or page.site)
        return 0 if drawn >= self.mute else 1 if drawn >= self.mute * self.mute_names else 2

    def _grow(
        self, boosting: Boosting, marked: Sequence[Labelled], rows: Sequence[Floats], names: tuple[str, ...]
    ) -> Trees:
        """The mean of several ensembles, each from a sample of its own, every second one told places without bounds."""
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
        """Trees from a sample of each page's blocks, drawn by importance and weighed back."""
        random = np.random.default_rng(boosting.seed)
        kept, content, weight = [], [], []
        for page, columns in zip(marked, rows, strict=True):
            importance = page.importance(self.power)
            probability = np.minimum(1.0, self.blocks * (importance + 1 / len(importance)) / 2)
            drawn = random.random(len(importance)) < probability
            kept.append(_bounded(names, columns[:, drawn]) if is_bounded else columns[:, drawn])
            content.append(page.share[drawn] > 0.5)
            weight.append((importance / probability)[drawn] * page.weight)
        weights = np.concatenate(weight)
        rows_drawn, is_content = np.concatenate(kept, axis=1), np.concatenate(content)
        return boosting.trees_of(names, boosting.fit(names, rows_drawn, is_content, weights / weights.mean()))


def _mean(bags: Sequence[Trees]) -> Trees:
    """One ensemble that gives the mean of what several give."""
    return Trees(
        bags[0].features,
        np.concatenate([one.feature for one in bags]),
        np.concatenate([one.border for one in bags]),
        (np.concatenate([one.leaf for one in bags]) / len(bags)).astype(np.float32),
        sum(one.bias for one in bags) / len(bags),
    )


def _bounded(names: tuple[str, ...], rows: Floats) -> Floats:
    """The rows as trees learn from them: places without an end are told up to one, and some not at all.

    Trees that have learned so ask nothing above a bound, so what they are told later needs none.
    """
    for row, name in zip(rows, names, strict=True):
        if name in _BOUNDS:
            low, high = _BOUNDS[name]
            some = row > _NO_H1
            row[some] = np.clip(row[some], low, high)
        elif name in _UNTOLD:
            row[:] = 0
    return rows


def folds_of(sites: Sequence[str], folds: int) -> list[int]:
    """Return the fold of each page from its site, or deal pages in turn if all sites fall into one fold."""
    by_site = [fold_of(site, folds) for site in sites]
    return by_site if len(set(by_site)) > 1 else [number % folds for number in range(len(sites))]


def fold_of(site: str, folds: int) -> int:
    """The fold of a site, the same on every machine."""
    return int.from_bytes(hashlib.sha256(site.encode()).digest()[:8], "big") % folds


def _draw(name: str) -> float:
    """A number from 0 to 1 that depends on a name only."""
    return int.from_bytes(hashlib.sha256(b"mute" + name.encode()).digest()[:4], "big") / 2**32


def _lexicon(words: _Words) -> Lexicon:
    return Lexicon(*(Weights.of(one) for one in words))


def _look(task: tuple[GoldPage, Lexicon]) -> BlockFeatures:
    lesson, lexicon = task
    return features(Page(lesson.html, lesson.url), lexicon)


def _look_again(task: tuple[GoldPage, Lexicon, Trees]) -> Floats:
    lesson, lexicon, trees = task
    page = Page(lesson.html, lesson.url)
    return context_features(page, first_probabilities(page, lexicon, trees))
