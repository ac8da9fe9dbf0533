"""Facts for predicting the kind of a page, computed by the core (`core/src/kinds.rs`)."""

from __future__ import annotations

import ctypes
from array import array

import numpy as np
from numpy.typing import NDArray

from tidings.core.native import CoreMemory, Handle, library, new

#: Number of block figures of a page, which precede those of its elements (`core/src/kinds.rs`).
_SIZES = 19


class KindWords:
    """Weights of words for each kind of page.

    Args:
        numbers: hashes of the words.
        weights: words × kinds.
        tags: the tags of elements to count.
    """

    def __init__(self, numbers: NDArray[np.uint64], weights: NDArray[np.float32], tags: NDArray[np.int64]) -> None:
        kinds = weights.shape[1]
        self._memory = CoreMemory(
            Handle.KIND_WORDS,
            new(Handle.KIND_WORDS, numbers, weights.astype(np.float32, copy=False), np.array([kinds])),
        )
        self._tags, self._weigh = array("q", tags.tolist()), library().tidings_kind_facts
        self._figures, self._weights = ctypes.c_double * (_SIZES + len(tags)), ctypes.c_float * kinds

    def weigh(self, page: CoreMemory, tables: int, text: str) -> tuple[list[float], list[float]]:
        """Return the weight of names and text words for each kind of page, and figures of the page.

        Args:
            page: the columns of the page.
            tables: the tables that it was scanned with.
            text: the text.

        Raises:
            CoreError: the core failed on this page.
        """
        figures, weights = self._figures(), self._weights()
        codes, (tags_at, tags) = text.encode("utf-32-le", "surrogatepass"), self._tags.buffer_info()
        handle = self._memory.handle
        self._weigh(page.handle, tables, handle, tags_at, tags, codes, len(text), weights, figures)
        return weights[:], figures[:]
