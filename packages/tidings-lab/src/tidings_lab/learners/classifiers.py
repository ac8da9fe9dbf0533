"""Training of published extractors that classify blocks: shallow features, CRF, MaxEnt, MEMM.

Four classifiers learned by scikit-learn and kept as plain arrays.

The four that Content-Seeker compares (DANA thesis 3.2.6): J48, a random forest, sequential minimal optimisation, a
perceptron of several layers; two of them are those of the shallow text features (3.3.2.1). For J48 stands a tree by
information gain whose leaves are limited in number; for sequential minimal optimisation another way to the same linear
support vector machine, with squared losses; the perceptron has one hidden layer.

What all learners here have in common.

Learning to tell blocks by shallow text features: a decision tree, and a linear support vector machine.

Kohlschütter et al. 2010; DANA thesis 3.3.2.1. Both get the same sample of blocks, drawn by their words so that large
pages teach no more than small ones (`tidings_lab.learners.rival_learners`).

Learning to label the blocks of a page as a sequence: maximum entropy, its Markov form, a conditional random field.

Gibson et al. 2007; DANA thesis 3.3.2.2. All three get the same attributes: each feature cut into ranges that hold about
equally many blocks. The field learns from whole pages (CRFsuite); maximum entropy from all their blocks, the Markov
form once from those behind content and once from the others (McCallum et al. 2000). Every block counts alike.
"""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from tidings.errors import InputError, needs
from tidings.extractors.model_files import Portable
from tidings.extractors.published.feature_ranges import Ranges
from tidings.extractors.published.sequence import ChainForm, ChainWeights, observations
from tidings.extractors.published.shallow_features import features
from tidings.extractors.published.trained.classifiers import BlockClassifier, matrix
from tidings.extractors.published.trained.decision_trees import GrownTrees
from tidings.extractors.published.trained.layers import FARTHEST, Layers
from tidings.page import Page
from tidings.page.columns import Bools, Ints
from tidings_lab.learners.lesson import GoldPage, shares
from tidings_lab.learners.rival_learners import Drawn, Rows, TaughtPage, draw


class PageRows(Protocol):
    """What was read off one page."""

    @property
    def site(self) -> str:
        """Whose page it is."""
        ...


Item = TypeVar("Item", bound=PageRows)
Weights_co = TypeVar("Weights_co", bound=Portable, covariant=True)


class WeightsLearner(Protocol[Item, Weights_co]):
    """A learner; its settings are its fields."""

    def prepare(self, lesson: GoldPage, /) -> Item | None:
        """What a page teaches; None where its gold text is not found on it."""
        ...

    def fit(self, items: Sequence[Item], /) -> Weights_co:
        """Weights from what pages teach, the same for the same pages.

        Raises:
            InputError: there is too little to learn from.
            MissingExtra: a library to learn with is not installed.
        """
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """The visible blocks of a page, and which of them are content."""

    page: Page
    blocks: Ints
    content: Bools

    def taught(self, rows: Rows, power: float) -> TaughtPage:
        """The blocks as learners of the comparison get them; a block's importance is its words to a power."""
        weight = self.page.blocks.words[self.blocks].astype(np.float64) ** power
        return TaughtPage(rows.T, self.content, weight / weight.sum())


def labels(lesson: GoldPage) -> Labels | None:
    """Which blocks of a page have more than half of their words in gold; None if none has."""
    page = Page(lesson.html, lesson.url)
    blocks = page.blocks.seen
    content = shares(page, lesson.gold)[blocks] > 0.5
    return Labels(page, blocks, content) if content.any() else None


FeatureRows = np.ndarray[tuple[int, ...], np.dtype[np.float32]]

_BLOCKS_IN_A_LEAF: Final = 20
_TREES: Final = 20  # of a forest: with 100 the file is five times as large and nothing else is much better
_HIDDEN: Final = 16
_STRENGTH: Final = 0.01  # of the trust of the support vector machine in single blocks
_STEPS: Final = 40  # of the perceptron through all blocks


class ClassifierKind(Enum):
    """The classifiers."""

    TREE = "tree"
    FOREST = "forest"
    SVM = "svm"
    PERCEPTRON = "perceptron"


