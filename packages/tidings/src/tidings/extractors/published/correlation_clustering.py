"""Correlation clustering: a cluster is a group of neighbouring page nodes that look alike.

Source: LBNEST II.B, after Chakrabarti, Kumar and Punera 2008. Page nodes are the vertices of a neighbourhood graph. The
weight of an edge, 0 to 1, is the cost of separating its ends; 1 minus the weight is the cost of joining them. Each
trial draws nodes at random; a node takes all remaining neighbours with a weight above 1/2 into its cluster. The
cheapest of several trials counts. The story is the cluster with most text (LBNEST IV).

By default a vertex is a block of the page (a paragraph, a heading, a menu item) with everything inside it, so that a
subtree belongs to one cluster (II.B.2). With `nodes=elements` every block-level element with text is a vertex, and the
elements are nested. Then the rendering constraint applies: a node takes its whole subtree, and never a node whose
subtree belongs partly to another cluster; a node whose parts are in different clusters belongs to none.

Edge weights come from `node_similarity`, clipped to 0 … 1 where the paper says "normalized". `model` names a file of
learned weights. Sizes and styles come from a browser (`boxes`) or from `estimated_layout`. The paper reports "about 65
%" and does not use the method. The number of nodes is capped: the ones with most text are used, and
`clusters(page).left_out` is the number of the others.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.model_files import read
from tidings.extractors.parameters import Seed, checked
from tidings.extractors.published.estimated_layout import estimated, estimated_elements
from tidings.extractors.published.node_similarity import LookWeights, NodeBoxes, similarity
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.tag_sets import among, tag_set
from tidings.text import FloatArray

#: Elements that may be vertices with `nodes=elements`.
_BOXES: Final = tag_set(tags.BLOCK - tags.numbers("html body"))


class ClusterNodes(Enum):
    """The nodes of a page to be clustered: blocks or elements."""

    BLOCKS = "paragraphs, headings, menu items"
    ELEMENTS = "block-level elements, one inside the other"  # the rendering constraint binds (II.B.2)


class NodeNeighbours(Enum):
    """Which nodes count as neighbours (II.B.1)."""

    TREE = "steps in the tree"
    DISTANCE = "pixels on the screen"


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """The neighbourhood graph of a page: blocks and their boxes, and which pairs of blocks are neighbours."""

    blocks: Ints
    boxes: NodeBoxes
    near: Bools
    left_out: int  # number of visible blocks beyond the cap


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """A clustering of a page's blocks."""

    blocks: Ints  # the nodes: indices of the page's blocks
    label: Ints  # the cluster of each node
    cost: float  # of separated and joined edges
    left_out: int  # number of visible blocks beyond the cap


def pivot(weight: FloatArray, order: Ints) -> Ints:
    """Cluster nodes by one trial of the pivot algorithm; return the cluster of each node.

    Nodes are visited in a random order. Each unassigned node forms a cluster with its unassigned neighbours.

    Args:
        weight: the similarity of each pair of neighbours; above 1/2 they are put together.
        order: the random order of the nodes.
    """
    label = np.full(len(order), -1)
    near = weight > 0.5
    for node in order.tolist():
        if label[node] < 0:
            label[near[node] & (label < 0)] = node
            label[node] = node
    return label


def nested_pivot(weight: FloatArray, order: Ints, last: Ints) -> Ints:
    """Cluster nested nodes by one trial, where i + 1 … last[i] - 1 are the nodes inside node i (II.B.2).

    An unassigned node takes its whole subtree, and unassigned neighbours with a weight above 1/2 with theirs, unless a
    part of the subtree is assigned already. A node around parts of one cluster belongs to it; a node around parts of
    several clusters belongs to none (-1).
    """
    label, near = np.full(len(order), -2), weight > 0.5
    for node in order.tolist():
        if label[node] != -2:
            continue
        inside = label[node : last[node]]
        if (inside != -2).any():
            labels = np.unique(inside[inside != -2])
            label[node] = labels[0] if len(labels) == 1 and labels[0] >= 0 and (inside[1:] != -2).all() else -1
            continue
        label[node : last[node]] = node
        for other in np.flatnonzero(near[node] & (label == -2)).tolist():
            if (label[other : last[other]] == -2).all():
                label[other : last[other]] = node
    return label


