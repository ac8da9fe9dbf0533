"""Correlation clustering on what a browser drew: real heights, widths and styles (LBNEST II.B).

The weights, the pivots and their cost are those of `correlation_clustering`, which estimates sizes and styles where no
browser has drawn the page. The rules compared are those that LBNEST II.B names: colour of the text and of what is
behind it, size, weight and family of the type.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tidings.extractors.parameters import Seed, checked
from tidings.extractors.published.correlation_clustering import CorrelationClustering, NodeNeighbours
from tidings.extractors.published.layout.boxes import Boxes, boxes_of, drawn_text
from tidings.extractors.published.layout.choice import BoxChoice
from tidings.extractors.published.node_similarity import LookWeights
from tidings.extractors.published.node_similarity import NodeBoxes as Sizes
from tidings.page import Page, Spans
from tidings.page.layout import Style

_SHOWN: Final = 40


@checked
@dataclass(frozen=True, slots=True)
class LayoutCorrelation:
    """The cluster of neighbouring blocks that a browser draws alike and that holds most text."""

    weights: LookWeights = field(default_factory=LookWeights)
    neighbours: NodeNeighbours = NodeNeighbours.TREE
    steps: int = 4  # did best on 90 pages of half 0 (10: -0.06); it does not carry over (layout.md)
    pixels: float = 100.0
    trials: int = 8
    seed: Seed = 2009
    node_cap: int = 400
    model: str = ""  # a file of learned weights, as for `correlation-clustering`

    def __call__(self, page: Page, /) -> Spans:
        """Return the cluster with most text."""
        return self.choose(page).spans

    def choose(self, page: Page, /) -> BoxChoice:
        """Return the blocks of that cluster, and all others."""
        boxes = boxes_of(page)
        drawn = page.within(drawn_text(page, boxes))
        method = CorrelationClustering(
            self.weights,
            self.neighbours,
            self.steps,
            self.pixels,
            self.trials,
            self.seed,
            self.node_cap,
            sizes_of(drawn, boxes),
            self.model,
        )
        found = method.clusters(drawn)
        if not len(found.blocks):
            return BoxChoice(Spans.none(len(page.text)), (), (), "nothing with text is drawn")
        text = np.bincount(found.label, drawn.blocks.chars[found.blocks])
        best = found.label == np.argmax(text)
        spans = drawn.shown(Spans.of_blocks(drawn, found.blocks[best]))
        inside, outside = (drawn.blocks.element[found.blocks[which]] for which in (best, ~best))
        count = len(np.unique(found.label))
        said = f"{best.sum()} of {len(best)} blocks, in the largest of {count} clusters"
        return BoxChoice(spans, boxes.rectangles(inside), boxes.rectangles(outside)[:_SHOWN], said)


def sizes_of(page: Page, boxes: Boxes) -> Sizes:
    """What the clustering compares, one row for each element; a block looks as most of its text does."""
    style = boxes.style.copy()
    element, runs = page.blocks.element, page.runs
    chars = runs.text_end - runs.text_start
    for block, (first, last) in enumerate(zip(page.blocks.first.tolist(), page.blocks.last.tolist(), strict=True)):
        looks = boxes.style[runs.element[first:last]]
        style[element[block]] = np.argmax(np.bincount(looks, chars[first:last]))
    behind = backgrounds(page, boxes)
    rules = [_rules(one) for one in boxes.styles]
    styles = [rules[one] | {"background-color": back} for one, back in zip(style.tolist(), behind, strict=True)]
    return Sizes(boxes.left, boxes.top, boxes.right - boxes.left, boxes.bottom - boxes.top, styles)


def backgrounds(page: Page, boxes: Boxes) -> list[str]:
    """Return the colour behind each element: its own, or that of the nearest element around it that has one."""
    own = [boxes.styles[one].background if drawn else "" for one, drawn in zip(boxes.style, boxes.drawn, strict=True)]
    nearest = page.nearest_of(np.array([bool(colour) for colour in own]))
    return [own[element] for element in nearest.tolist()]


def _rules(style: Style) -> dict[str, str]:
    return {
        "color": style.colour,
        "font-size": f"{style.size:g}",
        "font-weight": str(style.weight),
        "font-family": style.family,
    }
