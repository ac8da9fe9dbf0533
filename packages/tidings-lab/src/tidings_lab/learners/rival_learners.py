"""Other learners for the block classification of the default extractor, for comparison (`tidings lab study learners`).

All get the same features and return probabilities. None is shipped. They are those of scikit-learn, CatBoost and
CRFsuite; this module configures them.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import needs
from tidings.extractors.learned.trees import Trees
from tidings_lab.learners.boosting import Boosting
from tidings_lab.learners.taught_pages import TaughtPage, check, draw

Rows = NDArray[np.float32]
Chances = NDArray[np.float64]
# -- one block at a time ---------------------------------------------------------------------------------------

_FARTHEST: Final = 5.0  # clipping in standard deviations, so that outliers do not dominate


@dataclass(frozen=True, slots=True, eq=False)
class Scale:
    """Mean and standard deviation of each feature."""

    centre: Rows
    spread: Rows

    @classmethod
    def of(cls, rows: Rows) -> Scale:
        """Compute mean and standard deviation of each feature from a row per block.

        Constant features become 0 when they are scaled.
        """
        spread = rows.std(axis=0, dtype=np.float64)
        return cls(
            rows.mean(axis=0, dtype=np.float64).astype(np.float32),
            np.where(spread > 1e-6, spread, np.inf).astype(np.float32),
        )

    def __call__(self, rows: Rows) -> Rows:
        """Standardise the features of blocks: the difference from the mean in standard deviations, clipped."""
        return np.asarray(np.clip((rows - self.centre) / self.spread, -_FARTHEST, _FARTHEST), np.float32)


@dataclass(frozen=True, slots=True, eq=False)
class ClassifierJudge:
    """A trained classifier of scikit-learn, with the number of bytes that its weights need as plain arrays."""

    classifier: Any  # with `predict_proba`
    size: int
    scale: Scale | None = None

    def probabilities(self, rows: Rows, /) -> Chances:
        """Return the probability of each block to be content."""
        if not rows.shape[1]:
            return np.zeros(0)
        scaled = rows.T if self.scale is None else self.scale(rows.T)
        return np.asarray(self.classifier.predict_proba(scaled)[:, 1], np.float64)


@dataclass(frozen=True, slots=True)
class Linear:
    """Logistic regression, the simplest learner."""

    strength: float = 1.0  # inverse regularisation

    def fit(self, pages: Sequence[TaughtPage], /) -> ClassifierJudge:
        """Train on a sample of blocks of some pages."""
        with needs("logistic regression", "lab"):
            from sklearn.linear_model import LogisticRegression
        drawn = draw(pages)
        scale = Scale.of(drawn.rows)
        regression = LogisticRegression(C=self.strength, max_iter=300, tol=1e-3)
        regression.fit(scale(drawn.rows).astype(np.float64), drawn.content, drawn.weight)
        # Weights, means and deviations.
        return ClassifierJudge(regression, 4 * (3 * drawn.rows.shape[1] + 1), scale)


#: Bytes of a node: the feature (2), the border, two children and the probability (4 each).
_NODE_BYTES: Final = 18


@dataclass(frozen=True, slots=True)
class DecisionTree:
    """A single decision tree: the choice of the hybrid approach (Uzun, Agun and Yerlikaya 2013, 4.4.4).

    The hybrid approach uses C4.5 in Weka. scikit-learn's tree uses the same measure (information gain) with binary
    splits; a least number of blocks per leaf and a cost of leaves replace C4.5's pruning.
    """

    blocks_in_a_leaf: int = 20
    cost: float = 1e-4  # the information that a leaf must gain

    def fit(self, pages: Sequence[TaughtPage], /) -> ClassifierJudge:
        """Train on a sample of blocks."""
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
    """Many trees, each on other blocks and other features, with averaged results."""

    trees: int = 100
    blocks_in_a_leaf: int = 3

    def fit(self, pages: Sequence[TaughtPage], /) -> ClassifierJudge:
        """Train on a sample of blocks."""
        with needs("growing a forest", "lab"):
            from sklearn.ensemble import RandomForestClassifier
        drawn = draw(pages)
        forest = RandomForestClassifier(self.trees, min_samples_leaf=self.blocks_in_a_leaf, random_state=0, n_jobs=1)
        forest.fit(drawn.rows, drawn.content, drawn.weight)
        return ClassifierJudge(forest, _NODE_BYTES * sum(int(tree.tree_.node_count) for tree in forest.estimators_))


@dataclass(frozen=True, slots=True, eq=False)
class BoostedJudge:
    """Trained boosted trees: the arrays that a model file stores, and the CatBoostClassifier they come from."""

    trees: Trees
    classifier: Any

    @property
    def size(self) -> int:
        """The size of features, borders and leaves in a model file."""
        stored = self.trees.arrays("")
        return sum(stored[name].nbytes for name in (".feature", ".border", ".leaf"))

    def probabilities(self, rows: Rows, /) -> Chances:
        """Return CatBoost's probabilities of a page's blocks."""
        if not rows.shape[1]:
            return np.zeros(0)
        return np.asarray(self.classifier.predict_proba(rows.T)[:, 1], np.float64)


@dataclass(frozen=True, slots=True)
class Boosted:
    """Boosted oblivious trees (CatBoost)."""

    boosting: Boosting = field(default_factory=Boosting)

    def fit(self, pages: Sequence[TaughtPage], /) -> BoostedJudge:
        """Train on a sample of blocks."""
        drawn = draw(pages, seed=self.boosting.seed)
        names = tuple(f"feature{number}" for number in range(drawn.rows.shape[1]))
        rows = np.ascontiguousarray(drawn.rows.T)
        classifier = self.boosting.fit(names, rows, drawn.content, drawn.weight)
        return BoostedJudge(self.boosting.trees_of(names, classifier), classifier)


# -- the blocks of a page in their order -----------------------------------------------------------------------

_CONTENT, _OTHER = "1", "0"
_ALWAYS: Final = "always"  # an attribute of every block, for the prior of content


@dataclass(frozen=True, slots=True, eq=False)
class BlockRanges:
    """The ranges into which a conditional random field divides each feature.

    The most frequent range of a feature gets no attribute.
    """

    borders: tuple[Rows, ...]
    common: NDArray[np.int64]
    names: NDArray[np.str_]  # features × ranges

    @classmethod
    def of(cls, rows: Rows, ranges: int) -> BlockRanges:
        """Compute the borders of about equally full ranges from the features of many blocks, a row per block.

        `ranges` is the number of ranges of a feature.
        """
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
        """Return the attributes of each block of a page for CRFsuite; `rows` has a row per feature."""
        codes = np.stack([np.searchsorted(cut, row) for cut, row in zip(self.borders, rows, strict=True)], axis=1)
        is_uncommon = codes != self.common
        names = self.names[np.arange(len(self.borders)), codes]
        return [[_ALWAYS, *line[is_present].tolist()] for line, is_present in zip(names, is_uncommon, strict=True)]


@dataclass(frozen=True, slots=True, eq=False)
class CrfJudge:
    """A trained conditional random field."""

    ranges: BlockRanges
    model: bytes
    tagger: Any  # pycrfsuite.Tagger, reading the model

    @property
    def size(self) -> int:
        """Return the size of CRFsuite's model file in bytes."""
        return len(self.model)

    def probabilities(self, rows: Rows, /) -> Chances:
        """Return for each block the marginal probability to be content."""
        if not rows.shape[1]:
            return np.zeros(0)
        self.tagger.set(self.ranges(rows))
        return np.array([self.tagger.marginal(_CONTENT, place) for place in range(rows.shape[1])], np.float64)