def objective(weight: FloatArray, neighbours: Bools, label: Ints) -> float:
    """Return the cost of a clustering.

    An edge costs its weight if it connects two clusters, and 1 minus its weight if it is inside a cluster.
    """
    together = (label[:, None] == label[None, :]) & (label >= 0)[:, None]
    return float(np.where(together, 1 - weight, weight)[neighbours].sum() / 2)


def tree_distance(page: Page, element: Ints) -> FloatArray:
    """Return the number of steps in the tree between each two of some elements, which are in document order."""
    parent = page.elements.parent.tolist()
    paths: list[list[int]] = []
    for place in element.tolist():
        path = [place]
        while path[-1] > 0:
            path.append(parent[path[-1]])
        paths.append(path[::-1])
    depth = np.array([len(path) for path in paths])
    shared = np.array(
        [_common_length(path_before, path_after) for path_before, path_after in pairwise(paths)], np.int64
    )
    # In document order, two elements share the shortest common path of any neighbours between them.
    low = np.diag(depth)
    for row in range(len(shared)):
        low[row, row + 1 :] = low[row + 1 :, row] = np.minimum.accumulate(shared[row:])
    steps: FloatArray = (depth[:, None] + depth[None, :] - 2 * low).astype(np.float64)
    return steps


def screen_distance(boxes: NodeBoxes) -> FloatArray:
    """Return the distances between boxes in pixels; 0 if two touch or overlap."""

    def gap(start: FloatArray, size: FloatArray) -> FloatArray:
        return np.maximum(start[:, None] - (start + size)[None, :], start[None, :] - (start + size)[:, None]).clip(0)

    return np.hypot(gap(boxes.left, boxes.width), gap(boxes.top, boxes.height))


def _common_length(first: list[int], second: list[int]) -> int:
    """Return the length of the common beginning of two paths."""
    count = 0
    for element, other in zip(first, second, strict=False):
        if element != other:
            break
        count += 1
    return count


NAME: Final = "correlation-clustering"


