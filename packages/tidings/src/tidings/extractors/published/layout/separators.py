"""VIPS, second step: the white space between blocks, and how strongly it separates them.

Source: Cai et al. 2003, 4.2. A separator is a horizontal or vertical stripe that no block crosses. The report starts
with one stripe as large as the pool of blocks and splits, trims or removes stripes block by block; stripes at the
border of the pool are dropped. The remaining stripes are the gaps in the projections of the blocks, so sorting finds
them.

The weight of a separator grows with its width, if a line is drawn in it, if the backgrounds on its two sides differ,
and, for horizontal ones, if the fonts differ, even more if the font below is larger. It shrinks if both sides are text
of the same kind. The report gives no numbers; ours were chosen on other pages than those of the study.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

import numpy as np

from tidings.extractors.published.layout.visual_blocks import VisualBlock


class Direction(Enum):
    """The direction of a separator."""

    HORIZONTAL = "horizontal"  # separates blocks above from blocks below
    VERTICAL = "vertical"


@dataclass(frozen=True, slots=True)
class Separator:
    """A horizontal or vertical stripe of the page that no block crosses, with its weight as a separator."""

    direction: Direction
    start: float
    end: float
    weight: float


@dataclass(frozen=True, slots=True)
class SeparatorWeights:
    """How much each property of a separator contributes to its weight."""

    pixels: float = 10.0  # of width per point
    widest: float = 16.0  # points for width, at most
    line: float = 5.0
    background: float = 4.0
    type: float = 2.0
    larger_below: float = 1.0
    same_kind: float = -2.0  # text of the same kind on both sides


def separators(
    blocks: Sequence[VisualBlock], lines: Sequence[VisualBlock], weights: SeparatorWeights
) -> list[Separator]:
    """Return the separators between blocks, with their weights.

    Args:
        blocks: the blocks to separate.
        lines: the horizontal rules of the page.
        weights: the weights of the properties of separators.
    """
    result = []
    for direction in Direction:
        extents = [_extent(block, direction) for block in blocks]
        stripes = gaps(extents)
        if not stripes:
            continue
        line_positions = [sum(_extent(line, direction)) / 2 for line in lines]
        before: dict[float, VisualBlock] = {}  # by their end; of several the block with most text
        after: dict[float, VisualBlock] = {}
        for block, (first, last) in zip(blocks, extents, strict=True):
            before[last] = max(before.get(last, block), block, key=_box_text)
            after[first] = max(after.get(first, block), block, key=_box_text)
        for start, end in stripes:
            has_line = any(start <= position <= end for position in line_positions)
            weight = weigh(direction, end - start, has_line, before[start], after[end], weights)
            result.append(Separator(direction, start, end, weight))
    return result


def gaps(extents: Sequence[tuple[float, float]]) -> list[tuple[float, float]]:
    """Return the gaps that none of the ranges (start, end) covers, in order."""
    if not extents:
        return []
    begin, end = np.array(sorted(extents)).T
    reach = np.maximum.accumulate(end)
    gap_indices = np.flatnonzero(begin[1:] > reach[:-1])
    return list(zip(reach[gap_indices].tolist(), begin[gap_indices + 1].tolist(), strict=True))


def _extent(block: VisualBlock, direction: Direction) -> tuple[float, float]:
    return (block.top, block.bottom) if direction is Direction.HORIZONTAL else (block.left, block.right)


def weigh(
    direction: Direction,
    width: float,
    has_line: bool,
    before: VisualBlock,
    after: VisualBlock,
    weights: SeparatorWeights,
) -> float:
    """Return the weight of a separator, at least 0.

    Args:
        direction: whether it is horizontal or vertical.
        width: its width in pixels.
        has_line: whether a line is drawn in it.
        before: the block above or to the left.
        after: the block below or to the right.
        weights: the weights of the properties of separators.
    """
    weight = min(width / weights.pixels, weights.widest) + (weights.line if has_line else 0.0)
    same = before.background == after.background
    if not same:
        weight += weights.background
    if direction is Direction.HORIZONTAL and before.is_text and after.is_text:
        if (before.size, before.weight) != (after.size, after.weight):
            weight += weights.type + (weights.larger_below if after.size > before.size else 0.0)
        elif same:
            weight += weights.same_kind
    return max(weight, 0.0)


def _box_text(block: VisualBlock) -> float:
    return block.plain
