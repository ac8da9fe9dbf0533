"""A table of blocks for learners, and the interface of learners."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from tidings.page.columns import Ints

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Attribute:
    """A column: numeric, or nominal with named values, which the table stores by index."""

    name: str
    values: tuple[str, ...] = ()

    @property
    def numeric(self) -> bool:
        """Return whether the column is numeric."""
        return not self.values


@dataclass(frozen=True, slots=True, eq=False)
class BlockInstances:
    """A table of labelled blocks: rows of feature values with the class, the page and the site of each block."""

    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]
    rows: Floats
    labels: Ints
    page: Ints
    site: Ints

    def __len__(self) -> int:
        return len(self.labels)

    def select_rows(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> BlockInstances:
        """Return a table with some of the rows."""
        parts = (self.rows[chosen], self.labels[chosen], self.page[chosen], self.site[chosen])
        return BlockInstances(self.attributes, self.classes, *parts)

    def select_columns(self, names: Sequence[str]) -> BlockInstances:
        """Return a table with some of the columns, in their order."""
        places = [place for place, attribute in enumerate(self.attributes) if attribute.name in names]
        return replace(self, attributes=tuple(self.attributes[place] for place in places), rows=self.rows[:, places])

    @property
    def counts(self) -> Floats:
        """Return the frequency of each class."""
        return np.bincount(self.labels, minlength=len(self.classes)).astype(np.float64)


class Classifier(Protocol):
    """A trained classifier of blocks, given as rows of feature values."""

    def classify(self, rows: Floats, /) -> Ints:
        """Return the class of each row."""
        ...


class BlockLearner(Protocol):
    """A learning algorithm for block classifiers; its settings are the fields of the class."""

    def fit(self, instances: BlockInstances, /) -> Classifier:
        """Train a classifier on a table of labelled blocks.

        Raises:
            InputError: the table is empty.
            MissingExtra: the library of the learner is not installed.
        """
        ...
