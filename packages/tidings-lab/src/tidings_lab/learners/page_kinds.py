"""Training of the classifier of page kinds: a linear model of words, and boosted trees over its scores and figures.

The scores for training the trees come from linear models that have not seen the page's site, so that the trees do not
trust words more than they deserve.
"""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.errors import needs
from tidings.extractors.hashed_words import hashed_words
from tidings.extractors.learned.kinds import Kinds, declared_words, page_figures
from tidings.extractors.learned.model import shipped
from tidings.extractors.learned.stages import ARTICLE
from tidings.page import Page
from tidings.page.counts import code_points
from tidings.text import words as words_of
from tidings_lab.learners.labelled_pages import GoldPage
from tidings_lab.learners.site_folds import folds_of
from tidings_lab.learners.word_weights import name_words

Floats = NDArray[np.float64]

_LEAST_SITES: Final = 5  # of a word
#: The least number of training pages, and of pages of a kind.
FEWEST_PAGES: Final = 10
#: The inverse regularisation, from a sweep with cross-validation by site on wcxb-dev.
_STRENGTH: Final = 0.02
_FOLDS: Final = 5
#: The share of articles of which a plain page is added.
_PLAIN: Final = 0.34


@dataclass(frozen=True, slots=True, eq=False)
class KindExample:
    """A training page of the classifier: its kind, its words and its figures."""

    site: str
    kind: str
    words: frozenset[str]
    figures: list[float]


@dataclass(frozen=True, slots=True)
class KindTraining:
    """The parameters of training the classifier of page kinds."""

    trees: int = 150
    depth: int = 4
    rate: float = 0.08
    strength: float = 6.0  # L2 regularisation of leaves
    seed: int = 1
    most: int = 700  # pages of a kind that count in full; the weights of a larger kind are scaled down to this sum

    def run(self, pages: Sequence[KindExample]) -> Kinds:
        """Train the classifier on the kinds with enough pages. If there is only one, return the built-in weights."""
        counts = Counter(page.kind for page in pages)
        names = sorted(kind for kind, count in counts.items() if count >= FEWEST_PAGES)
        if len(names) < 2:
            return shipped().kinds
        pages = [page for page in pages if page.kind in names]
        weight = np.array([min(1.0, self.most / counts[page.kind]) for page in pages])
        scores = np.zeros((len(pages), len(names)))
        fold = np.array(folds_of([page.site for page in pages], _FOLDS))
        for out in range(_FOLDS):
            inside = np.flatnonzero(fold != out)
            if (fold == out).any() and len({pages[place].kind for place in inside.tolist()}) > 1:
                model = _WordModel.fit([pages[place] for place in inside.tolist()], names, weight[inside])
                outside = np.flatnonzero(fold == out)
                scores[outside] = model.scores([pages[place] for place in outside.tolist()])
        words = _WordModel.fit(pages, names, weight)
        inputs = np.hstack([scores, [page.figures for page in pages]]).astype(np.float32)
        trees = self._grow(inputs, [names.index(page.kind) for page in pages], weight)
        return Kinds.of_arrays(
            {
                "kinds.kinds": np.array(names),
                "kinds.word": np.array(words.vocabulary, dtype=np.str_),
                "kinds.weight": words.weight.astype(np.float32),
                "kinds.word_bias": words.bias.astype(np.float32),
                **trees,
            }
        )

    def _grow(self, inputs: NDArray[np.float32], kinds: Sequence[int], weight: Floats) -> dict[str, NDArray[Any]]:
        with needs("training", "lab"):
            from catboost import CatBoostClassifier
        learner = CatBoostClassifier(
            iterations=self.trees, depth=self.depth, learning_rate=self.rate, l2_leaf_reg=self.strength,
            random_seed=self.seed, loss_function="MultiClass", rsm=0.5, bootstrap_type="Bernoulli", subsample=0.7,
            verbose=False, allow_writing_files=False, thread_count=2,
        )  # fmt: skip
        learner.fit(inputs, kinds, sample_weight=weight)
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "trees.json"
            learner.save_model(str(file), format="json")
            return _tree_arrays(json.loads(file.read_text(encoding="utf-8")), self.depth, max(kinds) + 1)


def _tree_arrays(model: dict[str, Any], depth: int, kinds: int) -> dict[str, NDArray[Any]]:
    """Convert CatBoost's description of its trees; shallower trees get further comparisons without effect."""
    feature: list[list[int]] = []
    border: list[list[float]] = []
    leaf: list[list[float]] = []
    for tree in model["oblivious_trees"]:
        splits, values = tree["splits"] or [], tree["leaf_values"]
        missing = depth - len(splits)
        feature.append([split["float_feature_index"] for split in splits] + [0] * missing)
        border.append([split["border"] for split in splits] + [np.inf] * missing)
        leaf.append(values + [0.0] * ((kinds << depth) - len(values)))
    scale, bias = model["scale_and_bias"]
    return {
        "kinds.feature": np.array(feature, np.int64),
        "kinds.border": np.array(border, np.float32),
        "kinds.leaf": (np.array(leaf) * scale).astype(np.float32).reshape(len(leaf), 1 << depth, kinds),
        "kinds.bias": np.zeros(kinds) + np.array(bias, np.float64),
    }


