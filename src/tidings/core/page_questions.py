"""What is asked of a page that the core has scanned, and that it answers in one go over all elements or characters."""

from __future__ import annotations

import ctypes
from array import array
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core import CoreMemory, Handle, address_of, free, library

#: Addresses and sizes of the three parts of what a page declares.
_Parts = ctypes.c_uint64 * 6


def nearest(page: CoreMemory, chosen: NDArray[np.bool_]) -> NDArray[np.int64] | None:
    """For each element itself or the nearest chosen element around it, else the document; None if not known."""
    found = np.empty(len(chosen), np.int64)
    chosen = np.ascontiguousarray(chosen)
    refusal: int = library().tidings_nearest(page.handle, chosen.ctypes.data, found.ctypes.data)
    return None if refusal else found


def places(page: CoreMemory, words: tuple[str, ...], most: int) -> list[int] | None:
    """Where words of ASCII stand in the source, word by word, of each at most so many, one behind the other."""
    found = np.empty(len(words) * most, np.int64)
    lines = "\n".join(words).encode()
    count: int = library().tidings_places(page.handle, lines, len(lines), most, address_of(found))
    return None if count < 0 else found[:count].tolist()


class DeclaredTexts(NamedTuple):
    """What elements without text tell, one behind the other, and where others stand."""

    meta: list[str]  # name and content of each meta element in turn
    links: list[str]  # relation and address of each link in turn
    others: list[int]  # which of the tags, where it begins, where it ends; of scripts of JSON-LD what stands in them


def signals(page: CoreMemory, tables: int, tags: array[int]) -> DeclaredTexts | None:
    """What a page declares in elements of six tags (`core/src/signals.rs`); None if Python has to look."""
    core, out = library(), _Parts()
    handle = core.tidings_signals(page.handle, tables, tags.buffer_info()[0], out)
    if not handle:
        return None
    try:
        meta, meta_size, links, links_size, others, others_size = out
        said, led = ctypes.string_at(meta, meta_size), ctypes.string_at(links, links_size)
        places = memoryview(ctypes.string_at(others, 8 * others_size)).cast("q").tolist()
    finally:
        free(Handle.SIGNALS, handle)
    return DeclaredTexts(said.decode("utf-8").split("\0")[:-1], led.decode("utf-8").split("\0")[:-1], places)


class CharacterTable:
    """Bits by character, and where they stand; what is not in the table is like its last."""

    __slots__ = ("address", "bits")

    def __init__(self, bits: NDArray[np.uint8]) -> None:
        self.bits = np.ascontiguousarray(bits)
        self.address = self.bits.ctypes.data


def stretches(
    page: CoreMemory, table: CharacterTable, starts: NDArray[np.int64], ends: NDArray[np.int64]
) -> NDArray[np.int64] | None:
    """Starts and ends, in turn, of stretches of characters in ranges of the text that have the first bit in a table.

    Those that have the third go with them where they stand between two.
    """
    count, ranges = len(starts), np.concatenate((starts, ends))
    out = np.empty(ranges.item(-1) - ranges.item(0) + 1 if count else 0, np.int64)
    at = ranges.ctypes.data
    told = table.address, len(table.bits), at, at + 8 * count, count, out.ctypes.data
    found: int = library().tidings_stretches(page.handle, *told)
    return None if found < 0 else out[:found].copy()


class LineRegions(NamedTuple):
    """Content and code of each line, smoothed; first and last lines of the regions around most content."""

    content: NDArray[np.int64]
    code: NDArray[np.int64]
    smoothed: NDArray[np.int64]
    regions: list[tuple[int, int]]


class LineScan:
    """The lines of a scanned page: five columns over memory of the core."""

    __slots__ = ("_memory", "_page", "columns")

    def __init__(self, page: CoreMemory, memory: CoreMemory, columns: list[NDArray[np.int64]]) -> None:
        self._page, self._memory, self.columns = page, memory, columns

    def counts(self, table: CharacterTable) -> NDArray[np.int64] | None:
        """For each line how many of its characters have the first bit in a table, and how many have the second."""
        out = np.empty((2, len(self.columns[0])), np.int64)
        told = self._page.handle, self._memory.handle, table.address, len(table.bits), out.ctypes.data
        return None if library().tidings_line_counts(*told) else out

    def regions(self, table: CharacterTable, gap: int) -> LineRegions | None:
        """The same, with the code of each line besides the second, and what is made of it with such a gap."""
        size = len(self.columns[0])
        out = np.empty(4 * size + 1, np.int64)  # at most every other line is a region
        told = self._page.handle, self._memory.handle, table.address, len(table.bits), gap, out.ctypes.data
        count: int = library().tidings_line_regions(*told)
        if count < 0:
            return None
        borders = out[3 * size : 3 * size + 2 * count].tolist()
        found = list(zip(borders[0::2], borders[1::2], strict=True))
        return LineRegions(out[:size], out[size : 2 * size], out[2 * size : 3 * size], found)


def lines(page: CoreMemory, length: int, taken_out: tuple[int, int]) -> LineScan | None:
    """The lines of a page that the core has scanned, without the tags of two elements."""
    out = (ctypes.c_uint64 * 8)()
    if library().tidings_lines(page.handle, length, *taken_out, out):
        return None
    handle, numbers, *borders = out
    memory = CoreMemory(Handle.LINES, handle)
    whole = memory.array(numbers, borders[-1], "<i8")
    return LineScan(page, memory, [whole[start:end] for start, end in pairwise(borders)])
