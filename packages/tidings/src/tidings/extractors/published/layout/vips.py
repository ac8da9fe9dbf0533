"""VIPS, vision-based page segmentation: the page as a tree of visual blocks, and the block of the story in it.

Source: Cai, Yu, Wen and Ma 2003 (MSR-TR-2003-79); DANA thesis 3.2.5. The steps are in `visual_blocks`, `separators` and
`content_tree`. The thesis notes that VIPS does not say which block is the content. Decided here: start at the part of
the tree with most text, minus twice the area of its links; then go down into a child as long as it contains nearly all
of the text. The numbers were chosen on other pages than those of the study.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.layout.boxes import Box, Boxes, boxes_of, drawn_text
from tidings.extractors.published.layout.choice import BoxChoice
from tidings.extractors.published.layout.content_tree import ContentNode, content_tree, leaves, nodes
from tidings.extractors.published.layout.separators import SeparatorWeights
from tidings.extractors.published.layout.visual_blocks import cues_of
from tidings.page import Page, Spans

_SHOWN: Final = 60


@checked
@dataclass(frozen=True, slots=True)
class VIPS:
    """The visual block with most of the page's text, by tags, colours, sizes, fonts and separators."""

    coherence: int = 6  # of every leaf, at least ("permitted degree of coherence"), 1 to 10
    small: float = 0.05  # share of the page's area below which a block with text is not divided
    links: float = 2.0  # factor by which the area of links is subtracted from that of other text
    share: float = 0.8  # share of a part's text that a child needs to replace it
    weights: SeparatorWeights = field(default_factory=SeparatorWeights)

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the visual block with most text."""
        return self.choose(page).spans

    def tree(self, page: Page, boxes: Boxes) -> ContentNode:
        """Return the tree of visual blocks of a page."""
        if not 1 <= self.coherence <= 10 or not 0 <= self.small <= 1 or not 0 < self.share <= 1 or self.links < 0:
            raise BadParameter(
                f"coherence is {self.coherence} (1 to 10), small {self.small} (0 to 1), share {self.share} (0 to 1), "
                f"links {self.links} (from 0 on)"
            )
        drawn = np.flatnonzero(boxes.drawn)
        root = int(drawn[0]) if len(drawn) else 0
        return content_tree(cues_of(page, boxes, self.small), root, self.weights, self.coherence)

    def choose(self, page: Page, /) -> BoxChoice:
        """Return the box of the selected block, and the other leaves of the tree."""
        boxes = boxes_of(page)
        tree = self.tree(page, boxes)
        node = max(
            nodes(tree), key=lambda candidate: candidate.plain - self.links * candidate.linked
        )  # of equal ones the outermost
        while node.children:
            largest = max(node.children, key=lambda child: child.plain)
            if not largest.plain or largest.plain < self.share * node.plain:
                break
            node = largest
        selected = leaves(node)
        rejected = [leaf for leaf in leaves(tree) if all(leaf is not candidate for candidate in selected)]
        count = len(selected)
        reason = f"{count} of {count + len(rejected)} visual blocks, coherence {node.coherence}"
        return BoxChoice(_text(page, boxes, node), _bounding_boxes([node]), _bounding_boxes(rejected)[:_SHOWN], reason)


def _text(page: Page, boxes: Boxes, node: ContentNode) -> Spans:
    """Return the text of the blocks under a node of the tree. An element that is itself divided into blocks contributes
    only its direct text.
    """
    undivided = [block.element for block in node.blocks if not block.only_text]
    direct = np.zeros(len(boxes.drawn), np.bool_)
    direct[[block.element for block in node.blocks if block.only_text]] = True
    spans = Spans.of_elements(page, undivided) | Spans.of_runs(page, direct[page.runs.element])
    return spans & drawn_text(page, boxes)


def _bounding_boxes(nodes: list[ContentNode]) -> tuple[Box, ...]:
    """Return the bounding box of each node's blocks."""
    return tuple(
        (
            min(block.left for block in node.blocks),
            min(block.top for block in node.blocks),
            max(block.right for block in node.blocks),
            max(block.bottom for block in node.blocks),
        )
        for node in nodes
        if node.blocks
    )
