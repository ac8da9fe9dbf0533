"""k nearest neighbours with Euclidean distance, like Weka's IBk (hybrid rules 4.4.3).

Numbers are scaled to 0 … 1 by the range in the table; two nominal values have the distance 0 or 1. The search is
scikit-learn's, for which a nominal feature is a column per value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tidings.errors import InputError, needs
from tidings.page.columns import Ints
from tidings_lab.learners.blocks.instances import Attribute, BlockInstances, Floats


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourClassifier:
    """A k-nearest-neighbour classifier: the training rows in scikit-learn's search index."""

    attributes: tuple[Attribute, ...]
    low: Floats
    reach: Floats
    classifier: Any  # sklearn.neighbors.KNeighborsClassifier

    def classify(self, rows: Floats, /) -> Ints:
        """Return for each row the majority class of its k nearest training rows."""
        if not len(rows):
            return np.zeros(0, np.int64)
        return np.asarray(self.classifier.predict(_placed(self.attributes, rows, self.low, self.reach)), np.int64)


@dataclass(frozen=True, slots=True)
class NearestNeighbours:
    """A k-nearest-neighbour learner for block features."""

    k: int = 1  # Weka's default

    def fit(self, instances: BlockInstances, /) -> NeighbourClassifier:
        """Store the rows of a table in a search index.

        Raises:
            InputError: there are no rows.
            MissingExtra: scikit-learn is not installed.
        """
        with needs("searching for neighbours", "lab"):
            from sklearn.neighbors import KNeighborsClassifier
        if not len(instances):
            raise InputError("neighbours are sought among blocks, and there are none")
        low = instances.rows.min(axis=0)
        reach = np.ptp(instances.rows, axis=0)
        placed = _placed(instances.attributes, instances.rows, low, reach)
        found = KNeighborsClassifier(min(self.k, len(instances)), algorithm="kd_tree")
        return NeighbourClassifier(instances.attributes, low, reach, found.fit(placed, instances.labels))


def _placed(attributes: tuple[Attribute, ...], rows: Floats, low: Floats, reach: Floats) -> Floats:
    columns = []
    for place, attribute in enumerate(attributes):
        if attribute.numeric:
            columns.append((rows[:, place] - low[place]) / (reach[place] or 1.0))
        else:  # two values differ in two columns, which gives a distance of 1
            columns.extend((rows[:, place] == value) * np.sqrt(0.5) for value in range(len(attribute.values)))
    return np.column_stack(columns)
