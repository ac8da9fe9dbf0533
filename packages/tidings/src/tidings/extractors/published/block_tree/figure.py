"""The decision tree to look at: printed as Weka prints one, and drawn as in the hybrid paper's figure 5."""

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
#: More names are not written out.
_NAMES: Final = 4


@dataclass(frozen=True, slots=True)
class TreeBranch:
    """A node as it is shown: what leads to it, what it asks or says, and what hangs on it."""

    way: str  # "≤ 0.25"; empty for the root
    says: str  # the feature that is asked, or the class with its counts
    kind: BlockClass  # the class that most instances have here
    inside: tuple[TreeBranch, ...]

    @property
    def rows(self) -> int:
        """Lines that it takes: one for each leaf."""
        return sum(one.rows for one in self.inside) or 1


def branch(tree: BlockDecisionTree, depth: int, node: int = 0, way: str = "") -> TreeBranch:
    """Return the upper part of a tree. What lies deeper is shown as a leaf, with what it says for most of its
    instances.

    Counts are as Weka writes them: those that come here, and behind the stroke those that are of another class.
    """
    counts = _below(tree, node)
    kind = BlockClass(int(counts.argmax()))
    wrong = counts.sum() - counts.max()
    said = f"{kind.label} ({counts.sum():,.0f}{f'/{wrong:,.0f}' if wrong else ''})"
    if tree.feature[node] == LEAF or not depth:
        return TreeBranch(way, said if tree.feature[node] == LEAF else f"{said} …", kind, ())
    inside = [branch(tree, depth - 1, to, told) for to, told in _ways(tree, node)]
    name = FEATURES[tree.feature[node]].upper().replace("_", "-")
    return TreeBranch(way, name, kind, tuple(_joined(inside)))


def _below(tree: BlockDecisionTree, node: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Return instances of each class at a node: its own if it is a leaf, else those of its leaves."""
    if tree.feature[node] == LEAF:
        return np.asarray(tree.counts[node])
    total = np.zeros(tree.counts.shape[1])
    for to, _ in _ways(tree, node):
        total += _below(tree, to)
    return total


def _ways(tree: BlockDecisionTree, node: int) -> Iterator[tuple[int, str]]:
    first, feature = int(tree.first[node]), FEATURES[tree.feature[node]]
    for place in range(int(tree.ways[node])):
        if not np.isnan(tree.border[node]):
            yield first + place, f"{'>' if place else '≤'} {tree.border[node]:.4g}"
        elif feature == "tn":
            yield first + place, f"= {TAGS[place].upper()}"
        else:
            yield first + place, f"= {'yes' if place else 'no'}"


def _joined(inside: list[TreeBranch]) -> list[TreeBranch]:
    """Leave of several names that say the same class as one: tags have thirty ways on."""
    if len(inside) <= 2:
        return inside
    leaves: dict[BlockClass, list[str]] = {}
    for one in inside:
        if not one.inside and not one.says.endswith("…"):
            leaves.setdefault(one.kind, []).append(one.way.removeprefix("= "))
    shown = [one for one in inside if one.inside or one.says.endswith("…")]
    for kind, names in leaves.items():
        said = ", ".join(names[:_NAMES]) + (f" and {len(names) - _NAMES} more" if len(names) > _NAMES else "")
        shown.append(TreeBranch(f"= {said}", kind.label, kind, ()))
    return shown


def printed(top: TreeBranch, indent: str = "") -> Iterator[str]:
    """Yield a line for each way, indented, as Weka prints a tree."""
    for one in top.inside:
        yield f"{indent}{top.says} {one.way}" + ("" if one.inside else f": {one.says}")
        yield from printed(one, f"{indent}|   ")


def drawn(top: TreeBranch, title: str) -> str:
    """Return the tree as an `<svg>` element, the root to the left, a row for each leaf."""
    parts = [charts.text(_EDGE, 20, title, more=' font-weight="600"')]
    _place(top, 0, _TOP + _ROW / 2, parts)
    width = _EDGE * 2 + _COLUMN * (_deepest(top) + 1) + 120
    style = ' style="width:100%;height:auto;font:12px system-ui,sans-serif"'
    return charts.picture(title, width, _TOP + _ROW * top.rows + _EDGE, parts, style)


def _deepest(one: TreeBranch) -> int:
    return 1 + max(map(_deepest, one.inside)) if one.inside else 0


def _place(one: TreeBranch, depth: int, top: float, parts: list[str]) -> float:
    """Draw a node and what hangs on it from a height on; the height at which it stands itself."""
    left = _EDGE + depth * _COLUMN
    heights = []
    at = top
    for inner in one.inside:
        heights.append(_place(inner, depth + 1, at, parts))
        at += inner.rows * _ROW
    here = (heights[0] + heights[-1]) / 2 if heights else top
    for height, inner in zip(heights, one.inside, strict=True):
        middle, right = left + 0.42 * _COLUMN, left + _COLUMN
        parts.append(charts.path(f"M{middle:.1f} {here:.1f}C{right - 40:.1f} {here:.1f} {middle:.1f} {height:.1f} "
                                 f"{right - 6:.1f} {height:.1f}", "#bbb"))  # fmt: skip
        parts.append(charts.text(right - 10, height - 4, inner.way, "end", ' font-size="10" fill="#555"'))
    leaf = "" if one.inside else f' fill="{_COLOURS[one.kind]}"'
    parts.append(charts.text(left, here + 4, one.says, more=leaf or ' font-weight="600"'))
    return here
