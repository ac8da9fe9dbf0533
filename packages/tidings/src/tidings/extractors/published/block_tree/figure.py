"""The decision tree for display: as text in Weka's format, and as a drawing like the hybrid paper's figure 5."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings import charts
from tidings.extractors.published.block_tree.features import FEATURES, TAGS, BlockClass
from tidings.extractors.published.block_tree.tree import LEAF, BlockDecisionTree

_ROW, _COLUMN, _TOP, _EDGE = 22.0, 210.0, 40.0, 12.0
_COLOURS: Final = ("#1b7837", "#2166ac", "#b35806", "#666666")
#: Nominal values to list before "and … more".
_NAMES: Final = 4


@dataclass(frozen=True, slots=True)
class TreeBranch:
    """A node for display: the condition that leads to it, its label, and its children."""

    condition: str  # "≤ 0.25"; empty for the root
    label: str  # the feature that is compared, or the class with its counts
    kind: BlockClass  # the most frequent class here
    children: tuple[TreeBranch, ...]

    @property
    def rows(self) -> int:
        """Return the number of leaves, which is the number of lines in the display."""
        return sum(child.rows for child in self.children) or 1


def branch(tree: BlockDecisionTree, depth: int, node: int = 0, condition: str = "") -> TreeBranch:
    """Return a decision tree for display, down to a given depth.

    Deeper nodes are shown as a leaf with their most frequent class. Counts are in Weka's notation: all instances at the
    node, and after the slash those of other classes.
    """
    counts = _counts_below(tree, node)
    kind = BlockClass(int(counts.argmax()))
    errors = counts.sum() - counts.max()
    label = f"{kind.label} ({counts.sum():,.0f}{f'/{errors:,.0f}' if errors else ''})"
    if tree.feature[node] == LEAF or not depth:
        return TreeBranch(condition, label if tree.feature[node] == LEAF else f"{label} …", kind, ())
    children = [branch(tree, depth - 1, child, child_condition) for child, child_condition in _conditions(tree, node)]
    name = FEATURES[tree.feature[node]].upper().replace("_", "-")
    return TreeBranch(condition, name, kind, tuple(_merged(children)))


def _counts_below(tree: BlockDecisionTree, node: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return the number of training instances of each class at a node: the sum over its leaves."""
    if tree.feature[node] == LEAF:
        return np.asarray(tree.counts[node])
    total = np.zeros(tree.counts.shape[1])
    for child, _ in _conditions(tree, node):
        total += _counts_below(tree, child)
    return total


def _conditions(tree: BlockDecisionTree, node: int) -> Iterator[tuple[int, str]]:
    first, feature = int(tree.first[node]), FEATURES[tree.feature[node]]
    for place in range(int(tree.ways[node])):
        if not np.isnan(tree.border[node]):
            yield first + place, f"{'>' if place else '≤'} {tree.border[node]:.4g}"
        elif feature == "tn":
            yield first + place, f"= {TAGS[place].upper()}"
        else:
            yield first + place, f"= {'yes' if place else 'no'}"


def _merged(children: list[TreeBranch]) -> list[TreeBranch]:
    """Merge leaves of the same class into one branch with several values: tags have thirty children."""
    if len(children) <= 2:
        return children
    leaves: dict[BlockClass, list[str]] = {}
    for child in children:
        if not child.children and not child.label.endswith("…"):
            leaves.setdefault(child.kind, []).append(child.condition.removeprefix("= "))
    result = [child for child in children if child.children or child.label.endswith("…")]
    for kind, names in leaves.items():
        values = ", ".join(names[:_NAMES]) + (f" and {len(names) - _NAMES} more" if len(names) > _NAMES else "")
        result.append(TreeBranch(f"= {values}", kind.label, kind, ()))
    return result


def printed(top: TreeBranch, indent: str = "") -> Iterator[str]:
    """Yield a line for each branch, indented like Weka prints a tree."""
    for child in top.children:
        yield f"{indent}{top.label} {child.condition}" + ("" if child.children else f": {child.label}")
        yield from printed(child, f"{indent}|   ")


def drawn(top: TreeBranch, title: str) -> str:
    """Return the tree as an `<svg>` element with the root on the left and a row for each leaf."""
    parts = [charts.text(_EDGE, 20, title, more=' font-weight="600"')]
    _place(top, 0, _TOP + _ROW / 2, parts)
    width = _EDGE * 2 + _COLUMN * (_depth(top) + 1) + 120
    style = ' style="width:100%;height:auto;font:12px system-ui,sans-serif"'
    return charts.picture(title, width, _TOP + _ROW * top.rows + _EDGE, parts, style)


def _depth(node: TreeBranch) -> int:
    return 1 + max(map(_depth, node.children)) if node.children else 0


def _place(node: TreeBranch, depth: int, top: float, parts: list[str]) -> float:
    """Draw a node and its subtree as SVG, to the right of its parent; return the node's vertical position.

    Args:
        node: the node.
        depth: its depth in the tree.
        top: the upper edge of the space for the subtree.
        parts: the SVG elements, to which this function appends.
    """
    left = _EDGE + depth * _COLUMN
    child_heights = []
    at = top
    for child in node.children:
        child_heights.append(_place(child, depth + 1, at, parts))
        at += child.rows * _ROW
    height = (child_heights[0] + child_heights[-1]) / 2 if child_heights else top
    for child_height, child in zip(child_heights, node.children, strict=True):
        middle, right = left + 0.42 * _COLUMN, left + _COLUMN
        curve = f"C{right - 40:.1f} {height:.1f} {middle:.1f} {child_height:.1f} {right - 6:.1f} {child_height:.1f}"
        parts.append(charts.path(f"M{middle:.1f} {height:.1f}{curve}", "#bbb"))
        parts.append(charts.text(right - 10, child_height - 4, child.condition, "end", ' font-size="10" fill="#555"'))
    leaf = "" if node.children else f' fill="{_COLOURS[node.kind]}"'
    parts.append(charts.text(left, height + 4, node.label, more=leaf or ' font-weight="600"'))
    return height
