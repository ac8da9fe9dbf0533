"""IGTREE: a memory compressed into a decision tree (memory-based thesis 3.2.2 and 6.6.4), built like TiMBL does.

The tree compares one feature after the other, in the order of their weights. A node has the most frequent class of the
instances that reach it; the result is that of the deepest node whose values all match. Numbers are treated as symbols:
a length matches only itself. Nodes that give the same result as their parent are pruned.

Each level of the tree is a set of arrays: the nodes of a level are sorted by parent and value, so that one search moves
all instances of a page one level down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.memory_based.memory import InstanceMemory, Values
from tidings.page.columns import Bools, Ints

_NONE: Final = -1


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """The nodes of an IGTREE at one depth, sorted by parent and by the feature value that leads to them."""

    above: NDArray[np.int32]
    value: NDArray[np.int32]
    chosen: NDArray[np.int16]  # the class of each node

    def __len__(self) -> int:
        return len(self.above)


@dataclass(frozen=True, slots=True, eq=False)
class IGTree:
    """A decision tree that compares features in a fixed order: the order, the default class, and the nodes by depth."""

    order: Ints
    top: int
    levels: tuple[Level, ...]

    def classify(self, values: Values) -> tuple[Ints, Ints]:
        """Return the classes of instances, and the number of matching features of each."""
        classes, depth = np.full(len(values), self.top, np.int64), np.zeros(len(values), np.int64)
        active, node = np.arange(len(values)), np.zeros(len(values), np.int64)
        for number, level in enumerate(self.levels):
            if not len(active) or not len(level):
                break
            values_here = values[active, self.order[number]].astype(np.int64)
            keys = _keys(level.above, level.value)
            query_keys = _keys(node, values_here)
            place = np.minimum(np.searchsorted(keys, query_keys), len(keys) - 1)
            fits = keys[place] == query_keys
            active, node = active[fits], place[fits]
            classes[active] = level.chosen[node]
            depth[active] = number + 1
        return classes, depth

    @property
    def size(self) -> int:
        """Return the number of nodes, including the root."""
        return 1 + sum(map(len, self.levels))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the tree as arrays for a model file."""
        return {
            "tree.order": self.order,
            "tree.top": np.array(self.top),
            "tree.sizes": np.array([len(level) for level in self.levels], np.int64),
            **{
                f"tree.{name}": np.concatenate([getattr(level, name) for level in self.levels] or [np.zeros(0, kind)])
                for name, kind in (("above", np.int32), ("value", np.int32), ("chosen", np.int16))
            },
        }

    @classmethod
    def of_arrays(cls, arrays: Mapping[str, NDArray[Any]]) -> IGTree:
        """Create a tree from stored arrays."""
        ends = np.cumsum(arrays["tree.sizes"])[:-1]
        parts = [np.split(arrays[f"tree.{name}"], ends) for name in ("above", "value", "chosen")]
        levels = tuple(Level(*level) for level in zip(*parts, strict=True) if len(arrays["tree.sizes"]))
        return cls(arrays["tree.order"], int(arrays["tree.top"]), levels)


def grow(memory: InstanceMemory, order: Ints) -> IGTree:
    """Build the decision tree of a memory.

    `order` is the order in which features are compared.
    """
    top = int(memory.decide(memory.totals[None, :])[0][0])
    levels: list[Level] = []
    active, node = np.arange(len(memory)), np.zeros(len(memory), np.int64)
    for feature in order.tolist():
        # A node whose instances have a single class needs no children.
        mixed = _mixed(memory, active, node)
        active, node = active[mixed], node[mixed]
        if not len(active):
            break
        value = memory.values[active, feature].astype(np.int64)
        keys, child = np.unique(_keys(node, value), return_inverse=True)
        chosen = memory.decide(_votes(memory, active, child, len(keys)))[0]
        levels.append(Level((keys >> 32).astype(np.int32), _low(keys), chosen.astype(np.int16)))
        node = child
    return _pruned(IGTree(order, top, tuple(levels)))


def _mixed(memory: InstanceMemory, active: Ints, node: Ints) -> Bools:
    votes = _votes(memory, active, node, int(node.max(initial=-1)) + 1)
    return np.asarray((votes > 0).sum(axis=1)[node] > 1)


def _votes(memory: InstanceMemory, active: Ints, node: Ints, size: int) -> NDArray[np.int64]:
    """Return how often each class occurs at each node."""
    counts = memory.counts[active]
    return np.stack([np.bincount(node, column, size).astype(np.int64) for column in counts.T], axis=1)


def _pruned(tree: IGTree) -> IGTree:
    """Remove leaves that have the same class as their parent, bottom-up; return the smaller tree."""
    levels: list[Level] = []
    below: Level | None = None
    for number in range(len(tree.levels) - 1, -1, -1):
        level = tree.levels[number]
        above = np.array([tree.top]) if number == 0 else tree.levels[number - 1].chosen
        needed = level.chosen != above[level.above]
        if below is not None:
            needed[below.above] = True
        place = np.full(len(level), _NONE, np.int32)
        place[needed] = np.arange(int(needed.sum()), dtype=np.int32)
        if below is not None:
            levels[-1] = Level(place[below.above], below.value, below.chosen)
        below = Level(level.above[needed], level.value[needed], level.chosen[needed])
        levels.append(below)
    remaining = [level for level in reversed(levels) if len(level)]
    return IGTree(tree.order, tree.top, tuple(remaining))


def _keys(node: NDArray[np.integer], value: NDArray[np.integer]) -> Ints:
    """Combine parent node and feature value into one sortable number.

    The value -1 (unknown) becomes greater than all others and matches nothing.
    """
    return (node.astype(np.int64) << 32) | (value.astype(np.int64) & 0xFFFFFFFF)


def _low(keys: Ints) -> NDArray[np.int32]:
    return (keys & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
