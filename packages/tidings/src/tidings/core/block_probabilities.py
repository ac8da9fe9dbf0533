"""Features and probabilities of the blocks of a page, computed by the core (`core/src/look.rs`)."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core import CoreMemory, Handle, Scanner, address_of, library, new


class ExpertProbabilities(NamedTuple):
    """The visible blocks of a page, with the probability by each block classifier ("expert")."""

    blocks: NDArray[np.int64]
    words: NDArray[np.int64]
    dates: NDArray[np.float64]  # number of blocks with a date before each block and before the end
    probabilities: list[NDArray[np.float64]]  # by expert


class FeatureRows(NamedTuple):
    """The visible blocks of a page, a row of numbers for each feature, and the positions of the blocks."""

    rows: NDArray[np.float32]  # features × blocks
    blocks: NDArray[np.int64]
    words: NDArray[np.int64]
    low: NDArray[np.int64]  # element e contains the blocks low[e] … high[e] - 1
    high: NDArray[np.int64]
    boxes: NDArray[np.int64]  # levels × blocks: layout boxes around each block, the innermost first
    paths: NDArray[np.int64]  # 2 × blocks: numbers of the short and the long tag path


#: Number of box levels and of tag paths (`core/src/look.rs`).
_BOXES, _PATHS = 6, 2


class Looker:
    """A function of the core that computes block features and probabilities, with its lookup tables. Tables by tag
    number end with an entry for tags outside the HTML standard.
    """

    def __init__(
        self,
        scanner: Scanner,
        marks: NDArray[np.uint8],
        is_layout: NDArray[np.uint8],
        enclosing: NDArray[np.uint8],
        own: NDArray[np.uint16],
        inline: NDArray[np.uint8],
        order: NDArray[np.uint8],
        h1: int,
    ) -> None:
        core = library()
        self._look, self._features = core.tidings_look, core.tidings_features
        self._tables, self._sizes = scanner.tables, ctypes.c_uint64 * 3
        self._look_tables = CoreMemory(
            Handle.LOOK_TABLES, new(Handle.LOOK_TABLES, marks, is_layout, enclosing, own, inline, order, np.array([h1]))
        )

    def look(
        self,
        memory: CoreMemory,
        blocks: int,
        declared: Sequence[str],
        experts: Sequence[CoreMemory],
    ) -> ExpertProbabilities:
        """Return the visible blocks of a page with their probabilities.

        Args:
            memory: the columns of the page.
            blocks: number of blocks.
            declared: title, headline and description.
            experts: the experts in the core's memory.

        Raises:
            CoreError: the core failed on this page.
        """
        size = len(experts)
        handles = (ctypes.c_void_p * size)(*[expert.handle for expert in experts])
        codes, sizes = "".join(declared).encode("utf-32-le", "surrogatepass"), self._sizes(*map(len, declared))
        out = np.empty((3 + size) * blocks + 1, np.int64)
        count: int = self._look(
            memory.handle, self._tables, self._look_tables.handle, codes, sizes, handles, size, address_of(out)
        )
        floats, first = out.view(np.float64), 3 * count + 1
        probabilities = [floats[first + place * count : first + (place + 1) * count] for place in range(size)]
        return ExpertProbabilities(out[:count], out[count : 2 * count], floats[2 * count : first], probabilities)

    def features(
        self, memory: CoreMemory, size: tuple[int, int, int], declared: Sequence[str], expert: CoreMemory
    ) -> FeatureRows:
        """Return the features of the visible blocks of a page.

        Args:
            memory: the columns of the page.
            size: numbers of blocks, elements and features.
            declared: title, headline and description.
            expert: an expert whose weights of names and cue words are used.

        Raises:
            CoreError: the core failed on this page.
        """
        blocks, elements, features = size
        codes, sizes = "".join(declared).encode("utf-32-le", "surrogatepass"), self._sizes(*map(len, declared))
        rows = np.empty(features * blocks, np.float32)
        places = np.empty((2 + _BOXES + _PATHS) * blocks + 2 * elements, np.int64)
        count: int = self._features(
            memory.handle,
            self._tables,
            self._look_tables.handle,
            codes,
            sizes,
            expert.handle,
            rows.ctypes.data,
            places.ctypes.data,
        )
        ends = np.cumsum((count, count, elements, elements, _BOXES * count, _PATHS * count))
        visible, words, low, high, boxes, paths, _ = np.split(places, ends)
        shaped = boxes.reshape(_BOXES, count), paths.reshape(_PATHS, count)
        return FeatureRows(rows[: features * count].reshape(features, count), visible, words, low, high, *shaped)


def feature_table() -> str:
    """Return the table of block features: a header and tab-separated lines.

    Raises:
        CoreMissing: there is no core.
    """
    table: bytes = library().tidings_feature_table()
    return table.decode()


def expert(arrays: Sequence[NDArray[Any]], depth: int, bias: float) -> CoreMemory:
    """Copy an expert into the core.

    Args:
        arrays: hashes and weights of names, then of cue words; features, thresholds and leaves of the trees; then nine
            arrays for each network.
        depth: depth of the trees.
        bias: bias of the trees.

    Raises:
        ValueError: the arrays do not fit together.
    """
    return CoreMemory(Handle.EXPERT, new(Handle.EXPERT, np.array([depth]), np.array([bias], np.float32), *arrays))
