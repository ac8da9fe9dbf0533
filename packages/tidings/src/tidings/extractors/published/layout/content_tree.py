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

from tidings.extractors.published.layout.separators import Direction, Parting, Separator, separators
from tidings.extractors.published.layout.visual_blocks import MOST, Cues, VisualBlock, visual_blocks

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
    """Return the tree of a page, divided round by round until every leaf is as coherent as asked for."""
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
    """Return how coherent a part is whose heaviest separator has that weight."""
    return max(1, 9 - int(weight // 2))


def nodes(tree: ContentNode) -> list[ContentNode]:
    """Return all nodes of a tree, each before those inside it."""
    found, left = [], [tree]
    while left:
        found.append(left.pop())
        left += reversed(found[-1].children)
    return found


def leaves(tree: ContentNode) -> list[ContentNode]:
    """Return the nodes of a tree that have no children, in order."""
    return [node for node in nodes(tree) if not node.children]


def _parts(blocks: Sequence[VisualBlock], parted_by: Sequence[Separator]) -> list[list[VisualBlock]]:
    """Return blocks by the stretch between separators of one direction that they are in."""
    horizontal = parted_by[0].direction is Direction.HORIZONTAL
    ends = sorted(separator.end for separator in parted_by)
    parts: list[list[VisualBlock]] = [[] for _ in range(len(ends) + 1)]
    for block in blocks:
        start = block.top if horizontal else block.left
        parts[bisect_right(ends, start)].append(block)
    return [members for members in parts if members]
