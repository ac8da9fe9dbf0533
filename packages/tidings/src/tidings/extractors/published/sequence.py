"""Sequence labelling: the blocks of a page as a row in which neighbours tend to be alike.

Gibson, Wellner and Lubar 2007 ("Adaptive web-page content identification"); DANA thesis 3.3.2.2. Three models label
each block as content or not, from what the block is like and, two of them, from the label before:

- `maxent`, a maximum entropy classifier: every block by itself;
- `memm`, its Markov form: one such classifier behind content and one behind other blocks, each step sums to 1;
- `crf`, a conditional random field: scores sum to 1 over whole pages.

A block is taken if its chance over all ways to label the page is above one half; `decoding=path` takes the one best way
to label the whole page (Viterbi), which costs a field 0.01 of word F1 on the articles of wcxb-dev and 0.05 over all of
its pages (five folds of sites): the one best way is easily all content, or none.

The thesis names neither features nor decoding. The features are shallow text features (`shallow`), where the block
stands in the tree, and the words it shares with the page's title, each cut into ranges, as such models know attributes
that are there or not. They know no language and no words.

Learned with `tidings_lab.learners.classifiers`, the field by CRFsuite, and run here from plain weights.
docs/explanation/trainable-extractors.md has the model card.

The best way to label a row of blocks, and the chance of each label, where a label depends on the one before.

Two labels, 0 and 1; a row has scores for its first block and, for each further one, a table of scores from the label
before to its own. A conditional random field and a maximum entropy Markov model differ in where the tables come from.
The loops are over plain numbers: with two labels they are quicker than arrays.

Features cut into ranges, each with a weight: what models of attributes that are there or not are made of.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.hashed_words import hashed_words
from tidings.extractors.model_files import Arrays, fit_together, read
from tidings.extractors.parameters import checked
from tidings.extractors.published.shallow import features
from tidings.extractors.published.trained.classifiers import matrix
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints
from tidings.page.columns import sums as counts_before
from tidings.page.counts import code_points
from tidings.page.tag_sets import tag_set

Floats = NDArray[np.float64]
_FARTHEST: Final = 700.0  # beyond, the exponential is no number


def best_path(first: Floats, steps: Floats) -> Bools:
    """Return the labels with the greatest sum of scores (Viterbi); `steps` is blocks - 1 × label before × label."""
    to_0, to_1 = (float(score) for score in first)
    from_0: list[bool] = []  # for each step whether label 0, or label 1, is best reached from 1
    from_1: list[bool] = []
    for s00, s01, s10, s11 in steps.reshape(-1, 4).tolist():
        a, b = to_0 + s00, to_1 + s10
        c, d = to_0 + s01, to_1 + s11
        from_0.append(b > a)
        from_1.append(d > c)
        to_0, to_1 = (max(a, b)), (max(c, d))
    label = to_1 > to_0
    labels = [label]
    for place in range(len(from_0) - 1, -1, -1):
        label = from_1[place] if label else from_0[place]
        labels.append(label)
    return np.array(labels[::-1], np.bool_)


def chances(first: Floats, steps: Floats) -> Floats:
    """Return the chance of label 1 for each block, over all ways to label the row (forward and backward)."""
    tables = np.exp(np.clip(steps - steps.max(axis=(1, 2), keepdims=True), -_FARTHEST, 0.0))
    tables = tables.reshape(-1, 4).tolist()
    odds = float(np.clip(first[1] - first[0], -_FARTHEST, _FARTHEST))
    one = 1.0 / (1.0 + math.exp(-odds))
    forward = [(1.0 - one, one)]
    for t00, t01, t10, t11 in tables:
        f0, f1 = forward[-1]
        g0, g1 = f0 * t00 + f1 * t10, f0 * t01 + f1 * t11
        whole = g0 + g1
        forward.append((g0 / whole, g1 / whole) if whole > 0 else (0.5, 0.5))
    b0 = b1 = 1.0
    found = [forward[-1][1]]
    for (t00, t01, t10, t11), (f0, f1) in zip(reversed(tables), reversed(forward[:-1]), strict=True):
        b0, b1 = t00 * b0 + t01 * b1, t10 * b0 + t11 * b1
        whole = b0 + b1
        b0, b1 = (b0 / whole, b1 / whole) if whole > 0 else (0.5, 0.5)
        both = f0 * b0 + f1 * b1
        found.append(f1 * b1 / both if both > 0 else f1)
    return np.array(found[::-1], np.float64)


Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Ranges:
    """The borders at which each feature is cut; a row a feature, filled up with infinity. A border is in the range
    below it.
    """

    borders: Rows

    @classmethod
    def of(cls, rows: Rows, ranges: int) -> Self:
        """Return ranges that hold about equally many blocks, a row each; a feature with few values has fewer ranges."""
        shares = np.arange(1, ranges) / ranges
        borders = np.full((rows.shape[1], ranges - 1), np.inf, np.float32)
        for place, column in enumerate(rows.T):
            # The greatest value is no border: nothing lies above it.
            cuts = np.unique(np.quantile(column, shares, method="lower").astype(np.float32))
            cuts = cuts[cuts < column.max()] if len(column) else cuts[:0]
            borders[place, : len(cuts)] = cuts
        return cls(borders)

    def __call__(self, rows: Rows) -> Ints:
        """Return the range of each feature of each block, a row a block."""
        found = np.empty(rows.shape, np.int64)
        for place, cuts in enumerate(self.borders):
            found[:, place] = np.searchsorted(cuts, rows[:, place])
        return found

    @property
    def count(self) -> int:
        """Ranges of a feature at most."""
        return int(self.borders.shape[1]) + 1


def sums(weights: Floats, ranges: Ints) -> Floats:
    """For each block the sum of its features' weights; weights are features × ranges × any."""
    if not len(ranges):
        return np.zeros((0, *weights.shape[2:]))
    return np.asarray(weights[np.arange(weights.shape[0]), ranges].sum(axis=1), np.float64)