@checked
@dataclass(frozen=True, slots=True)
class CorrelationClustering:
    """The cluster of similar-looking neighbouring blocks that has most text."""

    weights: LookWeights = field(default_factory=LookWeights)
    neighbours: NodeNeighbours = NodeNeighbours.TREE
    steps: int = 10  # the paper gives no figure; 10 did best on half of the sites of wcxb-dev (4: -0.06, any: -0.02)
    pixels: float = 100.0  # as above
    trials: int = 8  # the paper: "several"
    seed: Seed = 2009
    node_cap: int = 400
    boxes: NodeBoxes | None = None
    model: str = ""  # a file of learned weights (`tidings lab train correlation-clustering`); empty: `weights`
    nodes: ClusterNodes = ClusterNodes.BLOCKS

    def graph(self, page: Page) -> Graph:
        """Return the neighbourhood graph of the page's blocks."""
        self._check()
        visible = np.flatnonzero(~page.blocks.hidden)
        largest = np.argsort(-page.blocks.chars[visible], kind="stable")[: self.node_cap]
        blocks = np.sort(visible[largest])
        element = page.blocks.element[blocks]
        boxes = estimated(page, blocks) if self.boxes is None else _rows(self.boxes, element)
        return Graph(blocks, boxes, self._near(page, element, boxes), len(visible) - len(blocks))

    def clusters(self, page: Page) -> Clusters:
        """Return the clusters of the page's blocks from the trial with the lowest cost."""
        graph = self.graph(page)
        blocks, near = graph.blocks, graph.near
        if not len(blocks):
            return Clusters(blocks, blocks, 0.0, 0)
        weight = np.where(near, similarity(graph.boxes, self._weights()).clip(0, 1), 0.0)
        generator = np.random.default_rng(self.seed)
        trials = [pivot(weight, generator.permutation(len(blocks))) for _ in range(self.trials)]
        costs = [objective(weight, near, label) for label in trials]
        best = int(np.argmin(costs))
        return Clusters(blocks, trials[best], costs[best], graph.left_out)

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the cluster with most text."""
        if self.nodes is ClusterNodes.ELEMENTS:
            return self._of_elements(page)
        clusters = self.clusters(page)
        if not len(clusters.blocks):
            return Spans.none(len(page.text))
        text = np.bincount(clusters.label, page.blocks.chars[clusters.blocks])
        return page.shown(Spans.of_blocks(page, clusters.blocks[clusters.label == np.argmax(text)]))

    def nested(self, page: Page) -> Clusters:
        """Return the clusters of nested block-level elements; `blocks` are elements here, in document order."""
        self._check()
        elements, blocks = page.elements, page.blocks
        chars = sums(np.where(blocks.hidden, 0, blocks.chars))
        first, last = (np.searchsorted(blocks.first, edge) for edge in (elements.first, elements.last))
        sizes = chars[last] - chars[np.minimum(first, last)]
        candidates = np.flatnonzero(among(elements.tag, _BOXES) & (sizes > 0))
        nodes = np.sort(candidates[np.argsort(-sizes[candidates], kind="stable")[: self.node_cap]])
        if not len(nodes):
            return Clusters(nodes, nodes, 0.0, 0)
        boxes = estimated_elements(page, nodes) if self.boxes is None else _rows(self.boxes, nodes)
        near = self._near(page, nodes, boxes)
        weight = np.where(near, similarity(boxes, self._weights()).clip(0, 1), 0.0)
        after = np.searchsorted(elements.start, elements.end, side="left")[nodes]
        ends = np.searchsorted(nodes, after)
        generator = np.random.default_rng(self.seed)
        trials = [nested_pivot(weight, generator.permutation(len(nodes)), ends) for _ in range(self.trials)]
        costs = [objective(weight, near, label) for label in trials]
        best = int(np.argmin(costs))
        return Clusters(nodes, trials[best], costs[best], len(candidates) - len(nodes))

    def _of_elements(self, page: Page) -> Spans:
        clusters = self.nested(page)
        is_node = np.zeros(len(page.elements), np.bool_)
        is_node[clusters.blocks] = True
        label = np.full(len(page.elements), -1)
        label[clusters.blocks] = clusters.label
        block_label = label[page.nearest_of(is_node)[page.blocks.element]]  # of each block; -1 outside of all nodes
        block_label[page.blocks.hidden] = -1
        if not (block_label >= 0).any():
            return Spans.none(len(page.text))
        text = np.bincount(block_label[block_label >= 0], page.blocks.chars[block_label >= 0])
        return page.shown(Spans.of_blocks(page, block_label == np.argmax(text)))

    def _check(self) -> None:
        if self.trials < 1 or self.node_cap < 1:
            raise BadParameter(f"trials is {self.trials} and node_cap {self.node_cap}; both are 1 or more")

    def _near(self, page: Page, element: Ints, boxes: NodeBoxes) -> Bools:
        by_tree = self.neighbours is NodeNeighbours.TREE
        near: Bools = tree_distance(page, element) <= self.steps if by_tree else screen_distance(boxes) <= self.pixels
        np.fill_diagonal(near, False)
        return near

    def _weights(self) -> LookWeights:
        return read(LookWeights, NAME, self.model) if self.model else self.weights


def _rows(boxes: NodeBoxes, element: Ints) -> NodeBoxes:
    """Return the boxes of the given elements."""
    styles = [boxes.styles[place] for place in element.tolist()]
    return NodeBoxes(boxes.left[element], boxes.top[element], boxes.width[element], boxes.height[element], styles)
