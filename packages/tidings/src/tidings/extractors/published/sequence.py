"""Sequence labelling of blocks: maximum entropy, maximum entropy Markov model, and conditional random field.

Source: Gibson, Wellner and Lubar 2007 ("Adaptive web-page content identification"); DANA thesis 3.3.2.2. Three models
label each block as content or not by its features; two of them also use the label of the previous block:

- `maxent`, a maximum entropy classifier: every block by itself;
- `memm`, its Markov form: one classifier for blocks after content and one for other blocks; each step is normalised;
- `crf`, a conditional random field: normalised over whole pages.

A block is selected if its marginal probability is above one half. `decoding=path` selects the most probable labelling
of the whole page (Viterbi). For the field this costs 0.01 of word F1 on the articles of wcxb-dev and 0.05 on all its
pages (cross-validation with five folds of sites), because the most probable labelling is often all content or none.

The thesis names neither features nor decoding. Here the features are shallow text features, the position of the block
in the tree, and the words it shares with the page's title, each cut into ranges (`feature_ranges`). They use no
language and no vocabulary. The models are trained by `tidings lab train crf` (with CRFsuite), `maxent` and `memm`;
their model card is in docs/explanation/trainable-extractors.md.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.hashed_words import hashed_words
from tidings.extractors.model_files import Arrays, fit_together, read
from tidings.extractors.parameters import checked
from tidings.extractors.published.feature_ranges import Ranges, sums
from tidings.extractors.published.label_sequences import best_path, marginals
from tidings.extractors.published.shallow_features import features
from tidings.extractors.published.trained.classifiers import matrix
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints
from tidings.page.columns import sums as counts_before
from tidings.page.counts import code_points
from tidings.page.tag_sets import tag_set

Floats = NDArray[np.float64]
_AROUND: Final = {
    name: tag_set(tags.numbers(ancestors))
    for name, ancestors in {
        "list": "ul ol dl", "table": "table", "navigation": "nav menu", "article": "article main",
        "edge": "header footer aside", "form": "form",
    }.items()
}  # fmt: skip


def observations(page: Page) -> tuple[Ints, dict[str, NDArray[Any]]]:
    """Return the visible blocks of a page, and the features of each by name."""
    visible = page.blocks.seen
    result: dict[str, NDArray[Any]] = {name: column[visible] for name, column in features(page).items()}
    elements, blocks = page.elements, page.blocks
    element = blocks.element[visible]
    result["depth"] = elements.depth[element]
    for name, chosen in _AROUND.items():
        result[f"around_{name}"] = page.nearest(chosen)[element] > 0
    result["same_element"] = elements.parent[element] == np.append(-1, elements.parent[element])[:-1]
    words = hashed_words(page.text_codes)
    title = np.unique(hashed_words(code_points(page.signals.title or "")).number)
    shared = counts_before(among_title(words.number, title))
    low, high = (np.searchsorted(words.start, edge[visible]) for edge in (blocks.text_start, blocks.text_end))
    result["title_share"] = (shared[high] - shared[low]) / np.maximum(high - low, 1)
    return visible, result


def among_title(words: NDArray[np.uint64], title: NDArray[np.uint64]) -> Bools:
    """Return which word hashes are also among the hashes of the title's words, which are sorted."""
    if not len(title):
        return np.zeros(len(words), np.bool_)
    return np.asarray(title[np.minimum(np.searchsorted(title, words), len(title) - 1)] == words)


class Decoding(Enum):
    """How labels are selected: by the best sequence, or for each block by its own probability."""

    CHANCE = "each block by its own chance"
    PATH = "the best way to label the whole page"


class ChainForm(Enum):
    """The kind of sequence model: whether and how the label of a block depends on the previous label."""

    ALONE = "maxent"
    MARKOV = "memm"
    FIELD = "crf"


@dataclass(frozen=True, slots=True, eq=False)
class ChainWeights:
    """Weights for each range of each feature, with biases and transitions.

    `weight` and `bias` have a column per classifier: one for single blocks and for the field, two for the Markov form
    (after other blocks, after content).
    """

    form: ChainForm
    features: tuple[str, ...]
    ranges: Ranges
    weight: Floats  # features × ranges × classifiers
    bias: Floats
    transition: Floats  # previous label × label; all 0 except for the field

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
        """Return for each block and classifier the log-odds that the block is content."""
        return sums(self.weight, self.ranges(matrix(columns, self.features))) + self.bias

    def steps(self, margins: Floats) -> tuple[Floats, Floats]:
        """Return the scores of both labels for the first block, and of each pair of labels for each following block."""
        if self.form is ChainForm.MARKOV:
            content = -np.logaddexp(0.0, -margins)  # log-probabilities after each label
            other = -np.logaddexp(0.0, margins)
            both = np.stack((other, content), axis=2)  # blocks × previous label × label
            return both[0, 0], both[1:]  # the label before the first block is "not content"
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
        """Create weights from stored arrays."""
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
    """Base of the three sequence models."""

    form: ClassVar[ChainForm]

    decoding: Decoding = Decoding.CHANCE
    model: str = ""  # a model file; empty for the built-in model

    def __call__(self, page: Page, /) -> Spans:
        """Return the blocks labelled as content."""
        visible, columns = observations(page)
        if not len(visible):
            return Spans.none(len(page.text))
        weights = self._weights()
        steps = weights.steps(weights.margins(columns))
        chosen = best_path(*steps) if self.decoding is Decoding.PATH else marginals(*steps) > 0.5
        return page.shown(Spans.of_blocks(page, visible[chosen])) & page.scope

    def score(self, page: Page, /) -> Floats:
        """Return for each block its marginal probability to be content, 0 for hidden blocks."""
        visible, columns = observations(page)
        scores = np.zeros(len(page.blocks))
        if len(visible):
            weights = self._weights()
            scores[visible] = marginals(*weights.steps(weights.margins(columns)))
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
    """Blocks that a maximum entropy classifier labels as content, each by itself."""

    form: ClassVar[ChainForm] = ChainForm.ALONE


@checked
@dataclass(frozen=True, slots=True)
class MEMM(_Sequence):
    """Blocks that a maximum entropy Markov model labels as content, each given the previous label."""

    form: ClassVar[ChainForm] = ChainForm.MARKOV
