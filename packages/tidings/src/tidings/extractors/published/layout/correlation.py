"""Correlation clustering with the heights, widths and styles that a browser renders (LBNEST II.B).

Weights, trials and costs are those of `correlation_clustering`, which otherwise estimates sizes and styles. The style
rules compared are those that LBNEST II.B names: colour of text and background, font size, weight and family.
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
    """The cluster of neighbouring, similarly rendered blocks that has most text."""

    weights: LookWeights = field(default_factory=LookWeights)
    neighbours: NodeNeighbours = NodeNeighbours.TREE
    steps: int = 4  # best on 90 pages of half 0 (10: -0.06); not confirmed on others (layout.md)
    pixels: float = 100.0
    trials: int = 8
    seed: Seed = 2009
    node_cap: int = 400
    model: str = ""  # a file of learned weights, as for `correlation-clustering`

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the cluster with most text."""
        return self.choose(page).spans

    def choose(self, page: Page, /) -> BoxChoice:
        """Return the boxes of the cluster with most text, and those of all other blocks."""
        boxes = boxes_of(page)
        rendered = page.within(drawn_text(page, boxes))
        method = CorrelationClustering(
            self.weights,
            self.neighbours,
            self.steps,
            self.pixels,
            self.trials,
            self.seed,
            self.node_cap,
            sizes_of(rendered, boxes),
            self.model,
        )
        clusters = method.clusters(rendered)
        if not len(clusters.blocks):
            return BoxChoice(Spans.none(len(page.text)), (), (), "nothing with text is drawn")
        text = np.bincount(clusters.label, rendered.blocks.chars[clusters.blocks])
        best = clusters.label == np.argmax(text)
        spans = rendered.shown(Spans.of_blocks(rendered, clusters.blocks[best]))
        selected, rejected = (rendered.blocks.element[clusters.blocks[which]] for which in (best, ~best))
        count = len(np.unique(clusters.label))
        reason = f"{best.sum()} of {len(best)} blocks, in the largest of {count} clusters"
        return BoxChoice(spans, boxes.rectangles(selected), boxes.rectangles(rejected)[:_SHOWN], reason)


def sizes_of(page: Page, boxes: Boxes) -> Sizes:
    """Return size and style of each element; the style of a block is that of most of its text."""
    style = boxes.style.copy()
    element, runs = page.blocks.element, page.runs
    chars = runs.text_end - runs.text_start
    for block, (first, last) in enumerate(zip(page.blocks.first.tolist(), page.blocks.last.tolist(), strict=True)):
        run_styles = boxes.style[runs.element[first:last]]
        style[element[block]] = np.argmax(np.bincount(run_styles, chars[first:last]))
    colours = backgrounds(page, boxes)
    rules = [_rules(style) for style in boxes.styles]
    styles = [rules[index] | {"background-color": back} for index, back in zip(style.tolist(), colours, strict=True)]
    return Sizes(boxes.left, boxes.top, boxes.right - boxes.left, boxes.bottom - boxes.top, styles)


def backgrounds(page: Page, boxes: Boxes) -> list[str]:
    """Return the background colour of each element: its own, or that of the nearest ancestor with a colour."""
    own = [
        boxes.styles[index].background if drawn else "" for index, drawn in zip(boxes.style, boxes.drawn, strict=True)
    ]
    nearest = page.nearest_of(np.array([bool(colour) for colour in own]))
    return [own[element] for element in nearest.tolist()]


def _rules(style: Style) -> dict[str, str]:
    return {
        "color": style.colour,
        "font-size": f"{style.size:g}",
        "font-weight": str(style.weight),
        "font-family": style.family,
    }