_AROUND: Final = {
    name: tag_set(tags.numbers(around))
    for name, around in {
        "list": "ul ol dl", "table": "table", "navigation": "nav menu", "article": "article main",
        "edge": "header footer aside", "form": "form",
    }.items()
}  # fmt: skip


def observations(page: Page) -> tuple[Ints, dict[str, NDArray[Any]]]:
    """Return the visible blocks of a page, and the features of each by name."""
    seen = page.blocks.seen
    found: dict[str, NDArray[Any]] = {name: column[seen] for name, column in features(page).items()}
    elements, blocks = page.elements, page.blocks
    element = blocks.element[seen]
    found["depth"] = elements.depth[element]
    for name, chosen in _AROUND.items():
        found[f"around_{name}"] = page.nearest(chosen)[element] > 0
    found["same_element"] = elements.parent[element] == np.append(-1, elements.parent[element])[:-1]
    words = hashed_words(page.text_codes)
    title = np.unique(hashed_words(code_points(page.signals.title or "")).number)
    shared = counts_before(among_title(words.number, title))
    low, high = (np.searchsorted(words.start, edge[seen]) for edge in (blocks.text_start, blocks.text_end))
    found["title_share"] = (shared[high] - shared[low]) / np.maximum(high - low, 1)
    return seen, found


def among_title(words: NDArray[np.uint64], title: NDArray[np.uint64]) -> Bools:
    """Return which words are among some sorted ones."""
    if not len(title):
        return np.zeros(len(words), np.bool_)
    return np.asarray(title[np.minimum(np.searchsorted(title, words), len(title) - 1)] == words)


class Decoding(Enum):
    """How labels are chosen."""

    CHANCE = "each block by its own chance"
    PATH = "the best way to label the whole page"


class ChainForm(Enum):
    """How the label before a block counts."""

    ALONE = "maxent"
    MARKOV = "memm"
    FIELD = "crf"


