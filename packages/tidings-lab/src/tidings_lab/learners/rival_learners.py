"""Other learners for the task of the default extractor: telling content from the rest, block by block.

All get the same features and give chances, so the lab can compare them (`tidings lab study learners`). None ships. They
are scikit-learn's, CatBoost's and CRFsuite's; what is here is how they are asked.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError, needs
from tidings.extractors.learned.trees import Trees
from tidings.page.columns import Bools
from tidings_lab.learners.default import Boosting

Rows = NDArray[np.float32]
Chances = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class TaughtPage:
    """The visible blocks of a page in their order."""

    rows: Rows  # a row a feature, a column a block
    content: Bools
    importance: NDArray[np.float64]  # of each block; together 1


class BlockJudge(Protocol):
    """What a rival has learned."""

    @property
    def size(self) -> int:
        """Bytes of the weights, stored as plain arrays of four-byte numbers or as the learner's own file."""
        ...

    def probabilities(self, rows: Rows, /) -> Chances:
        """The chance of each block of one page to be content."""
        ...


class Rival(Protocol):
    """A learner; its settings are its fields."""

    def fit(self, pages: Sequence[TaughtPage], /) -> BlockJudge:
        """Learn from pages.

        Raises:
            InputError: they have no content, or nothing else.
            MissingExtra: the library of the learner is not installed.
        """
        ...


class Drawn(NamedTuple):
    """Blocks of many pages, out of their order: for learners that look at one block at a time."""

    rows: Rows  # a row a block
    content: Bools
    weight: NDArray[np.float64]  # of mean 1


def draw(pages: Sequence[TaughtPage], blocks: int = 110, seed: int = 1) -> Drawn:
    """About so many blocks of each page, drawn by importance and weighed back: the sample the default learns from.

    Raises:
        InputError: there is too little to learn from.
    """
    check(pages)
    random = np.random.default_rng(seed)
    rows, content, weight = [], [], []
    for page in pages:
        count = len(page.content)
        probability = np.minimum(1.0, blocks * (page.importance + 1 / max(count, 1)) / 2)
        drawn = random.random(count) < probability
        rows.append(page.rows[:, drawn].T)
        content.append(page.content[drawn])
        weight.append((page.importance / probability)[drawn])
    weights = np.concatenate(weight)
    return Drawn(np.concatenate(rows), np.concatenate(content), weights / weights.mean())


def check(pages: Sequence[TaughtPage]) -> None:
    """See to it that there are blocks of both sorts.

    Raises:
        InputError: there are not.
    """
    if not any(page.content.any() for page in pages) or all(page.content.all() for page in pages):
        raise InputError("learning needs pages with blocks that are content and blocks that are not")


# -- one block at a time ---------------------------------------------------------------------------------------

