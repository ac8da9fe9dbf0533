"""Correlation clustering: nodes of a page that look alike and stand together belong together.

LBNEST II.B, after Chakrabarti, Kumar and Punera 2008. Nodes are vertices of a neighbourhood graph; the weight of an
edge, 0 to 1, is the cost of parting its ends, and 1 less it the cost of keeping them together. A node is drawn at
random and takes all remaining neighbours with a weight over 1/2 into its cluster, until none remains; of several trials
the cheapest counts. The story is the cluster with most text, as the story is the largest block of text in IV.

A vertex is a block of the page (a paragraph, a heading, a menu item): what is inside it stays with it, so
that a subtree whose root is in a cluster is in it as a whole (II.B.2). With `nodes=elements` every block-level element
with text is a vertex, boxes around boxes, and the rendering constraint binds: who takes a node takes all inside it,
weights or not, and none whose inside is partly another's; a node whose parts went to different clusters is in
none. The weight is the printed one (II.B.1): heights,
widths, style rules, divided by a root of roots (`correlation_weights`); clipped to 0 … 1 where the paper says
"normalized". `model` names a file of learned weights instead.

Heights, widths and styles come from a browser (`boxes`). Without them they are estimated from the columns, as an
unstyled page would be drawn: a block is as wide as its parent, less the margin of lists and quotations; a row shares
its width among its cells; text runs in lines of 16 px type; styles are those of the standard's own style sheet (HTML
standard, 15.3), the colour of links, the classes, and what the `style` attribute says.

The paper reports "about 65 %" and does not use it. Work is bounded by a cap on nodes: the ones with most text
are taken, and `clusters(page).left_out` tells how many were not.

How alike two nodes of a page look: the weights of correlation clustering, printed or learned.

LBNEST II.B.1. The printed numbers were "found in trial and error method": 1.7 less 0.07 for each pixel that the heights
differ, 5.0 for the same width, 0.2 for each style rule with the same value and -9.0 for each with another, all divided
by a root of roots of the sizes. The paper names the other way too, a learning algorithm over a labelled set with the
same properties: `tidings lab train correlation-clustering` finds the same five numbers from pages with gold.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import astuple, dataclass, field
from enum import Enum
from itertools import chain, pairwise
from typing import Final, Self

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.model_files import Arrays, fit_together, read
from tidings.extractors.parameters import Seed, checked
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.tag_sets import among, tag_set
from tidings.text import FloatArray


@dataclass(frozen=True, slots=True)
class LookWeights:
    """The printed numbers, "found in trial and error method" (II.B.1)."""

    height: float = 1.7
    height_step: float = 0.07  # less for each pixel of difference
    same_width: float = 5.0
    same_rule: float = 0.2
    other_value: float = -9.0

    def arrays(self) -> dict[str, FloatArray]:
        """Return the weights by name, for a file."""
        return {"weights": np.array(astuple(self))}

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Self:
        """From a file.

        Raises:
            BadModel: they are not five numbers.
        """
        stored = arrays["weights"]
        fit_together(stored.shape == (5,) and stored.dtype.kind == "f" and bool(np.isfinite(stored).all()), "weights")
        return cls(*stored.tolist())


@dataclass(frozen=True, slots=True, eq=False)
class NodeBoxes:
    """What a browser drew, one row for each element of the page, in pixels."""

    left: FloatArray
    top: FloatArray
    width: FloatArray
    height: FloatArray
    styles: Sequence[Mapping[str, str]]


def compared(boxes: NodeBoxes) -> tuple[FloatArray, ...]:
    """What the five weights are multiplied with, for each two nodes (II.B.1)."""
    height, width = boxes.height, boxes.width
    size = np.sqrt(np.maximum(height + width, 1.0))
    scale = 1 / np.sqrt(np.sqrt(size[:, None] * size[None, :]))
    both = _shared([frozenset(style) for style in boxes.styles])
    same = _shared([frozenset(style.items()) for style in boxes.styles])
    return (
        scale,
        -np.abs(height[:, None] - height[None, :]) * scale,
        (np.abs(width[:, None] - width[None, :]) < 0.5) * scale,
        same * scale,
        (both - same) * scale,
    )


def similarity(boxes: NodeBoxes, weights: LookWeights) -> FloatArray:
    """Return the similarity of each node to each (II.B.1), before it is brought to 0 … 1."""
    found = np.zeros((len(boxes.height), len(boxes.height)))
    for weight, column in zip(astuple(weights), compared(boxes), strict=True):
        found += weight * column
    return found


def _shared(sets: Sequence[frozenset[Hashable]]) -> FloatArray:
    """Return how many members each two sets have in common."""
    counts = Counter(chain.from_iterable(sets))
    place = {member: at for at, member in enumerate(one for one, count in counts.items() if count > 1)}
    held = np.zeros((len(sets), len(place)), np.float32)  # sums of ones: exact, and half the size
    for row, members in enumerate(sets):
        held[row, [place[member] for member in members if member in place]] = 1
    return (held @ held.T).astype(np.float64)


_SCREEN: Final = 1024.0  # px: the common screen when LBNEST was written (2009)
_LETTER, _LINE = 8.0, 20.0  # px: half the size of 16 px type; 1.25 lines
_INDENTS: Final = {"ul": 40.0, "ol": 40.0, "menu": 40.0, "dd": 40.0, "blockquote": 80.0, "figure": 80.0}
_INDENT: Final = {tags.NUMBERS[name]: pixels for name, pixels in _INDENTS.items()}
#: Elements that may be vertices, where these are nested.
_BOXES: Final = tag_set(tags.BLOCK - tags.numbers("html body"))
_CELLS: Final = tags.numbers("td th")
_SIZES: Final = {"h1": 2.0, "h2": 1.5, "h3": 1.17, "h4": 1.0, "h5": 0.83, "h6": 0.67}
_BOLD: Final = frozenset((*_SIZES, "th"))
_RULES: Final = 32  # classes, and declarations, that are looked at; more are no design but an attack
_DISPLAYS: Final = {"li": "list-item", "td": "table-cell", "th": "table-cell"}


class ClusterNodes(Enum):
    """What the vertices are."""

    BLOCKS = "paragraphs, headings, menu items"
    ELEMENTS = "block-level elements, one inside the other"  # the rendering constraint binds (II.B.2)


class NodeNeighbours(Enum):
    """What makes two nodes neighbours (II.B.1)."""

    TREE = "steps in the tree"
    DISTANCE = "pixels on the screen"


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """The neighbourhood graph of a page: blocks, how each is drawn, and which are neighbours."""

    blocks: Ints
    boxes: NodeBoxes
    near: Bools
    left_out: int  # visible blocks over the cap


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """Blocks of a page in clusters."""

    blocks: Ints  # the nodes: indices of the page's blocks
    label: Ints  # the cluster of each
    cost: float  # of edges cut and kept
    left_out: int  # visible blocks over the cap


def pivot(weight: FloatArray, order: Ints) -> Ints:
    """One trial: each node of the order that is left takes its remaining neighbours of a weight over 1/2."""
    label = np.full(len(order), -1)
    near = weight > 0.5
    for node in order.tolist():
        if label[node] < 0:
            label[near[node] & (label < 0)] = node
            label[node] = node
    return label


def nested_pivot(weight: FloatArray, order: Ints, last: Ints) -> Ints:
    """One trial over nested nodes, those inside node i being i + 1 … last[i] - 1 (II.B.2).

    A node of the order that is left takes its whole subtree, and the remaining neighbours of a weight over 1/2 with
    theirs, where nothing inside them is another's already. A node around parts of one cluster is of it; around parts of
    several, of none (-1).
    """
    label, near = np.full(len(order), -2), weight > 0.5
    for node in order.tolist():
        if label[node] != -2:
            continue
        inside = label[node : last[node]]
        if (inside != -2).any():
            taken = np.unique(inside[inside != -2])
            label[node] = taken[0] if len(taken) == 1 and taken[0] >= 0 and (inside[1:] != -2).all() else -1
            continue
        label[node : last[node]] = node
        for other in np.flatnonzero(near[node] & (label == -2)).tolist():
            if (label[other : last[other]] == -2).all():
                label[other : last[other]] = node
    return label


def objective(weight: FloatArray, neighbours: Bools, label: Ints) -> float:
    """What a clustering costs: the weight of edges cut, and 1 less the weight of those kept."""
    together = (label[:, None] == label[None, :]) & (label >= 0)[:, None]
    return float(np.where(together, 1 - weight, weight)[neighbours].sum() / 2)


def tree_distance(page: Page, element: Ints) -> FloatArray:
    """Return steps in the tree between elements given in document order."""
    parent = page.elements.parent.tolist()
    paths: list[list[int]] = []
    for place in element.tolist():
        path = [place]
        while path[-1] > 0:
            path.append(parent[path[-1]])
        paths.append(path[::-1])
    depth = np.array([len(path) for path in paths])
    shared = np.array([_common(one, other) for one, other in pairwise(paths)], np.int64)
    # In document order, what two elements share is the least that any neighbours between them share.
    low = np.diag(depth)
    for row in range(len(shared)):
        low[row, row + 1 :] = low[row + 1 :, row] = np.minimum.accumulate(shared[row:])
    steps: FloatArray = (depth[:, None] + depth[None, :] - 2 * low).astype(np.float64)
    return steps


def screen_distance(boxes: NodeBoxes) -> FloatArray:
    """Return pixels between boxes; 0 where they touch or overlap."""

    def gap(start: FloatArray, size: FloatArray) -> FloatArray:
        return np.maximum(start[:, None] - (start + size)[None, :], start[None, :] - (start + size)[:, None]).clip(0)

    return np.hypot(gap(boxes.left, boxes.width), gap(boxes.top, boxes.height))


def estimated(page: Page, blocks: Ints) -> NodeBoxes:
    """Return how an unstyled page would be drawn: all blocks below each other, sized by their text."""
    elements, columns = page.elements, page.blocks
    cells = np.bincount(elements.parent[np.isin(elements.tag, list(_CELLS))], minlength=len(elements))
    widths = {0: _SCREEN}

    def width_of(element: int) -> float:
        path = []
        while element not in widths:
            path.append(element)
            element = int(elements.parent[element])
        for inner in reversed(path):
            outer, tag = int(elements.parent[inner]), int(elements.tag[inner])
            share = max(int(cells[outer]), 1) if tag in _CELLS else 1
            widths[inner] = max(widths[outer] / share - _INDENT.get(tag, 0.0), _LETTER)
        return widths[path[0]] if path else widths[element]

    width = np.array([width_of(element) for element in columns.element[blocks].tolist()])
    styles = [_style(page, block) for block in blocks.tolist()]
    size = np.array([float(style["font-size"]) for style in styles])
    height = np.ceil(columns.chars[blocks] * _LETTER * size / width) * _LINE * size
    return NodeBoxes(np.zeros(len(blocks)), np.cumsum(height) - height, width, height, styles)


def _style(page: Page, block: int) -> dict[str, str]:
    """Return the style rules of a block that its tags tell."""
    columns = page.blocks
    return _style_of(page, int(columns.element[block]), columns.link_words[block] * 2 > columns.words[block])


def _style_of(page: Page, element: int, linked: bool) -> dict[str, str]:
    """Return the style rules of an element that its tags tell."""
    name = page.tag_names[page.elements.tag[element]]
    attributes = page.attributes(element)
    style = {
        "font-size": str(_SIZES.get(name, 1.0)),
        "font-weight": "bold" if name in _BOLD else "normal",
        "display": _DISPLAYS.get(name, "block"),
        "color": "link" if linked else "text",
    }
    style |= {f".{word}": "" for word in attributes.get("class", "").split(None, _RULES)[:_RULES]}
    for declaration in attributes.get("style", "").split(";", _RULES)[:_RULES]:
        rule, colon, value = declaration.partition(":")
        if colon and rule.strip().lower() != "font-size":
            style[rule.strip().lower()] = value.strip().lower()
    return style


def _common(one: list[int], other: list[int]) -> int:
    count = 0
    for left, right in zip(one, other, strict=False):
        if left != right:
            break
        count += 1
    return count


NAME: Final = "correlation-clustering"


@checked
@dataclass(frozen=True, slots=True)
class CorrelationClustering:
    """The cluster of like-looking neighbouring blocks that holds most text."""

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
        """Return the neighbourhood graph of the page's blocks: which there are, how they look, and which stand
        together.
        """
        self._check()
        visible = np.flatnonzero(~page.blocks.hidden)
        largest = np.argsort(-page.blocks.chars[visible], kind="stable")[: self.node_cap]
        blocks = np.sort(visible[largest])
        element = page.blocks.element[blocks]
        boxes = estimated(page, blocks) if self.boxes is None else _rows(self.boxes, element)
        return Graph(blocks, boxes, self._near(page, element, boxes), len(visible) - len(blocks))

    def clusters(self, page: Page) -> Clusters:
        """Return all clusters of the page's blocks, by the cheapest trial."""
        graph = self.graph(page)
        blocks, near = graph.blocks, graph.near
        if not len(blocks):
            return Clusters(blocks, blocks, 0.0, 0)
        weight = np.where(near, similarity(graph.boxes, self._weights()).clip(0, 1), 0.0)
        chance = np.random.default_rng(self.seed)
        trials = [pivot(weight, chance.permutation(len(blocks))) for _ in range(self.trials)]
        costs = [objective(weight, near, label) for label in trials]
        best = int(np.argmin(costs))
        return Clusters(blocks, trials[best], costs[best], graph.left_out)

    def __call__(self, page: Page, /) -> Spans:
        """Return the cluster with most text."""
        if self.nodes is ClusterNodes.ELEMENTS:
            return self._of_elements(page)
        found = self.clusters(page)
        if not len(found.blocks):
            return Spans.none(len(page.text))
        text = np.bincount(found.label, page.blocks.chars[found.blocks])
        return page.shown(Spans.of_blocks(page, found.blocks[found.label == np.argmax(text)]))

    def nested(self, page: Page) -> Clusters:
        """Return clusters of block-level elements, one inside the other; `blocks` are elements here, in document
        order.
        """
        self._check()
        elements, blocks = page.elements, page.blocks
        chars = sums(np.where(blocks.hidden, 0, blocks.chars))
        first, last = (np.searchsorted(blocks.first, edge) for edge in (elements.first, elements.last))
        held = chars[last] - chars[np.minimum(first, last)]
        able = np.flatnonzero(among(elements.tag, _BOXES) & (held > 0))
        nodes = np.sort(able[np.argsort(-held[able], kind="stable")[: self.node_cap]])
        if not len(nodes):
            return Clusters(nodes, nodes, 0.0, 0)
        boxes = _drawn(page, nodes) if self.boxes is None else _rows(self.boxes, nodes)
        near = self._near(page, nodes, boxes)
        weight = np.where(near, similarity(boxes, self._weights()).clip(0, 1), 0.0)
        behind = np.searchsorted(elements.start, elements.end, side="left")[nodes]
        ends = np.searchsorted(nodes, behind)
        chance = np.random.default_rng(self.seed)
        trials = [nested_pivot(weight, chance.permutation(len(nodes)), ends) for _ in range(self.trials)]
        costs = [objective(weight, near, label) for label in trials]
        best = int(np.argmin(costs))
        return Clusters(nodes, trials[best], costs[best], len(able) - len(nodes))

    def _of_elements(self, page: Page) -> Spans:
        found = self.nested(page)
        is_node = np.zeros(len(page.elements), np.bool_)
        is_node[found.blocks] = True
        label = np.full(len(page.elements), -1)
        label[found.blocks] = found.label
        mine = label[page.nearest_of(is_node)[page.blocks.element]]  # of each block; what is in no node has none
        mine[page.blocks.hidden] = -1
        if not (mine >= 0).any():
            return Spans.none(len(page.text))
        text = np.bincount(mine[mine >= 0], page.blocks.chars[mine >= 0])
        return page.shown(Spans.of_blocks(page, mine == np.argmax(text)))

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


def _drawn(page: Page, nodes: Ints) -> NodeBoxes:
    """Return how an unstyled page would draw elements: as high as the blocks in them, as wide as the widest of
    these.
    """
    visible = np.flatnonzero(~page.blocks.hidden)
    rows = estimated(page, visible)
    first, last = (
        np.searchsorted(page.blocks.first[visible], edge[nodes]) for edge in (page.elements.first, page.elements.last)
    )
    below = np.append(rows.top, rows.top[-1:] + rows.height[-1:])
    width = np.array([rows.width[one:other].max(initial=0.0) for one, other in zip(first, last, strict=True)])
    styles = [_style_of(page, element, linked=False) for element in nodes.tolist()]
    return NodeBoxes(np.zeros(len(nodes)), below[first], width, below[last] - below[first], styles)


def _rows(boxes: NodeBoxes, element: Ints) -> NodeBoxes:
    """Return the boxes of some elements."""
    styles = [boxes.styles[place] for place in element.tolist()]
    return NodeBoxes(boxes.left[element], boxes.top[element], boxes.width[element], boxes.height[element], styles)