def grow(kind: ClassifierKind, drawn: Drawn, leaves: int) -> GrownTrees | Layers:
    """A classifier from a sample of blocks; trees have at most so many leaves.

    Raises:
        MissingExtra: scikit-learn is not installed.
    """
    with needs("training", "lab"):
        import sklearn.ensemble
        import sklearn.neural_network
        import sklearn.svm
        import sklearn.tree
    if kind in (ClassifierKind.TREE, ClassifierKind.FOREST):
        shape = {"criterion": "entropy", "max_leaf_nodes": leaves, "min_samples_leaf": _BLOCKS_IN_A_LEAF}
        if kind is ClassifierKind.TREE:
            tree = sklearn.tree.DecisionTreeClassifier(**shape, random_state=0)
            return of_trees([tree.fit(drawn.rows, drawn.content, drawn.weight)])
        forest = sklearn.ensemble.RandomForestClassifier(_TREES, **shape, random_state=0, n_jobs=1)
        return of_trees(forest.fit(drawn.rows, drawn.content, drawn.weight).estimators_)
    centre = drawn.rows.mean(axis=0, dtype=np.float64).astype(np.float32)
    spread = drawn.rows.std(axis=0, dtype=np.float64).astype(np.float32)
    spread[spread < 1e-6] = np.inf
    rows = np.clip((drawn.rows - centre) / spread, -FARTHEST, FARTHEST).astype(np.float64)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a few more steps would change a little more
        if kind is ClassifierKind.SVM:
            machine = sklearn.svm.LinearSVC(C=_STRENGTH, dual=False, tol=1e-3)
            machine.fit(rows, drawn.content, drawn.weight)
            return Layers(
                centre, spread, (machine.coef_.T.astype(np.float32),), (machine.intercept_.astype(np.float32),)
            )
        net = sklearn.neural_network.MLPClassifier((_HIDDEN,), max_iter=_STEPS, batch_size=512, random_state=0)
        net.fit(*resampled(rows, drawn))
    weights, biases = (tuple(np.asarray(one, np.float32) for one in some) for some in (net.coefs_, net.intercepts_))
    return Layers(centre, spread, weights, biases)


def resampled(rows: Any, drawn: Drawn) -> tuple[Any, Any]:
    """As many blocks drawn again by their weights, for a learner that knows no weights."""
    places = np.random.default_rng(0).choice(len(rows), len(rows), p=drawn.weight / drawn.weight.sum())
    return rows[places], drawn.content[places]


def of_trees(trees: Sequence[Any]) -> GrownTrees:
    """Trees of scikit-learn as arrays.

    A border is rounded down to the next number of four bytes: features are such numbers, so the answers stay the same.
    """
    root, columns, size = [], [], 0
    for tree in (one.tree_ for one in trees):
        leaf = tree.children_left < 0
        border = tree.threshold.astype(np.float32)
        border = np.where(border > tree.threshold, np.nextafter(border, np.float32(-np.inf)), border)
        value = tree.value[:, 0, :]
        probability = value[:, 1] / value.sum(axis=1) if value.shape[1] > 1 else np.ones(len(value))
        columns.append(
            (
                np.where(leaf, 0, tree.feature),
                np.where(leaf, 0.0, border),
                *(np.where(leaf, 0, way + size) for way in (tree.children_left, tree.children_right)),
                probability,
            )
        )
        root.append(size)
        size += len(leaf)
    feature, border, left, right, probability = (np.concatenate(some) for some in zip(*columns, strict=True))
    return GrownTrees(
        np.array(root, np.int64),
        feature.astype(np.int64),
        border.astype(np.float32),
        left.astype(np.int64),
        right.astype(np.int64),
        probability.astype(np.float32),
    )


@dataclass(frozen=True, slots=True, eq=False)
class TaughtBlocks:
    """The blocks of a page with their features."""

    site: str
    features: tuple[str, ...]
    page: TaughtPage


class FeatureChoice(Enum):
    """Which features are used."""

    ALL = "all"
    TWO = "number of words and link density"  # of the block and its neighbours: what shallow-2 has


@dataclass(frozen=True, slots=True)
class ShallowBlocks:
    """The learner."""

    kind: ClassifierKind = ClassifierKind.TREE
    choice: FeatureChoice = FeatureChoice.ALL
    leaves: int = 100  # of the tree
    power: float = 0.75  # of a block's words in its importance: as the default has it

    def prepare(self, lesson: GoldPage, /) -> TaughtBlocks | None:
        """The blocks of a page with their labels."""
        found = labels(lesson)
        if found is None:
            return None
        columns = {name: column[found.blocks] for name, column in features(found.page).items()}
        names = tuple(name for name in columns if self.choice is FeatureChoice.ALL or _is_of_the_two(name))
        return TaughtBlocks(lesson.site, names, found.taught(matrix(columns, names), self.power))

    def fit(self, items: Sequence[TaughtBlocks], /) -> BlockClassifier:
        """The classifier from the blocks of many pages."""
        return BlockClassifier(items[0].features, grow(self.kind, draw([item.page for item in items]), self.leaves))


def _is_of_the_two(name: str) -> bool:
    return name.removeprefix("prev_").removeprefix("next_") in ("words", "link_density")


Floats = NDArray[np.float64]

_CONTENT, _OTHER = "1", "0"
_ALWAYS: Final = "always"  # an attribute of every block, for how common content is


