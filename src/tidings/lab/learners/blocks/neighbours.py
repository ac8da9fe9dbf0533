"""k nearest neighbours (hybrid rules 4.4.3): Euclid's distance, as Weka's IBk has it.

Numbers are brought between 0 and 1 by the least and the greatest of the table; two names are 1 apart or not at all. The
search is scikit-learn's (extra `learn`), for which a name is a column a value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from tidings.errors import InputError, MissingExtra
from tidings.lab.learners.blocks.instances import Attribute, BlockInstances, Floats
from tidings.page.columns import Ints


@dataclass(frozen=True, slots=True, eq=False)
class NeighbourClassifier:
    """The rows that were learned, ready to be searched."""

    attributes: tuple[Attribute, ...]
    low: Floats
    reach: Floats
    classifier: Any  # sklearn.neighbors.KNeighborsClassifier

    def classify(self, rows: Floats, /) -> Ints:
        """The class of most of the nearest rows."""
        if not len(rows):
            return np.zeros(0, np.int64)
        return np.asarray(self.classifier.predict(_placed(self.attributes, rows, self.low, self.reach)), np.int64)


@dataclass(frozen=True, slots=True)
class NearestNeighbours:
    """The learner."""

    k: int = 1  # Weka's default

    def fit(self, instances: BlockInstances, /) -> NeighbourClassifier:
        """Keep the rows.

        Raises:
            InputError: there are no rows.
            MissingExtra: scikit-learn is not installed.
        """
        try:
            from sklearn.neighbors import KNeighborsClassifier
        except ImportError:
            raise MissingExtra("searching for neighbours", "lab") from None
        if not len(instances):
            raise InputError("neighbours are sought among blocks, and there are none")
        low = instances.rows.min(axis=0)
        reach = np.ptp(instances.rows, axis=0)
        placed = _placed(instances.attributes, instances.rows, low, reach)
        found = KNeighborsClassifier(min(self.k, len(instances)), algorithm="kd_tree")
        return NeighbourClassifier(instances.attributes, low, reach, found.fit(placed, instances.labels))


def _placed(attributes: tuple[Attribute, ...], rows: Floats, low: Floats, reach: Floats) -> Floats:
    columns = []
    for place, one in enumerate(attributes):
        if one.numeric:
            columns.append((rows[:, place] - low[place]) / (reach[place] or 1.0))
        else:  # two values differ in two columns, which together make a distance of 1
            columns.extend((rows[:, place] == value) * np.sqrt(0.5) for value in range(len(one.values)))
    return np.column_stack(columns)
