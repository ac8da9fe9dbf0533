"""Training of the weights of correlation clustering from pages with ground truth.

Source: LBNEST II.B.1: instead of by trial and error, weights can come from "a learning algorithm" over a labelled set
whose properties are dimensions and style rules, all as numbers. Here two neighbouring blocks of which one is content
should be together if the other is content too, and apart if it is not. Pairs without content are not used, because
menus and footers belong to several clusters. The weight of an edge is the probability that its ends belong together,
and its printed form is a sum of five properties, so the five numbers come from a least-squares regression. Each page
has the same weight, and on each page the pairs together have the same weight as those apart.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tidings.errors import InputError
from tidings.extractors.published.correlation_clustering import CorrelationClustering, NodeNeighbours
from tidings.extractors.published.node_similarity import LookWeights, compared
from tidings.page.columns import Bools
from tidings.text import FloatArray
from tidings_lab.learners.labelled_pages import GoldPage
from tidings_lab.learners.weights_learner import labels


@dataclass(frozen=True, slots=True, eq=False)
class TaughtPairs:
    """The training data of a page for a least-squares fit, summed over pairs of neighbouring blocks.

    The sums are products of the pairs' properties with each other and with the target: whether the two blocks belong
    together.
    """

    site: str
    products: FloatArray  # 5 × 5
    target_products: FloatArray  # 5
    has_both: bool  # there are pairs that belong together and pairs that do not


@dataclass(frozen=True, slots=True)
class Pairing:
    """A learner for the five weights of `correlation-clustering`."""

    neighbours: NodeNeighbours = NodeNeighbours.TREE
    steps: int = 10  # like the extractor
    pixels: float = 100.0
    shrinking: float = 1e-6  # regularisation, so that constant properties get no weight

    def prepare(self, lesson: GoldPage, /) -> TaughtPairs | None:
        """Return a page's sums for the least-squares fit, over pairs of neighbouring blocks.

        Only pairs with a content block count. The target of a pair is whether both blocks are content.
        """
        labelled = labels(lesson)
        if labelled is None:
            return None
        method = CorrelationClustering(neighbours=self.neighbours, steps=self.steps, pixels=self.pixels)
        graph = method.graph(labelled.page)
        content = np.isin(graph.blocks, labelled.blocks[labelled.content])
        is_used = np.triu(graph.near) & (content[:, None] | content[None, :])
        together = is_used & content[:, None] & content[None, :]
        rows = np.stack([column[is_used] for column in compared(graph.boxes)], axis=1)
        weight = _evenly(together[is_used])
        weighted = rows * weight[:, None]
        products = weighted.T @ rows
        return TaughtPairs(lesson.site, products, weighted.T @ together[is_used], bool((weight > 0).any()))

    def fit(self, items: Sequence[TaughtPairs], /) -> LookWeights:
        """Return the five weights with the least squared error.

        Raises:
            InputError: no page has both pairs that belong together and pairs that do not.
        """
        usable = [item for item in items if item.has_both]
        if not usable:
            raise InputError("learning needs pages with blocks of the story beside others that are not")
        products = np.sum([item.products for item in usable], axis=0)
        target_products = np.sum([item.target_products for item in usable], axis=0)
        products += self.shrinking * np.diag(np.diag(products) + 1e-12)
        height, step, width, rule, other = np.linalg.solve(products, target_products).tolist()
        return LookWeights(height, step, width, rule, other)


def _evenly(together: Bools) -> FloatArray:
    """Return a weight for each pair, by which pairs that belong together weigh as much as those that do not.

    All weights are 0 if one of the two kinds is missing.
    """
    count = int(together.sum())
    if not 0 < count < len(together):
        return np.zeros(len(together))
    return np.where(together, 0.5 / count, 0.5 / (len(together) - count))
