"""The core's part in the look of the learned extractor: what experts say of the blocks of a page."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core import CoreMemory, Handle, Scanner, address_of, library


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


class FeatureRows(NamedTuple):
    """The visible blocks of a page, a row of numbers for each feature, and where the blocks stand."""

    rows: NDArray[np.float32]  # features × blocks
    blocks: NDArray[np.int64]
    words: NDArray[np.int64]
    low: NDArray[np.int64]  # element e holds the blocks low[e] … high[e] - 1
    high: NDArray[np.int64]
    boxes: NDArray[np.int64]  # levels × blocks: the layout boxes around each block, from the nearest outwards
    paths: NDArray[np.int64]  # 2 × blocks: the number of the short and of the long path of tags


#: Levels of boxes around a block, and paths of tags (`core/src/look.rs`).
_BOXES, _PATHS = 6, 2


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
        self._features = core.tidings_features
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
    ) -> BlockLooks:
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
        first, floats = 3 * count + 1, out.view(np.float64)
        last = first + size * count
        taken = out[last + size :].view(np.bool_)
        looks = []
        for place, expected in enumerate(floats[last : last + size].tolist()):
            chance, both = floats[first + place * count : first + (place + 1) * count], 2 * place * count
            plain, careful = taken[both : both + count], taken[both + count : both + 2 * count]
            looks.append((chance, ExpertChoice(expected, plain, careful)))
        return BlockLooks(out[:count], out[count : 2 * count], floats[2 * count : first], looks)

    def features(
        self,
        memory: CoreMemory,
        size: tuple[int, int, int],
        hidden: NDArray[np.bool_] | None,
        declared: Sequence[str],
        expert: CoreMemory,
        probabilities: NDArray[np.float64] | None,
    ) -> FeatureRows:
        """Return the features of the visible blocks in the first look, or those that only the second look has.

        Args:
            memory: the columns of the page.
            size: the numbers of its blocks, of its elements, and of features.
            hidden: which of its runs are hidden; None if the core has found that out itself.
            declared: title, headline and description.
            expert: weighs names and cue words.
            probabilities: of the first look, for the features of the second.

        Raises:
            CoreError: the core failed on this page.
        """
        blocks, elements, features = size
        codes, sizes = "".join(declared).encode("utf-32-le", "surrogatepass"), self._sizes(*map(len, declared))
        rows = np.empty(features * blocks, np.float32)
        places = np.empty((2 + _BOXES + _PATHS) * blocks + 2 * elements, np.int64)
        unseen = None if hidden is None else np.ascontiguousarray(hidden)
        first = None if probabilities is None else np.ascontiguousarray(probabilities, np.float64)
        count: int = self._features(
            memory.handle,
            self._tables,
            self._look_tables,
            None if unseen is None else unseen.ctypes.data,
            codes,
            sizes,
            expert.handle,
            None if first is None else first.ctypes.data,
            0 if first is None else len(first),
            rows.ctypes.data,
            places.ctypes.data,
        )
        ends = np.cumsum((count, count, elements, elements, _BOXES * count, _PATHS * count))
        visible, words, low, high, boxes, paths, _ = np.split(places, ends)
        shaped = boxes.reshape(_BOXES, count), paths.reshape(_PATHS, count)
        return FeatureRows(rows[: features * count].reshape(features, count), visible, words, low, high, *shaped)


def feature_table() -> str:
    """Return the table of features: a header, and a line for each with tabs between its columns.

    Raises:
        CoreMissing: there is no core.
    """
    table: bytes = library().tidings_feature_table()
    return table.decode()


def expert(arrays: list[NDArray[Any]], depths: tuple[int, int], biases: tuple[float, float]) -> CoreMemory | None:
    """An expert from the numbers and weights of names and of cues, and of two ensembles features, borders, leaves."""
    held = [np.ascontiguousarray(array) for array in arrays]
    told = np.array([(array.ctypes.data, array.size) for array in held], np.uint64)
    handle = library().tidings_expert(told.ctypes.data, *depths, *biases)
    return CoreMemory(Handle.EXPERT, handle) if handle else None
