"""The memory-based learner: pages in, model out, with the settings of TiMBL that the thesis compares (6.6).

A page consists of instances: for each element its 41 features and its pair of classes, with one vocabulary of tags for
all pages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import numpy as np

from tidings.errors import BadParameter, InputError
from tidings.extractors.published.memory_based.extractor import MemoryModel, encode
from tidings.extractors.published.memory_based.features import (
    NUMERIC,
    ElementRows,
    logarithmic,
)
from tidings.extractors.published.memory_based.ib1 import Nearest
from tidings.extractors.published.memory_based.igtree import grow
from tidings.extractors.published.memory_based.memory import InstanceMemory, Schema, Values, collapse
from tidings.page.columns import Ints
from tidings_lab.learners.element_classes import PAIRS, ElementClasses
from tidings_lab.learners.feature_weights import FeatureWeighting, Statistics, statistics


@dataclass(frozen=True, slots=True, eq=False)
class ElementExample:
    """The elements of a page, for training or testing."""

    id: str
    site: str
    rows: ElementRows
    classes: ElementClasses


@dataclass(frozen=True, slots=True, eq=False)
class ElementInstances:
    """The feature rows and classes of the elements of several pages, concatenated."""

    values: Values
    classes: Ints  # indices in `names`
    tags: tuple[str, ...]
    names: tuple[str, ...]  # pairs like b+g in order of first occurrence, which decides ties

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def of(cls, examples: Sequence[ElementExample]) -> ElementInstances:
        """Concatenate the elements of pages."""
        tags = tuple(dict.fromkeys(tag for page in examples for tag in page.rows.tags))
        pairs = np.concatenate([page.classes.pairs for page in examples] or [np.zeros(0, np.int64)])
        present, first = np.unique(pairs, return_index=True)
        present = present[np.argsort(first)]
        place = np.zeros(len(PAIRS), np.int64)
        place[present] = np.arange(len(present))
        values = np.concatenate(
            [encode(page.rows, tags) for page in examples] or [np.zeros((0, len(NUMERIC)), np.int32)]
        )
        return cls(values, place[pairs], tags, tuple(PAIRS[pair] for pair in present.tolist()))

    def statistics(self) -> Statistics:
        """Return the weights of the features."""
        return statistics(self.values, self.classes, np.array(NUMERIC))

    def memory(self, weighting: FeatureWeighting, weights: Statistics | None = None) -> InstanceMemory:
        """Return the instances as the memory in which IB1 and IGTREE search."""
        weights = weights or self.statistics()
        values, counts = collapse(self.values, self.classes, len(self.names))
        numeric = np.array(NUMERIC)
        least = np.where(numeric, self.values.min(axis=0, initial=0), 0).astype(np.float64)
        most = np.where(numeric, self.values.max(axis=0, initial=0), 0).astype(np.float64)
        return InstanceMemory(
            values, counts, Schema(numeric, weights.nearest_order()), weights.weights(weighting), least, most
        )


class Algorithm(Enum):
    """One of TiMBL's algorithms, by TiMBL's name."""

    IB1 = "IB1"
    IGTREE = "IGTREE"


@dataclass(frozen=True, slots=True)
class MemoryLearner:
    """A memory-based learner. The defaults are TiMBL's: IB1 with gain ratio and k = 1 nearest distance."""

    algorithm: Algorithm = Algorithm.IB1
    weights: FeatureWeighting = FeatureWeighting.GAIN_RATIO
    k: int = 1  # of IB1: number of nearest distances that vote
    logarithmic: bool = False  # lengths on a logarithmic scale; the thesis uses plain lengths
    card: Mapping[str, Any] = field(default_factory=dict)  # further metadata for the model file

    def fit(self, items: Sequence[ElementExample], /) -> MemoryModel:
        """Store the elements of pages, and compute their feature weights.

        Raises:
            InputError: there is nothing to store.
            BadParameter: `k` is below 1.
        """
        if self.k < 1:
            raise BadParameter(f"k is {self.k}: one nearest distance is the least that can vote")
        instances = ElementInstances.of(items)
        if self.logarithmic:
            instances = replace(instances, values=logarithmic(instances.values))
        if not len(instances):
            raise InputError("there are no pages to learn from")
        feature_weights = instances.statistics()
        memory = instances.memory(self.weights, feature_weights)
        tree = self.algorithm is Algorithm.IGTREE
        card = {
            "algorithm": self.algorithm.value,
            "weights": self.weights.value,
            **({} if tree else {"k": self.k}),
            "lengths": "logarithmic" if self.logarithmic else "plain",
            "pages": len(items),
            "sites": len({page.site for page in items}),
            "elements": len(instances),
            "distinct": len(memory),
            "classes": {name: int(count) for name, count in zip(instances.names, memory.totals, strict=True)},
            **self.card,
        }
        judge = grow(memory, feature_weights.tree_order(self.weights)) if tree else Nearest(memory, self.k)
        return MemoryModel(judge, instances.tags, instances.names, card, self.logarithmic)
