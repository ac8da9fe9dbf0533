"""The core's part in the look of the learned extractor: what experts say of the blocks of a page."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core import CoreMemory, Scanner, address_of, library


class ExpertChoice(NamedTuple):
    """Which blocks to take by the chances of one expert, and the F measure to be expected."""

    expected: float
    plain: NDArray[np.bool_]
    careful: NDArray[np.bool_]  # of a story


class BlockLooks(NamedTuple):
    """The visible blocks of a page, and what each expert says of them."""

    blocks: NDArray[np.int64]
    words: NDArray[np.int64]
    dates: NDArray[np.float64]  # how many blocks with a date stand before each, and before the end
    looks: list[tuple[NDArray[np.float64], ExpertChoice]]  # the chance of each block


class Looker:
    """The compiled `look` with what it must know of tags and marks: columns by tag, the last for any other tag."""

    def __init__(
        self,
        scanner: Scanner,
        marks: NDArray[np.uint8],
        is_layout: NDArray[np.uint8],
        around: NDArray[np.uint8],
        own: NDArray[np.uint16],
        inline: NDArray[np.uint8],
        order: NDArray[np.uint8],
        h1: int,
    ) -> None:
        core = library()
        self._look, self._tables, self._sizes = core.tidings_look, scanner.tables, ctypes.c_uint64 * 3
        columns = [np.ascontiguousarray(column) for column in (is_layout, around, own, inline, order)]
        marks = np.ascontiguousarray(marks)
        self._look_tables = core.tidings_look_tables(
            marks.ctypes.data, len(is_layout), *(column.ctypes.data for column in columns), h1
        )

    def look(
        self,
        memory: CoreMemory,
        blocks: int,
        hidden: NDArray[np.bool_] | None,
        declared: Sequence[str],  # title, headline and description
        experts: list[CoreMemory],
        choice: tuple[float, float, float],  # what recall weighs, the words of a middling story and of a long one
    ) -> BlockLooks | None:
        """What experts say of the visible ones of so many blocks; `hidden` is None where the core has told it."""
        size = len(experts)
        handles = (ctypes.c_void_p * size)(*[expert.handle for expert in experts])
        codes, sizes = "".join(declared).encode("utf-32-le", "surrogatepass"), self._sizes(*map(len, declared))
        out = np.empty((3 + size) * blocks + 1 + size + (2 * size * blocks + 7) // 8, np.int64)
        unseen = None if hidden is None else np.ascontiguousarray(hidden)
        at, known = address_of(out), None if unseen is None else unseen.ctypes.data
        count: int = self._look(
            memory.handle, self._tables, self._look_tables, known, codes, sizes, handles, size, *choice, at
        )
        if count < 0:
            return None
        first, floats = 3 * count + 1, out.view(np.float64)
        last = first + size * count
        taken = out[last + size :].view(np.bool_)
        looks = []
        for place, expected in enumerate(floats[last : last + size].tolist()):
            chance, both = floats[first + place * count : first + (place + 1) * count], 2 * place * count
            plain, careful = taken[both : both + count], taken[both + count : both + 2 * count]
            looks.append((chance, ExpertChoice(expected, plain, careful)))
        return BlockLooks(out[:count], out[count : 2 * count], floats[2 * count : first], looks)


def expert(arrays: list[NDArray[Any]], depths: tuple[int, int], biases: tuple[float, float]) -> CoreMemory | None:
    """An expert from the numbers and weights of names and of cues, and of two ensembles features, borders, leaves."""
    held = [np.ascontiguousarray(array) for array in arrays]
    told = np.array([(array.ctypes.data, array.size) for array in held], np.uint64)
    handle = library().tidings_expert(told.ctypes.data, *depths, *biases)
    return CoreMemory(handle, library().tidings_expert_free) if handle else None
