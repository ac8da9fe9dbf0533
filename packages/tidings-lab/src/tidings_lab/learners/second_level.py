"""A memory-based classifier for each class, and a second level that combines them (memory-based thesis 7.1).

The thesis found that title, heading and body need different weights, and proposes a classifier for each and one above
them. Here each first-level classifier decides for its class alone whether the text or the tail of an element has it.
The second level is a memory of the pairs of classes that these decisions, for the element and its two neighbours, had
in training. It is trained on decisions about sites that the first level had not seen, because decisions about known
sites are right more often.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import numpy as np

from tidings.errors import InputError
from tidings.extractors.published.memory_based.extractor import CombinedModel, MemoryModel
from tidings.extractors.published.memory_based.ib1 import Nearest
from tidings.extractors.published.memory_based.memory import InstanceMemory, Schema, Values, collapse
from tidings.extractors.published.memory_based.second_level import first_answers
from tidings.page.columns import Ints
from tidings_lab.learners.element_classes import PAIRS, ElementClass, ElementClasses
from tidings_lab.learners.feature_weights import FeatureWeighting, statistics
from tidings_lab.learners.memory import ElementExample, MemoryLearner
from tidings_lab.learners.site_folds import fold_of

#: The best settings for each class across sites in the thesis (table 6.12), with its best k.
BEST: Final[Mapping[ElementClass, MemoryLearner]] = {
    ElementClass.TITLE: MemoryLearner(weights=FeatureWeighting.CHI_SQUARE, k=7),
    ElementClass.HEADING: MemoryLearner(weights=FeatureWeighting.INFORMATION_GAIN, k=7),
    ElementClass.BODY: MemoryLearner(weights=FeatureWeighting.INFORMATION_GAIN, k=7),
}


@dataclass(frozen=True, slots=True)
class SecondLevel:
    """A learner of two levels: a memory-based model for each class, and another that combines their decisions."""

    first: Mapping[ElementClass, MemoryLearner]
    folds: int = 3
    card: Mapping[str, Any] = field(default_factory=dict)

    def fit(self, items: Sequence[ElementExample], /) -> CombinedModel:
        """Train the first level without each fold of sites, the second level on its decisions, and the first level on
        all.

        Raises:
            InputError: all pages are of sites in one fold.
        """
        answers, pairs = [], []
        for fold in range(self.folds):
            inside = [page for page in items if fold_of(page.site, self.folds) != fold]
            outside = [page for page in items if fold_of(page.site, self.folds) == fold]
            if inside and outside:
                models = self._fit_first(inside)
                answers += [first_answers(models, page.rows, PAIRS) for page in outside]
                pairs += [page.classes.pairs for page in outside]
        if not answers:
            raise InputError("a second level needs pages of several sites")
        second = _remember(np.concatenate(answers), np.concatenate(pairs))
        return CombinedModel(self._fit_first(items), second, PAIRS, self.card)

    def _fit_first(self, items: Sequence[ElementExample]) -> dict[str, MemoryModel]:
        return {kind.letter: learner.fit([_only(page, kind) for page in items]) for kind, learner in self.first.items()}


def _only(page: ElementExample, kind: ElementClass) -> ElementExample:
    """Return a page with all other classes set to garbage."""
    text, tail = (np.where(part == kind, part, 0).astype(np.int8) for part in (page.classes.text, page.classes.tail))
    return ElementExample(page.id, page.site, page.rows, ElementClasses(text, tail))


def _remember(values: Values, pairs: Ints) -> Nearest:
    numeric = np.zeros(values.shape[1], np.bool_)
    weights = statistics(values, pairs, numeric)
    rows, counts = collapse(values, pairs, len(PAIRS))
    zeros = np.zeros(values.shape[1])
    schema = Schema(numeric, weights.nearest_order())
    return Nearest(InstanceMemory(rows, counts, schema, weights.weights(FeatureWeighting.GAIN_RATIO), zeros, zeros))