@dataclass(frozen=True, slots=True)
class Crf:
    """A conditional random field over the sequence of a page's blocks (python-crfsuite).

    Source: Lafferty, McCallum and Pereira 2001; for main content Spousta, Marek and Pecina 2008 (Victor) and Gibson,
    Wellner and Lubar 2007. It supports binary attributes only, so features are cut into ranges; every block has the
    same weight.
    """

    ranges: int = 5
    strength: float = 1.0  # regularisation
    steps: int = 60

    def fit(self, pages: Sequence[TaughtPage], /) -> CrfJudge:
        """Train on whole pages."""
        with needs("the conditional random field", "lab"):
            import pycrfsuite
        check(pages)
        ranges = BlockRanges.of(draw(pages).rows, self.ranges)
        trainer = pycrfsuite.Trainer(verbose=False)
        trainer.set_params({"c2": self.strength, "max_iterations": self.steps, "feature.possible_transitions": True})
        for page in pages:
            if len(page.content):
                trainer.append(
                    ranges(page.rows), [_CONTENT if is_content else _OTHER for is_content in page.content.tolist()]
                )
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "field.crf"
            trainer.train(str(file))
            model = file.read_bytes()
        tagger = pycrfsuite.Tagger()
        tagger.open_inmemory(model)
        return CrfJudge(ranges, model, tagger)


@dataclass(frozen=True, slots=True, eq=False)
class ConvolutionJudge:
    """A trained neural network over blocks and their neighbours."""

    network: ClassifierJudge
    reach: int

    @property
    def size(self) -> int:
        """Return the size of all weights, means and deviations in bytes."""
        return self.network.size

    def probabilities(self, rows: Rows, /) -> Chances:
        """Return the probability of each block to be content."""
        return self.network.probabilities(_with_neighbours(rows, self.reach))


@dataclass(frozen=True, slots=True)
class Convolution:
    """A small convolution over the sequence of blocks (compare Web2Text, Vogels et al. 2018).

    The first layer gets a block and its neighbours on both sides, with shared weights; a second layer follows. It is
    trained by scikit-learn's multilayer perceptron; the seed determines the order of blocks and the initial weights.
    """

    width: int = 32
    reach: int = 2  # neighbours on each side
    rounds: int = 12
    rate: float = 0.003
    seed: int = 1

    def fit(self, pages: Sequence[TaughtPage], /) -> ConvolutionJudge:
        """Train on a sample of blocks, each with its neighbours."""
        with needs("learning a network", "lab"):
            from sklearn.exceptions import ConvergenceWarning
            from sklearn.neural_network import MLPClassifier
        widened = [TaughtPage(_with_neighbours(page.rows, self.reach), page.content, page.importance) for page in pages]
        drawn = draw(widened, seed=self.seed)
        scale = Scale.of(drawn.rows)
        network = MLPClassifier(
            (self.width, self.width), learning_rate_init=self.rate, max_iter=self.rounds, random_state=self.seed
        )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)  # the number of rounds is fixed
            network.fit(scale(drawn.rows), drawn.content, drawn.weight)
        weights = sum(layer.size for layer in (*network.coefs_, *network.intercepts_))
        return ConvolutionJudge(ClassifierJudge(network, 4 * (weights + 2 * drawn.rows.shape[1]), scale), self.reach)


def _with_neighbours(rows: Rows, reach: int) -> Rows:
    """Return the features of each block and of its neighbours; 0 beyond the first and the last block."""
    wide = np.pad(rows, ((0, 0), (reach, reach)))
    return np.concatenate([wide[:, shift : shift + rows.shape[1]] for shift in range(2 * reach + 1)])
