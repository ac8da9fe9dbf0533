"""One classifier for each class, and a second one that combines them (memory-based thesis, 7.1).

The thesis found that title, heading and body each want other weights, and proposes a classifier for each and one above
them. Here each of the first ones answers for its class alone: is the text of this element one, is its tail? The second
is a memory too: it remembers which answers, for the element and its two neighbours, went with which pair of classes. It
learns from answers about sites that the first ones had not seen, for their answers about what they remember are right
more often than they will be.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.errors import InputError
from tidings.extractors.published.memory_based.extractor import MemoryModel, encode
from tidings.extractors.published.memory_based.ib1 import Nearest
from tidings.extractors.published.memory_based.memory import InstanceMemory, Schema, Values, collapse
from tidings.lab.learners.default import fold_of
from tidings.lab.learners.element_classes import PAIRS, ElementClass, ElementClasses
from tidings.lab.learners.memory.learner import ElementExample, FeatureWeighting, MemoryLearner, statistics
from tidings.page.columns import Ints

#: The settings that were best for each class across sites in the thesis (table 6.12), with its best k.
BEST: Final[Mapping[ElementClass, MemoryLearner]] = {
    ElementClass.TITLE: MemoryLearner(weights=FeatureWeighting.CHI_SQUARE, k=7),
    ElementClass.HEADING: MemoryLearner(weights=FeatureWeighting.INFORMATION_GAIN, k=7),
    ElementClass.BODY: MemoryLearner(weights=FeatureWeighting.INFORMATION_GAIN, k=7),
}
_NEIGHBOURS: Final = 1


@dataclass(frozen=True, slots=True, eq=False)
class Combined:
    """A model for each class, and the memory of what their answers meant."""

    first: Mapping[ElementClass, MemoryModel]
    second: Nearest

    def pairs(self, page: ElementExample) -> Ints:
        """For each element the number of its pair in `PAIRS`."""
        return self.second.classify(_answers(self.first, page)).classes


@dataclass(frozen=True, slots=True)
class SecondLevel:
    """The learner: settings for each class, and into how many folds of sites the pages go for the second one."""

    first: Mapping[ElementClass, MemoryLearner]
    folds: int = 3

    def fit(self, items: Sequence[ElementExample], /) -> Combined:
        """Train the first ones without each fold of sites, the second on their answers, and the first ones on all.

        Raises:
            InputError: all pages are of sites in one fold.
        """
        answers, pairs = [], []
        for fold in range(self.folds):
            inside = [page for page in items if fold_of(page.site, self.folds) != fold]
            outside = [page for page in items if fold_of(page.site, self.folds) == fold]
            if inside and outside:
                models = self._fit_first(inside)
                answers += [_answers(models, page) for page in outside]
                pairs += [page.classes.pairs for page in outside]
        if not answers:
            raise InputError("a second level needs pages of several sites")
        return Combined(self._fit_first(items), _remember(np.concatenate(answers), np.concatenate(pairs)))

    def _fit_first(self, items: Sequence[ElementExample]) -> dict[ElementClass, MemoryModel]:
        return {kind: learner.fit([_only(page, kind) for page in items]) for kind, learner in self.first.items()}


def _only(page: ElementExample, kind: ElementClass) -> ElementExample:
    """A page on which everything else is garbage."""
    text, tail = (np.where(part == kind, part, 0).astype(np.int8) for part in (page.classes.text, page.classes.tail))
    return ElementExample(page.id, page.site, page.rows, ElementClasses(text, tail))


def _answers(models: Mapping[ElementClass, MemoryModel], page: ElementExample) -> Values:
    """What each model says of each element and of its neighbours: a column an answer."""
    columns = []
    for model in models.values():
        found = model.answer(encode(page.rows, model.tags)).classes
        said = np.array([PAIRS.index(name) for name in model.classes], np.int32)[found]
        padded = np.pad(said, _NEIGHBOURS)
        columns.append(np.lib.stride_tricks.sliding_window_view(padded, 2 * _NEIGHBOURS + 1))
    return np.concatenate(columns, axis=1).astype(np.int32)


def _remember(values: Values, pairs: Ints) -> Nearest:
    numeric = np.zeros(values.shape[1], np.bool_)
    found = statistics(values, pairs, numeric)
    rows, counts = collapse(values, pairs, len(PAIRS))
    nothing = np.zeros(values.shape[1])
    schema = Schema(numeric, found.nearest_order())
    return Nearest(InstanceMemory(rows, counts, schema, found.weights(FeatureWeighting.GAIN_RATIO), nothing, nothing))
