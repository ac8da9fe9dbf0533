"""VIPS: the page as a tree of visual blocks, and the block of the story in it.

Cai, Yu, Wen and Ma 2003 (MSR-TR-2003-79); DANA thesis 3.2.5. Blocks by visual cues (`visual_blocks`), the separators
between them (`separators`), the tree that they make (`content_tree`). The thesis notes that VIPS does not say which
block is the content. Decided here: the part of the tree with most text, the area of its links taken off twice; then
down into a part of it, as long as one holds nearly all of the text. The numbers were chosen on other pages than those
of the study.

VIPS, third step: the tree of blocks that the separators make.

Cai et al. 2003, 4.3: blocks on the two sides of the lightest separator are joined first, and so on up to the heaviest;
a joined block is the more coherent the lighter the separators in it are. Joining the lightest first and parting at the
heaviest first give the same tree; here it is parted, for each part then has separators of its own, and two columns
under a headline come apart. A leaf less coherent than asked for is divided once more, in a round of its own.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.layout.boxes import Box, BoxChoice, Boxes, boxes_of, drawn_text
from tidings.extractors.published.layout.visual_blocks import (
    MOST,
    Cues,
    Direction,
    Parting,
    Separator,
    VisualBlock,
    cues_of,
    separators,
    visual_blocks,
)
from tidings.page import Page, Spans

#: Deeper than this, a pool is parted at all its separators at once: no page is designed so, and work stays linear.
_LEVELS: Final = 32


@dataclass(slots=True)
class ContentNode:
    """A part of the page: a block, or several with separators between them."""

    blocks: list[VisualBlock]
    coherence: int
    separators: list[Separator] = field(default_factory=list)
    children: list[ContentNode] = field(default_factory=list)

    @property
    def plain(self) -> float:
        """The area of its lines of text, without links."""
        return sum(block.plain for block in self.blocks)

    @property
    def linked(self) -> float:
        """The area of its lines of text in links."""
        return sum(block.ink - block.plain for block in self.blocks)


def content_tree(cues: Cues, root: int, parting: Parting, coherence: int) -> ContentNode:
    """The tree of a page, divided round by round until every leaf is as coherent as asked for."""
    top = ContentNode(visual_blocks(cues, root), 1)
    count = len(top.blocks)
    left = [top]
    while left:
        node = left.pop()
        lines = [block for block in node.blocks if cues.lines[block.element]]
        part(node, [block for block in node.blocks if not cues.lines[block.element]], lines, parting)
        for leaf in leaves(node):
            divided = [block.coherence < coherence and _can_be_divided(cues, block) for block in leaf.blocks]
            if any(divided) and count < MOST:
                both = zip(leaf.blocks, divided, strict=True)
                leaf.blocks = [inner for block, again in both for inner in _inside(cues, block, again)]
                count += len(leaf.blocks)
                left.append(leaf)
    return top


def _can_be_divided(cues: Cues, block: VisualBlock) -> bool:
    return not block.only_text and len(cues.children[block.element]) > 0


def _inside(cues: Cues, block: VisualBlock, divided: bool) -> list[VisualBlock]:
    return visual_blocks(cues, block.element) if divided else [block]


def part(node: ContentNode, blocks: list[VisualBlock], lines: Sequence[VisualBlock], parting: Parting) -> None:
    """Fill a node with the tree of some blocks: parted at the heaviest separators, and each part again."""
    node.blocks, node.children = blocks, []
    left = [(node, 0)]
    while left:
        one, level = left.pop()
        if len(one.blocks) < 2:
            one.coherence = one.blocks[0].coherence if one.blocks else 10
            continue
        found = separators(one.blocks, lines, parting)
        if not found:
            one.coherence = min(block.coherence for block in one.blocks)
            continue
        heaviest = max(found, key=lambda separator: separator.weight)
        one.separators = [
            separator
            for separator in found
            if separator.direction is heaviest.direction and (separator.weight == heaviest.weight or level >= _LEVELS)
        ]
        one.coherence = coherence_of(heaviest.weight)
        one.children = [ContentNode(members, 10) for members in _parts(one.blocks, one.separators)]
        left += [(child, level + 1) for child in one.children]


def coherence_of(weight: float) -> int:
    """How coherent a part is whose heaviest separator has that weight."""
    return max(1, 9 - int(weight // 2))


def nodes(tree: ContentNode) -> list[ContentNode]:
    """All nodes of a tree, each before those inside it."""
    found, left = [], [tree]
    while left:
        found.append(left.pop())
        left += reversed(found[-1].children)
    return found


def leaves(tree: ContentNode) -> list[ContentNode]:
    """The nodes of a tree that have no children, in order."""
    return [node for node in nodes(tree) if not node.children]


def _parts(blocks: Sequence[VisualBlock], parted_by: Sequence[Separator]) -> list[list[VisualBlock]]:
    """Blocks by the stretch between separators of one direction that they are in."""
    horizontal = parted_by[0].direction is Direction.HORIZONTAL
    ends = sorted(separator.end for separator in parted_by)
    parts: list[list[VisualBlock]] = [[] for _ in range(len(ends) + 1)]
    for block in blocks:
        start = block.top if horizontal else block.left
        parts[bisect_right(ends, start)].append(block)
    return [members for members in parts if members]


_SHOWN: Final = 60


@checked
@dataclass(frozen=True, slots=True)
class VIPS:
    """The visual block with most of the page's text: blocks by tag, colour, size and type, and what parts them."""

    coherence: int = 6  # asked of every leaf ("permitted degree of coherence"), 1 to 10
    small: float = 0.05  # share of the page's area below which a block with text is not divided
    links: float = 2.0  # how often the area of links is taken off that of the other text
    share: float = 0.8  # of a part's text that the next part must hold, for the way down to go on
    parting: Parting = field(default_factory=Parting)

    def __call__(self, page: Page, /) -> Spans:
        """The text of the block."""
        return self.choose(page).spans

    def tree(self, page: Page, boxes: Boxes) -> ContentNode:
        """The content structure of the page."""
        if not 1 <= self.coherence <= 10 or not 0 <= self.small <= 1 or not 0 < self.share <= 1 or self.links < 0:
            raise BadParameter(
                f"coherence is {self.coherence} (1 to 10), small {self.small} (0 to 1), share {self.share} (0 to 1), "
                f"links {self.links} (from 0 on)"
            )
        drawn = np.flatnonzero(boxes.drawn)
        root = int(drawn[0]) if len(drawn) else 0
        return content_tree(cues_of(page, boxes, self.small), root, self.parting, self.coherence)

    def choose(self, page: Page, /) -> BoxChoice:
        """The block, and the other leaves of the tree."""
        boxes = boxes_of(page)
        tree = self.tree(page, boxes)
        node = max(nodes(tree), key=lambda one: one.plain - self.links * one.linked)  # of equal ones the outermost
        while node.children:
            largest = max(node.children, key=lambda child: child.plain)
            if not largest.plain or largest.plain < self.share * node.plain:
                break
            node = largest
        mine = leaves(node)
        others = [leaf for leaf in leaves(tree) if all(leaf is not one for one in mine)]
        inside = len(mine)
        said = f"{inside} of {inside + len(others)} visual blocks, coherence {node.coherence}"
        return BoxChoice(_text(page, boxes, node), _around([node]), _around(others)[:_SHOWN], said)


def _text(page: Page, boxes: Boxes, node: ContentNode) -> Spans:
    """The text of the blocks of a node; of a divided element only what stands directly in it."""
    whole = [block.element for block in node.blocks if not block.only_text]
    direct = np.zeros(len(boxes.drawn), np.bool_)
    direct[[block.element for block in node.blocks if block.only_text]] = True
    spans = Spans.of_elements(page, whole) | Spans.of_runs(page, direct[page.runs.element])
    return spans & drawn_text(page, boxes)


def _around(nodes: list[ContentNode]) -> tuple[Box, ...]:
    """The box around the blocks of each node."""
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
