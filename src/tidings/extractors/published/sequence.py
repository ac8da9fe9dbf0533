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

Learned with `tidings.lab.learners.trainable.sequence`, the field by CRFsuite, and run here from plain weights.
docs/explanation/trainable-extractors.md has the model card.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar, Final, Self

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadModel
from tidings.extractors.learned.hashed_words import hashed_words
from tidings.extractors.learned.seen_blocks import seen_blocks
from tidings.extractors.parameters import checked
from tidings.extractors.published.shallow import features
from tidings.extractors.published.trained.block_classifier import matrix
from tidings.extractors.published.trained.chain import best_path, chances
from tidings.extractors.published.trained.ranges import Ranges, sums
from tidings.extractors.published.trained.weights import Arrays, fit_together, read
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints
from tidings.page.columns import sums as counts_before
from tidings.page.counts import code_points
from tidings.page.flow import tag_set

Floats = NDArray[np.float64]

_AROUND: Final = {
    name: tag_set(tags.numbers(around))
    for name, around in {
        "list": "ul ol dl", "table": "table", "navigation": "nav menu", "article": "article main",
        "edge": "header footer aside", "form": "form",
    }.items()
}  # fmt: skip


def observations(page: Page) -> tuple[Ints, dict[str, NDArray[Any]]]:
    """The visible blocks of a page, and the features of each by name."""
    seen = seen_blocks(page)
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
    """Which words are among some sorted ones."""
    if not len(title):
        return np.zeros(len(words), np.bool_)
    return np.asarray(title[np.minimum(np.searchsorted(title, words), len(title) - 1)] == words)


class Decoding(Enum):
    """How labels are chosen."""

    CHANCE = "each block by its own chance"
    PATH = "the best way to label the whole page"


class Form(Enum):
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

    form: Form
    features: tuple[str, ...]
    ranges: Ranges
    weight: Floats  # features × ranges × classifiers
    bias: Floats
    transition: Floats  # label before × label; only a field has others than 0

    def __post_init__(self) -> None:
        borders = self.ranges.borders
        classifiers = 2 if self.form is Form.MARKOV else 1
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
        """Scores of the labels of the first block, and of each step to a further one."""
        if self.form is Form.MARKOV:
            content = -np.logaddexp(0.0, -margins)  # logarithms of chances, behind each label
            other = -np.logaddexp(0.0, margins)
            both = np.stack((other, content), axis=2)  # blocks × label before × label
            return both[0, 0], both[1:]  # what stands before the page is not content
        first = np.array([0.0, margins[0, 0]])
        steps = np.broadcast_to(self.transition, (len(margins) - 1, 2, 2)).copy()
        steps[:, :, 1] += margins[1:]
        return first, steps

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The weights by name."""
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
            Form(str(arrays["form"])),
            tuple(map(str, arrays["features"].tolist())),
            Ranges(arrays["borders"].astype(np.float32)),
            weight,
            bias,
            transition,
        )


@dataclass(frozen=True, slots=True)
class _Sequence:
    """What all forms have in common."""

    form: ClassVar[Form]

    decoding: Decoding = Decoding.CHANCE
    model: str = ""  # a file of one's own weights; empty: those that come with Tidings

    def __call__(self, page: Page, /) -> Spans:
        """The blocks labelled as content."""
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

    form: ClassVar[Form] = Form.FIELD


@checked
@dataclass(frozen=True, slots=True)
class MaxEnt(_Sequence):
    """Blocks that a maximum entropy classifier takes for content, each by itself."""

    form: ClassVar[Form] = Form.ALONE


@checked
@dataclass(frozen=True, slots=True)
class MEMM(_Sequence):
    """Blocks that a maximum entropy Markov model labels as content, each by the label before."""

    form: ClassVar[Form] = Form.MARKOV
