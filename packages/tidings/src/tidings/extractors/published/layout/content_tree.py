"""VIPS, third step: the tree of blocks that follows from the separators.

Source: Cai et al. 2003, 4.3. Blocks on the two sides of the lightest separator are joined first, and so on up to the
heaviest; the lighter its separators, the more coherent a joined block. Joining at the lightest first and splitting at
the heaviest first give the same tree. Here the page is split, because then each part has its own separators, which
separates two columns under a headline. A leaf that is less coherent than required is divided again in its own round.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from tidings.extractors.published.layout.separators import Direction, Separator, SeparatorWeights, separators
from tidings.extractors.published.layout.visual_blocks import MOST, Cues, VisualBlock, visual_blocks

#: Beyond this depth, a pool is split at all separators at once. No real page nests deeper, and the work stays linear.
_LEVELS: Final = 32


@dataclass(slots=True)
class ContentNode:
    """A part of the page: a block, or several blocks with separators between them."""

    blocks: list[VisualBlock]
    coherence: int
    separators: list[Separator] = field(default_factory=list)
    children: list[ContentNode] = field(default_factory=list)

    @property
    def plain(self) -> float:
        """Return the area of the lines of text outside links."""
        return sum(block.plain for block in self.blocks)

    @property
    def linked(self) -> float:
        """Return the area of the lines of text in links."""
        return sum(block.ink - block.plain for block in self.blocks)


def content_tree(cues: Cues, root: int, weights: SeparatorWeights, coherence: int) -> ContentNode:
    """Return the tree of visual blocks of a page, divided in rounds until every leaf is coherent enough.

    Args:
        cues: the properties of the page's elements.
        root: the element to begin with.
        weights: the weights of the cues for separators.
        coherence: the degree of coherence that leaves must reach.
    """
    top = ContentNode(visual_blocks(cues, root), 1)
    count = len(top.blocks)
    pending = [top]
    while pending:
        node = pending.pop()
        lines = [block for block in node.blocks if cues.lines[block.element]]
        part(node, [block for block in node.blocks if not cues.lines[block.element]], lines, weights)
        for leaf in leaves(node):
            divided = [block.coherence < coherence and _can_be_divided(cues, block) for block in leaf.blocks]
            if any(divided) and count < MOST:
                pairs = zip(leaf.blocks, divided, strict=True)
                leaf.blocks = [inner for block, is_divided in pairs for inner in _inside(cues, block, is_divided)]
                count += len(leaf.blocks)
                pending.append(leaf)
    return top


def _can_be_divided(cues: Cues, block: VisualBlock) -> bool:
    return not block.only_text and len(cues.children[block.element]) > 0


def _inside(cues: Cues, block: VisualBlock, divided: bool) -> list[VisualBlock]:
    return visual_blocks(cues, block.element) if divided else [block]


def part(node: ContentNode, blocks: list[VisualBlock], lines: Sequence[VisualBlock], weights: SeparatorWeights) -> None:
    """Build the tree of some blocks below a node: split them at their heaviest separators, then split each part."""
    node.blocks, node.children = blocks, []
    pending = [(node, 0)]
    while pending:
        current, level = pending.pop()
        if len(current.blocks) < 2:
            current.coherence = current.blocks[0].coherence if current.blocks else 10
            continue
        candidates = separators(current.blocks, lines, weights)
        if not candidates:
            current.coherence = min(block.coherence for block in current.blocks)
            continue
        heaviest = max(candidates, key=lambda separator: separator.weight)
        current.separators = [
            separator
            for separator in candidates
            if separator.direction is heaviest.direction and (separator.weight == heaviest.weight or level >= _LEVELS)
        ]
        current.coherence = coherence_of(heaviest.weight)
        current.children = [ContentNode(members, 10) for members in _parts(current.blocks, current.separators)]
        pending += [(child, level + 1) for child in current.children]


def coherence_of(weight: float) -> int:
    """Return the degree of coherence of a part of the page whose heaviest inner separator has this weight."""
    return max(1, 9 - int(weight // 2))


def nodes(tree: ContentNode) -> list[ContentNode]:
    """Return all nodes of a tree in pre-order."""
    result, pending = [], [tree]
    while pending:
        result.append(pending.pop())
        pending += reversed(result[-1].children)
    return result


def leaves(tree: ContentNode) -> list[ContentNode]:
    """Return the leaves of a tree in order."""
    return [node for node in nodes(tree) if not node.children]


def _parts(blocks: Sequence[VisualBlock], borders: Sequence[Separator]) -> list[list[VisualBlock]]:
    """Group blocks that lie between the same two separators."""
    horizontal = borders[0].direction is Direction.HORIZONTAL
    ends = sorted(separator.end for separator in borders)
    parts: list[list[VisualBlock]] = [[] for _ in range(len(ends) + 1)]
    for block in blocks:
        start = block.top if horizontal else block.left
        parts[bisect_right(ends, start)].append(block)
    return [members for members in parts if members]