@dataclass(frozen=True, slots=True)
class Labelling:
    """The learner."""

    form: ChainForm = ChainForm.FIELD
    ranges: int = 8
    strength: float = 1.0  # of the pull towards zero
    steps: int = 150
    blocks: int = 1000  # of a page: what a longer one has behind them teaches nothing new

    def prepare(self, lesson: GoldPage, /) -> TaughtBlocks | None:
        """The blocks of a page with their labels, in their order."""
        found = labels(lesson)
        if found is None:
            return None
        _, columns = observations(found.page)
        taught = found.taught(matrix(columns, tuple(columns)), 0.0)
        first = slice(self.blocks)
        page = TaughtPage(taught.rows[:, first], taught.content[first], taught.importance[first])
        return TaughtBlocks(lesson.site, tuple(columns), page)

    def fit(self, items: Sequence[TaughtBlocks], /) -> ChainWeights:
        """Weights from the blocks of many pages."""
        pages = [item.page for item in items]
        names = items[0].features
        ranges = Ranges.of(draw(pages).rows, self.ranges)
        rows = [(ranges(page.rows.T), page.content) for page in pages]
        if self.form is ChainForm.FIELD:
            return self._field(names, ranges, rows)
        codes = np.concatenate([found for found, _ in rows])
        content = np.concatenate([content for _, content in rows])
        if self.form is ChainForm.ALONE:
            groups = [np.ones(len(content), np.bool_)]
        else:
            behind = np.concatenate([np.append(False, content)[:-1] for _, content in rows])
            groups = [~behind, behind]
        weight = np.zeros((len(names), ranges.count, len(groups)))
        bias = np.zeros(len(groups))
        for place, some in enumerate(groups):
            weight[:, :, place], bias[place] = self._entropy(codes[some], content[some], ranges.count)
        return ChainWeights(self.form, names, ranges, weight, bias, np.zeros((2, 2)))

    def _entropy(self, codes: Ints, content: Bools, ranges: int) -> tuple[Floats, float]:
        """A maximum entropy classifier: a weight for each range of each feature."""
        with needs("training", "lab"):
            from scipy.sparse import csr_matrix
            from sklearn.linear_model import LogisticRegression
        if content.all() or not content.any():
            raise InputError("learning needs pages on which content and other blocks stand beside each other")
        blocks, features = codes.shape
        places = (codes + np.arange(features) * ranges).ravel()
        rows = csr_matrix(
            (np.ones(len(places)), places, np.arange(0, len(places) + 1, features)), (blocks, features * ranges)
        )
        model = LogisticRegression(C=1.0 / self.strength, max_iter=self.steps * 4, tol=1e-3)
        model.fit(rows, content)
        return model.coef_[0].reshape(features, ranges), float(model.intercept_[0])

    def _field(self, names: tuple[str, ...], ranges: Ranges, rows: Sequence[tuple[Ints, Bools]]) -> ChainWeights:
        """A conditional random field: CRFsuite's weights, each of content less that of the rest."""
        info = of_file(self.train(rows, ranges))
        weight = np.zeros((len(names), ranges.count, 1))
        bias, transition = np.zeros(1), np.zeros((2, 2))
        for (attribute, label), value in info.state_features.items():
            signed = value if label == _CONTENT else -value
            if attribute == _ALWAYS:
                bias[0] += signed
            else:
                feature, number = (int(part) for part in attribute.split(":"))
                weight[feature, number, 0] += signed
        for (before, label), value in info.transitions.items():
            transition[int(before), int(label)] = value
        return ChainWeights(ChainForm.FIELD, names, ranges, weight, bias, transition)

    def train(self, rows: Sequence[tuple[Ints, Bools]], ranges: Ranges) -> bytes:
        """CRFsuite's own file of a field."""
        with needs("the conditional random field", "lab"):
            import pycrfsuite
        trainer = pycrfsuite.Trainer(verbose=False)
        trainer.set_params({"c2": self.strength, "max_iterations": self.steps, "feature.possible_transitions": True})
        for codes, content in rows:
            trainer.append(attributes(codes, ranges), [_CONTENT if one else _OTHER for one in content.tolist()])
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "field.crf"
            trainer.train(str(file))
            return file.read_bytes()


def attributes(codes: Ints, ranges: Ranges) -> list[list[str]]:
    """What CRFsuite is told of each block: one attribute for each feature, but for those in the lowest range."""
    names = np.array([[f"{feature}:{number}" for number in range(ranges.count)] for feature in range(codes.shape[1])])
    told = names[np.arange(codes.shape[1]), codes]
    return [[_ALWAYS, *line[held].tolist()] for line, held in zip(told, codes > 0, strict=True)]


def of_file(model: bytes) -> Any:
    """What CRFsuite says of its own file."""
    import pycrfsuite

    tagger = pycrfsuite.Tagger()
    tagger.open_inmemory(model)
    return tagger.info()
