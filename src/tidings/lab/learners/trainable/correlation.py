"""Learning the weights of correlation clustering from pages with gold.

LBNEST II.B.1: instead of by trial and error, weights can come from "a learning algorithm" over a labelled set whose
properties are dimensions and style rules, all as numbers. Here two neighbouring blocks of which one is content should
be together if the other is content too, and apart if it is not; of two that are no content nothing is known, for
menus and footers belong to several clusters. The weight of an edge is the chance that its ends belong together, and the
printed form of it is a sum of five properties: so the five numbers that fit best are a regression, found by least
squares. Each page counts as much as another, and on each page the pairs together as much as those apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tidings.errors import InputError
from tidings.extractors.published.correlation_clustering import (
    CorrelationClustering,
    LookWeights,
    NodeNeighbours,
    compared,
)
from tidings.lab.learners.lesson import GoldPage
from tidings.lab.learners.trainable.classifiers import labels
from tidings.page.columns import Bools
from tidings.text import FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class TaughtPairs:
    """The pairs of a page, summed up: products of the properties with each other, and with what is wanted."""

    site: str
    products: FloatArray  # 5 × 5
    wanted: FloatArray  # 5
    has_both: bool  # pairs that belong together, and pairs that do not


@dataclass(frozen=True, slots=True)
class Pairing:
    """The learner."""

    neighbours: NodeNeighbours = NodeNeighbours.TREE
    steps: int = 10  # as in the extractor
    pixels: float = 100.0
    shrinking: float = 1e-6  # so that properties which never vary get no weight

    def prepare(self, lesson: GoldPage, /) -> TaughtPairs | None:
        """The pairs of neighbouring blocks with what is wanted of them."""
        found = labels(lesson)
        if found is None:
            return None
        method = CorrelationClustering(neighbours=self.neighbours, steps=self.steps, pixels=self.pixels)
        graph = method.graph(found.page)
        content = np.isin(graph.blocks, found.blocks[found.content])
        asked = np.triu(graph.near) & (content[:, None] | content[None, :])
        together = asked & content[:, None] & content[None, :]
        rows = np.stack([column[asked] for column in compared(graph.boxes)], axis=1)
        weight = _evenly(together[asked])
        weighted = rows * weight[:, None]
        products = weighted.T @ rows
        return TaughtPairs(lesson.site, products, weighted.T @ together[asked], bool((weight > 0).any()))

    def fit(self, items: Sequence[TaughtPairs], /) -> LookWeights:
        """The five weights that fit best.

        Raises:
            InputError: no page has pairs that belong together and pairs that do not.
        """
        kept = [item for item in items if item.has_both]
        if not kept:
            raise InputError("learning needs pages with blocks of the story beside others that are not")
        products = np.sum([item.products for item in kept], axis=0)
        wanted = np.sum([item.wanted for item in kept], axis=0)
        products += self.shrinking * np.diag(np.diag(products) + 1e-12)
        height, step, width, rule, other = np.linalg.solve(products, wanted).tolist()
        return LookWeights(height, step, width, rule, other)


def _evenly(together: Bools) -> FloatArray:
    """A weight for each pair, so that both sorts weigh one half of the page; nothing where one sort is missing."""
    count = int(together.sum())
    if not 0 < count < len(together):
        return np.zeros(len(together))
    return np.where(together, 0.5 / count, 0.5 / (len(together) - count))