class _WordModel(NamedTuple):
    """A linear model of the words on a page: a weight of each word for each kind."""

    vocabulary: list[str]
    weight: Floats  # words × kinds
    bias: Floats

    @classmethod
    def fit(cls, pages: Sequence[KindExample], names: Sequence[str], weight: Floats) -> _WordModel:
        with needs("training", "lab"):
            from sklearn.linear_model import LogisticRegression
        holders: defaultdict[str, set[str]] = defaultdict(set)
        for page in pages:
            for word in page.words:
                holders[word].add(page.site)
        vocabulary = sorted(
            word
            for word, sites in holders.items()
            if len(sites) >= _LEAST_SITES and not word.isdigit() and len(hashed_words(code_points(word)).number) == 1
        )
        if not vocabulary:  # a small corpus: no word is on enough sites
            return cls([], np.zeros((0, len(names))), np.zeros(len(names)))
        regression = LogisticRegression(C=_STRENGTH, max_iter=1000)
        regression.fit(_word_matrix(vocabulary, pages), [page.kind for page in pages], weight)
        weights, bias = regression.coef_.T, regression.intercept_
        if len(bias) == 1:  # for two kinds the regression returns weights for the second only
            weights, bias = np.hstack((-weights, weights)) / 2, np.append(-bias, bias) / 2
        # A kind may be missing among these pages.
        columns = [list(names).index(kind) for kind in regression.classes_]
        all_weights, all_bias = np.zeros((len(vocabulary), len(names))), np.full(len(names), bias.min())
        all_weights[:, columns], all_bias[columns] = weights, bias
        return cls(vocabulary, all_weights, all_bias)

    def scores(self, pages: Sequence[KindExample]) -> Floats:
        """Return the score of each kind for each page."""
        return np.asarray(_word_matrix(self.vocabulary, pages) @ self.weight + self.bias)


def _word_matrix(vocabulary: Sequence[str], pages: Sequence[KindExample]) -> Any:
    from scipy.sparse import csr_matrix

    column = {word: number for number, word in enumerate(vocabulary)}
    indices: list[int] = []
    bounds = [0]
    for page in pages:
        indices += sorted({column[word] for word in page.words if word in column})
        bounds.append(len(indices))
    return csr_matrix((np.ones(len(indices)), indices, bounds), shape=(len(pages), len(vocabulary)))


def with_plain_pages(lessons: Sequence[GoldPage]) -> list[GoldPage]:
    """Return the training pages and, for a third of the articles, a plain page of the same story.

    All sites of the corpora have large templates. Without plain pages, the classifier takes a small page without menus
    and metadata for anything but an article.
    """
    articles = [lesson for lesson in lessons if lesson.kind == ARTICLE and lesson.gold]
    return [*lessons, *(_plain_page(lesson) for lesson in articles if _draw(lesson) < _PLAIN)]


def _plain_page(lesson: GoldPage) -> GoldPage:
    """Return the first paragraphs of a story as a page: bare, or with a small menu and a footer."""
    paragraphs = [escape(line) for line in lesson.gold.splitlines() if line.strip()]
    first, *rest = paragraphs[: 3 + int(40 * _draw(lesson))]
    story = "".join(f"<p>{paragraph}</p>" for paragraph in (first, *rest))
    if _draw(lesson) < _PLAIN / 2:
        return replace(lesson, html=story.encode(), url="")
    links = "".join(f"<li><a href=/{number}>{word}</a></li>" for number, word in enumerate(first.split()[:5]))
    title = escape(lesson.headline) or " ".join(first.split()[:8])
    body = f"<ul>{links}</ul><div><h1>{title}</h1>{story}</div><div><p>© {escape(lesson.site)}</p></div>"
    return replace(lesson, html=f"<html><head><title>{title}</title></head><body>{body}</body></html>".encode())


def _draw(lesson: GoldPage) -> float:
    """Return a pseudo-random number from 0 to 1 for a page."""
    return int.from_bytes(hashlib.sha256(f"plain {lesson.url} {lesson.site}".encode()).digest()[:4], "big") / 2**32


def describe(lesson: GoldPage) -> KindExample:
    """Return the words and figures of a page by which its kind is predicted."""
    page = Page(lesson.html, lesson.url)
    words = frozenset(words_of(" ".join(declared_words(page)))).union(*name_words(page).values())
    return KindExample(lesson.site, lesson.kind, words, page_figures(page))
