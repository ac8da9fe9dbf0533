"""The memory-based learner: pages in, model out. Its settings are those of TiMBL that the thesis tries (6.6)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

from tidings.errors import BadParameter, InputError
from tidings.extractors.published.memory_based.features import logarithmic
from tidings.extractors.published.memory_based.ib1 import Nearest
from tidings.extractors.published.memory_based.igtree import grow
from tidings.extractors.published.memory_based.model import Model
from tidings.lab.learners.memory.instances import Example, Instances
from tidings.lab.learners.memory.weights import Weighting


class Algorithm(Enum):
    """Which of TiMBL's algorithms, by its name for it."""

    IB1 = "IB1"
    IGTREE = "IGTREE"


@dataclass(frozen=True, slots=True)
class MemoryLearner:
    """IB1 with gain ratio and one nearest distance, as TiMBL has it where nothing else is said."""

    algorithm: Algorithm = Algorithm.IB1
    weights: Weighting = Weighting.GAIN_RATIO
    k: int = 1  # of IB1: how many nearest distances vote
    logarithmic: bool = False  # lengths on a logarithmic scale; the thesis has them plain
    card: Mapping[str, Any] = field(default_factory=dict)  # what else the model should tell of itself

    def fit(self, items: Sequence[Example], /) -> Model:
        """Remember pages.

        Raises:
            InputError: there is nothing to remember.
            BadParameter: `k` is below 1.
        """
        if self.k < 1:
            raise BadParameter(f"k is {self.k}: one nearest distance is the least that can vote")
        instances = Instances.of(items)
        if self.logarithmic:
            instances = replace(instances, values=logarithmic(instances.values))
        if not len(instances):
            raise InputError("there are no pages to learn from")
        found = instances.statistics()
        memory = instances.memory(self.weights, found)
        tree = self.algorithm is Algorithm.IGTREE
        card = {
            "algorithm": self.algorithm.value,
            "weights": self.weights.value,
            **({} if tree else {"k": self.k}),
            "lengths": "logarithmic" if self.logarithmic else "plain",
            "pages": len(items),
            "sites": len({one.site for one in items}),
            "elements": len(instances),
            "distinct": len(memory),
            "classes": {name: int(count) for name, count in zip(instances.names, memory.totals, strict=True)},
            **self.card,
        }
        judge = grow(memory, found.tree_order(self.weights)) if tree else Nearest(memory, self.k)
        return Model(judge, instances.tags, instances.names, card, self.logarithmic)