_FARTHEST: Final = 5.0  # deviations from the mean: a page unlike all others must not drown the rest


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """The mean and the deviation of each feature."""

    centre: Rows
    spread: Rows

    @classmethod
    def of(cls, rows: Rows) -> Scale:
        """From blocks, a row each; a feature that never varies stays 0."""
        spread = rows.std(axis=0, dtype=np.float64)
        return cls(
            rows.mean(axis=0, dtype=np.float64).astype(np.float32),
            np.where(spread > 1e-6, spread, np.inf).astype(np.float32),
        )

    def __call__(self, rows: Rows) -> Rows:
        """The same blocks in deviations from the mean."""
        return np.asarray(np.clip((rows - self.centre) / self.spread, -_FARTHEST, _FARTHEST), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class ClassifierJudge:
    """A classifier of scikit-learn, and the bytes of its weights as plain arrays."""

    classifier: Any  # with `predict_proba`
    size: int
    scale: Scale | None = None

    def probabilities(self, rows: Rows, /) -> Chances:
        """What it says of the blocks of a page."""
        if not rows.shape[1]:
            return np.zeros(0)
        scaled = rows.T if self.scale is None else self.scale(rows.T)
        return np.asarray(self.classifier.predict_proba(scaled)[:, 1], np.float64)


@dataclass(frozen=True, slots=True)
class Linear:
    """Logistic regression: the least that features can be made to say."""

    strength: float = 1.0  # of the trust in the data against the pull towards zero

    def fit(self, pages: Sequence[TaughtPage], /) -> ClassifierJudge:
        """Weights from a sample of blocks."""
        with needs("logistic regression", "lab"):
            from sklearn.linear_model import LogisticRegression
        drawn = draw(pages)
        scale = Scale.of(drawn.rows)
        regression = LogisticRegression(C=self.strength, max_iter=300, tol=1e-3)
        regression.fit(scale(drawn.rows).astype(np.float64), drawn.content, drawn.weight)
        # Weights, means and deviations.
        return ClassifierJudge(regression, 4 * (3 * drawn.rows.shape[1] + 1), scale)


#: Bytes of a node: the feature that is asked (2), the border, two ways on and the chance (4 each).
_NODE_BYTES: Final = 18


@dataclass(frozen=True, slots=True)
class DecisionTree:
    """One decision tree: the learner that the hybrid approach settles on (Uzun, Agun and Yerlikaya 2013, 4.4.4).

    It has C4.5 in Weka. scikit-learn's tree has the same measure (information gain) and asks questions with two
    answers; for C4.5's pruning it has a least number of blocks in a leaf and a cost for leaves.
    """

    blocks_in_a_leaf: int = 20
    cost: float = 1e-4  # of a leaf, in information it must gain

    def fit(self, pages: Sequence[TaughtPage], /) -> ClassifierJudge:
        """A tree from a sample of blocks."""
        with needs("growing a tree", "lab"):
            from sklearn.tree import DecisionTreeClassifier
        drawn = draw(pages)
        tree = DecisionTreeClassifier(
            criterion="entropy", min_samples_leaf=self.blocks_in_a_leaf, ccp_alpha=self.cost, random_state=0
        )
        tree.fit(drawn.rows, drawn.content, drawn.weight)
        return ClassifierJudge(tree, _NODE_BYTES * int(tree.tree_.node_count))


@dataclass(frozen=True, slots=True)
class RandomForest:
    """Many trees that each saw other blocks and other features, and the mean of what they say."""

    trees: int = 100
    blocks_in_a_leaf: int = 3

    def fit(self, pages: Sequence[TaughtPage], /) -> ClassifierJudge:
        """Trees from a sample of blocks."""
        with needs("growing a forest", "lab"):
            from sklearn.ensemble import RandomForestClassifier
        drawn = draw(pages)
        forest = RandomForestClassifier(self.trees, min_samples_leaf=self.blocks_in_a_leaf, random_state=0, n_jobs=1)
        forest.fit(drawn.rows, drawn.content, drawn.weight)
        return ClassifierJudge(forest, _NODE_BYTES * sum(int(tree.tree_.node_count) for tree in forest.estimators_))


@dataclass(frozen=True, slots=True, eq=False)
class BoostedJudge:
    """The grown trees, and the CatBoostClassifier that they are from."""

    trees: Trees
    classifier: Any

    @property
    def size(self) -> int:
        """Features, borders and leaves, as they are stored."""
        stored = self.trees.arrays("")
        return sum(stored[name].nbytes for name in (".feature", ".border", ".leaf"))

    def probabilities(self, rows: Rows, /) -> Chances:
        """Return what CatBoost says of the blocks of a page."""
        if not rows.shape[1]:
            return np.zeros(0)
        return np.asarray(self.classifier.predict_proba(rows.T)[:, 1], np.float64)


@dataclass(frozen=True, slots=True)
class Boosted:
    """The learner."""

    boosting: Boosting = field(default_factory=Boosting)

    def fit(self, pages: Sequence[TaughtPage], /) -> BoostedJudge:
        """Trees from a sample of blocks."""
        drawn = draw(pages, seed=self.boosting.seed)
        names = tuple(f"feature{number}" for number in range(drawn.rows.shape[1]))
        rows = np.ascontiguousarray(drawn.rows.T)
        classifier = self.boosting.fit(names, rows, drawn.content, drawn.weight)
        return BoostedJudge(self.boosting.trees_of(names, classifier), classifier)


# -- the blocks of a page in their order -----------------------------------------------------------------------

_CONTENT, _OTHER = "1", "0"
_ALWAYS: Final = "always"  # an attribute of every block, for how common content is


@dataclass(frozen=True, slots=True, eq=False)
class BlockRanges:
    """The borders at which each feature is cut, and the range most blocks are in, which goes without saying."""

    borders: tuple[Rows, ...]
    common: NDArray[np.int64]
    names: NDArray[np.str_]  # features × ranges

    @classmethod
    def of(cls, rows: Rows, ranges: int) -> BlockRanges:
        """Ranges that hold about equally many blocks; blocks are rows."""
        shares = np.arange(1, ranges) / ranges
        borders = tuple(np.unique(np.quantile(column, shares).astype(np.float32)) for column in rows.T)
        common = np.array(
            [
                np.argmax(np.bincount(np.searchsorted(cut, column), minlength=ranges))
                for cut, column in zip(borders, rows.T, strict=True)
            ]
        )
        names = np.array([[f"{feature}:{number}" for number in range(ranges)] for feature in range(len(borders))])
        return cls(borders, common, names)

    def __call__(self, rows: Rows) -> list[list[str]]:
        """The attributes of each block of a page; features are rows."""
        found = np.stack([np.searchsorted(cut, row) for cut, row in zip(self.borders, rows, strict=True)], axis=1)
        told = found != self.common
        names = self.names[np.arange(len(self.borders)), found]
        return [[_ALWAYS, *line[held].tolist()] for line, held in zip(names, told, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class CrfJudge:
    """A trained field."""

    ranges: BlockRanges
    model: bytes
    tagger: Any  # pycrfsuite.Tagger, reading the model

    @property
    def size(self) -> int:
        """The file that CRFsuite writes."""
        return len(self.model)

    def probabilities(self, rows: Rows, /) -> Chances:
        """For each block the chance over all ways to label the page."""
        if not rows.shape[1]:
            return np.zeros(0)
        self.tagger.set(self.ranges(rows))
        return np.array([self.tagger.marginal(_CONTENT, place) for place in range(rows.shape[1])], np.float64)


@dataclass(frozen=True, slots=True)
class Crf:
    """A conditional random field over the blocks of a page in their order (python-crfsuite).

    Lafferty, McCallum and Pereira 2001; for main content Spousta, Marek and Pecina 2008 (Victor) and Gibson, Wellner
    and Lubar 2007. It knows attributes that are there or not, so features are cut into ranges; and it weighs every
    block alike.
    """

    ranges: int = 5
    strength: float = 1.0  # of the pull towards zero
    steps: int = 60

    def fit(self, pages: Sequence[TaughtPage], /) -> CrfJudge:
        """A field from whole pages."""
        with needs("the conditional random field", "lab"):
            import pycrfsuite
        check(pages)
        ranges = BlockRanges.of(draw(pages).rows, self.ranges)
        trainer = pycrfsuite.Trainer(verbose=False)
        trainer.set_params({"c2": self.strength, "max_iterations": self.steps, "feature.possible_transitions": True})
        for page in pages:
            if len(page.content):
                trainer.append(ranges(page.rows), [_CONTENT if one else _OTHER for one in page.content.tolist()])
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "field.crf"
            trainer.train(str(file))
            model = file.read_bytes()
        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(model)
        return CrfJudge(ranges, model, tagger)


@dataclass(frozen=True, slots=True, eq=False)
class ConvolutionJudge:
    """A trained network."""

    network: ClassifierJudge
    reach: int

    @property
    def size(self) -> int:
        """All weights, means and deviations."""
        return self.network.size

    def probabilities(self, rows: Rows, /) -> Chances:
        """The chance of each block."""
        return self.network.probabilities(_with_neighbours(rows, self.reach))


@dataclass(frozen=True, slots=True)
class Convolution:
    """A small convolution over the row of blocks (compare Web2Text, Vogels et al. 2018).

    The first layer sees a block and its neighbours on both sides, the same way everywhere; a second one follows.
    Learned by scikit-learn's multilayer perceptron; the seed decides the order of blocks and the first weights.
    """

    width: int = 32
    reach: int = 2  # neighbours on each side
    rounds: int = 12
    rate: float = 0.003
    seed: int = 1

    def fit(self, pages: Sequence[TaughtPage], /) -> ConvolutionJudge:
        """A network from a sample of blocks, each with its neighbours."""
        with needs("learning a network", "lab"):
            from sklearn.exceptions import ConvergenceWarning
            from sklearn.neural_network import MLPClassifier
        seen = [TaughtPage(_with_neighbours(page.rows, self.reach), page.content, page.importance) for page in pages]
        drawn = draw(seen, seed=self.seed)
        scale = Scale.of(drawn.rows)
        network = MLPClassifier(
            (self.width, self.width), learning_rate_init=self.rate, max_iter=self.rounds, random_state=self.seed
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the rounds are counted
            network.fit(scale(drawn.rows), drawn.content, drawn.weight)
        weights = sum(layer.size for layer in (*network.coefs_, *network.intercepts_))
        return ConvolutionJudge(ClassifierJudge(network, 4 * (weights + 2 * drawn.rows.shape[1]), scale), self.reach)


def _with_neighbours(rows: Rows, reach: int) -> Rows:
    """Beside the features of each block those of its neighbours; before the first and behind the last there is 0."""
    wide = np.pad(rows, ((0, 0), (reach, reach)))
    return np.concatenate([wide[:, shift : shift + rows.shape[1]] for shift in range(2 * reach + 1)])
