"""IGTREE: memory folded into a tree (memory-based thesis 3.2.2 and 6.6.4), as TiMBL builds it.

The tree asks one feature after the other, in the order of their weights. A node holds the class that most of the
instances have that come this far; the answer is that of the deepest node whose values all fit. Numbers are symbols
here: a length fits only itself. What answers no other way than the node above it is not kept.

Levels of the tree are arrays: the children of all nodes of a level lie sorted by node and value, so that one search
takes every instance of a page one step down.
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
    """Nodes of one depth, sorted by the number of the node above and the value that leads here."""

    above: NDArray[np.int32]
    value: NDArray[np.int32]
    chosen: NDArray[np.int16]  # the class of each node

    def __len__(self) -> int:
        return len(self.above)


@dataclass(frozen=True, slots=True, eq=False)
class IGTree:
    """What is asked, the class where nothing fits, and the levels below it."""

    order: Ints
    top: int
    levels: tuple[Level, ...]

    def classify(self, values: Values) -> tuple[Ints, Ints]:
        """Return the classes of instances, and how many features of each fitted."""
        classes, depth = np.full(len(values), self.top, np.int64), np.zeros(len(values), np.int64)
        going, node = np.arange(len(values)), np.zeros(len(values), np.int64)
        for number, level in enumerate(self.levels):
            if not len(going) or not len(level):
                break
            asked = values[going, self.order[number]].astype(np.int64)
            keys = _keys(level.above, level.value)
            wanted = _keys(node, asked)
            place = np.minimum(np.searchsorted(keys, wanted), len(keys) - 1)
            fits = keys[place] == wanted
            going, node = going[fits], place[fits]
            classes[going] = level.chosen[node]
            depth[going] = number + 1
        return classes, depth

    @property
    def size(self) -> int:
        """How many nodes, the top included."""
        return 1 + sum(map(len, self.levels))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """For a file."""
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
        """From a file."""
        ends = np.cumsum(arrays["tree.sizes"])[:-1]
        parts = [np.split(arrays[f"tree.{name}"], ends) for name in ("above", "value", "chosen")]
        levels = tuple(Level(*level) for level in zip(*parts, strict=True) if len(arrays["tree.sizes"]))
        return cls(arrays["tree.order"], int(arrays["tree.top"]), levels)


def grow(memory: InstanceMemory, order: Ints) -> IGTree:
    """Fold a memory into a tree that asks features in this order."""
    top = int(memory.decide(memory.totals[None, :])[0][0])
    levels: list[Level] = []
    going, node = np.arange(len(memory)), np.zeros(len(memory), np.int64)
    for feature in order.tolist():
        # Where all instances of a node have one class, nothing further down can say otherwise.
        mixed = _mixed(memory, going, node)
        going, node = going[mixed], node[mixed]
        if not len(going):
            break
        value = memory.values[going, feature].astype(np.int64)
        keys, child = np.unique(_keys(node, value), return_inverse=True)
        chosen = memory.decide(_votes(memory, going, child, len(keys)))[0]
        levels.append(Level((keys >> 32).astype(np.int32), _low(keys), chosen.astype(np.int16)))
        node = child
    return _pruned(IGTree(order, top, tuple(levels)))


def _mixed(memory: InstanceMemory, going: Ints, node: Ints) -> Bools:
    votes = _votes(memory, going, node, int(node.max(initial=-1)) + 1)
    return np.asarray((votes > 0).sum(axis=1)[node] > 1)


def _votes(memory: InstanceMemory, going: Ints, node: Ints, size: int) -> NDArray[np.int64]:
    """Return how often each class was seen at each node."""
    counts = memory.counts[going]
    return np.stack([np.bincount(node, column, size).astype(np.int64) for column in counts.T], axis=1)


def _pruned(tree: IGTree) -> IGTree:
    """Without nodes that have nothing below them and say what the node above them says, from the bottom up."""
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
    kept = [level for level in reversed(levels) if len(level)]
    return IGTree(tree.order, tree.top, tuple(kept))


def _keys(node: NDArray[np.integer], value: NDArray[np.integer]) -> Ints:
    """Return node and value as one number; a value of -1, never seen, is beyond all others and fits nothing."""
    return (node.astype(np.int64) << 32) | (value.astype(np.int64) & 0xFFFFFFFF)


def _low(keys: Ints) -> NDArray[np.int32]:
    return (keys & 0xFFFFFFFF).astype(np.uint32).view(np.int32)
