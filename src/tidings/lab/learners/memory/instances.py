"""Pages as instances: for each element its 41 features and its pair of classes, in one vocabulary of tags."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tidings.extractors.published.memory_based.features import NUMERIC, Rows
from tidings.extractors.published.memory_based.memory import Memory, Schema, Values, collapse
from tidings.extractors.published.memory_based.model import encode
from tidings.lab.learners.element_classes import PAIRS, ElementClasses
from tidings.lab.learners.memory.weights import Statistics, Weighting, statistics
from tidings.page.columns import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Example:
    """A page to learn from or to measure on."""

    id: str
    site: str
    rows: Rows
    classes: ElementClasses


@dataclass(frozen=True, slots=True, eq=False)
class Instances:
    """The elements of several pages under each other."""

    values: Values
    classes: Ints  # places in `names`
    tags: tuple[str, ...]
    names: tuple[str, ...]  # pairs as in b+g, in the order they were first seen: that decides the last ties

    def __len__(self) -> int:
        return len(self.values)

    @classmethod
    def of(cls, examples: Sequence[Example]) -> Instances:
        """All elements of some pages, page after page."""
        tags = tuple(dict.fromkeys(tag for one in examples for tag in one.rows.tags))
        pairs = np.concatenate([one.classes.pairs for one in examples] or [np.zeros(0, np.int64)])
        seen, first = np.unique(pairs, return_index=True)
        seen = seen[np.argsort(first)]
        place = np.zeros(len(PAIRS), np.int64)
        place[seen] = np.arange(len(seen))
        values = np.concatenate([encode(one.rows, tags) for one in examples] or [np.zeros((0, len(NUMERIC)), np.int32)])
        return cls(values, place[pairs], tags, tuple(PAIRS[pair] for pair in seen.tolist()))

    def statistics(self) -> Statistics:
        """The weights of the features."""
        return statistics(self.values, self.classes, np.array(NUMERIC))

    def memory(self, weighting: Weighting, found: Statistics | None = None) -> Memory:
        """The instances as a memory."""
        found = found or self.statistics()
        values, counts = collapse(self.values, self.classes, len(self.names))
        numeric = np.array(NUMERIC)
        least = np.where(numeric, self.values.min(axis=0, initial=0), 0).astype(np.float64)
        most = np.where(numeric, self.values.max(axis=0, initial=0), 0).astype(np.float64)
        return Memory(values, counts, Schema(numeric, found.nearest_order()), found.weights(weighting), least, most)