@dataclass(frozen=True, slots=True, eq=False)
class ChainWeights:
    """Weights for each range of each feature, and what stands beside them.

    `weight` and `bias` have one column a classifier, each telling content from the rest: one for a block by itself
    or for a field, two (behind other blocks, behind content) for the Markov form.
    """

    form: ChainForm
    features: tuple[str, ...]
    ranges: Ranges
    weight: Floats  # features × ranges × classifiers
    bias: Floats
    transition: Floats  # label before × label; only a field has others than 0

    def __post_init__(self) -> None:
        borders = self.ranges.borders
        classifiers = 2 if self.form is ChainForm.MARKOV else 1
        fit_together(
            borders.ndim == 2
            and bool((borders[:, 1:] >= borders[:, :-1]).all())
            and self.weight.shape == (len(self.features), self.ranges.count, classifiers)
            and len(borders) == len(self.features)
            and self.bias.shape == (classifiers,)
            and self.transition.shape == (2, 2),
            "the weights of the sequence",
        )

    def margins(self, columns: dict[str, NDArray[Any]]) -> Floats:
        """For each block and classifier how much speaks for content."""
        return sums(self.weight, self.ranges(matrix(columns, self.features))) + self.bias

    def steps(self, margins: Floats) -> tuple[Floats, Floats]:
        """Return scores of the labels of the first block, and of each step to a further one."""
        if self.form is ChainForm.MARKOV:
            content = -np.logaddexp(0.0, -margins)  # logarithms of chances, behind each label
            other = -np.logaddexp(0.0, margins)
            both = np.stack((other, content), axis=2)  # blocks × label before × label
            return both[0, 0], both[1:]  # what stands before the page is not content
        first = np.array([0.0, margins[0, 0]])
        steps = np.broadcast_to(self.transition, (len(margins) - 1, 2, 2)).copy()
        steps[:, :, 1] += margins[1:]
        return first, steps

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights by name."""
        return {
            "form": np.array(self.form.value),
            "features": np.array(self.features),
            "borders": self.ranges.borders.astype(np.float32),
            "weight": self.weight.astype(np.float32),
            "bias": self.bias.astype(np.float32),
            "transition": self.transition.astype(np.float32),
        }

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Self:
        """From stored arrays."""
        weight, bias, transition = (arrays[name].astype(np.float64) for name in ("weight", "bias", "transition"))
        return cls(
            ChainForm(str(arrays["form"])),
            tuple(map(str, arrays["features"].tolist())),
            Ranges(arrays["borders"].astype(np.float32)),
            weight,
            bias,
            transition,
        )


@dataclass(frozen=True, slots=True)
class _Sequence:
    """What all forms have in common."""

    form: ClassVar[ChainForm]

    decoding: Decoding = Decoding.CHANCE
    model: str = ""  # a file of one's own weights; empty: those that come with Tidings

    def __call__(self, page: Page, /) -> Spans:
        """Return the blocks labelled as content."""
        seen, columns = observations(page)
        if not len(seen):
            return Spans.none(len(page.text))
        weights = self._weights()
        steps = weights.steps(weights.margins(columns))
        chosen = best_path(*steps) if self.decoding is Decoding.PATH else chances(*steps) > 0.5
        return page.shown(Spans.of_blocks(page, seen[chosen])) & page.scope

    def score(self, page: Page, /) -> Floats:
        """For each block its chance to be content over all ways to label the page, 0 for hidden ones."""
        seen, columns = observations(page)
        scores = np.zeros(len(page.blocks))
        if len(seen):
            weights = self._weights()
            scores[seen] = chances(*weights.steps(weights.margins(columns)))
        return scores

    def _weights(self) -> ChainWeights:
        weights = read(ChainWeights, self.form.value, self.model)
        if weights.form is not self.form:
            raise BadModel(f"these are weights of {weights.form.value}, not of {self.form.value}: name another file")
        return weights


@checked
@dataclass(frozen=True, slots=True)
class CRF(_Sequence):
    """Blocks that a conditional random field over the page labels as content."""

    form: ClassVar[ChainForm] = ChainForm.FIELD


@checked
@dataclass(frozen=True, slots=True)
class MaxEnt(_Sequence):
    """Blocks that a maximum entropy classifier takes for content, each by itself."""

    form: ClassVar[ChainForm] = ChainForm.ALONE


@checked
@dataclass(frozen=True, slots=True)
class MEMM(_Sequence):
    """Blocks that a maximum entropy Markov model labels as content, each by the label before."""

    form: ClassVar[ChainForm] = ChainForm.MARKOV
