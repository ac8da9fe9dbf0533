"""Blocks of many pages as one table to learn from, and what a learner of them is."""

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
    """A column: numbers, or one of several names, which stand in the table by their place."""

    name: str
    values: tuple[str, ...] = ()

    @property
    def numeric(self) -> bool:
        """Whether it is a number."""
        return not self.values


@dataclass(frozen=True, slots=True, eq=False)
class Instances:
    """Rows with the class of each, and the page and site that each is from."""

    attributes: tuple[Attribute, ...]
    classes: tuple[str, ...]
    rows: Floats
    labels: Ints
    page: Ints
    site: Ints

    def __len__(self) -> int:
        return len(self.labels)

    def some(self, chosen: NDArray[np.int64] | NDArray[np.bool_]) -> Instances:
        """Some of the rows."""
        parts = (self.rows[chosen], self.labels[chosen], self.page[chosen], self.site[chosen])
        return Instances(self.attributes, self.classes, *parts)

    def only(self, names: Sequence[str]) -> Instances:
        """Some of the columns, in the order of the table."""
        kept = [place for place, one in enumerate(self.attributes) if one.name in names]
        return replace(self, attributes=tuple(self.attributes[place] for place in kept), rows=self.rows[:, kept])

    @property
    def counts(self) -> Floats:
        """How often each class is there."""
        return np.bincount(self.labels, minlength=len(self.classes)).astype(np.float64)


class Classifier(Protocol):
    """What was learned: a class for each row."""

    def classify(self, rows: Floats, /) -> Ints:
        """The class of each row."""
        ...


class Learner(Protocol):
    """A learner; its settings are its fields."""

    def fit(self, instances: Instances, /) -> Classifier:
        """Learn from a table.

        Raises:
            InputError: there is nothing in it.
            MissingExtra: the library of the learner is not installed.
        """
        ...
