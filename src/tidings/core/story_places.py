"""What stands in and beside chosen text, found by the core in one go (`core/src/story_places.rs`), and its pictures."""

from __future__ import annotations

import ctypes
from array import array
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tidings.core import CoreMemory, Handle, free, library

_OUT, _NUMBERS_OUT = ctypes.c_uint64 * 3, ctypes.c_uint64 * 2


def story_places(
    page: CoreMemory,
    runs: int,
    asked: array[int],
    spans: tuple[bytes, ...],
    hidden: NDArray[np.bool_] | None,
    held: NDArray[np.uint64],
    *,
    with_pictures: bool,
) -> tuple[NDArray[np.bool_], list[int]] | None:
    """What stands in and beside chosen text: which runs are chosen, and numbers; None if Python has to look.

    Args:
        page: as it was scanned.
        runs: how many it has.
        asked: the numbers of tags that are asked for, and borders for captions.
        spans: starts and ends of what is shown, then those of all that was chosen, as numbers of eight bytes.
        hidden: which of its runs nobody sees; None where the core knows.
        held: the words in the start tag of each element, a bit each, one behind the other.
        with_pictures: whether somebody asks for them.
    """
    out = _OUT()
    core = library()
    unseen = None if hidden is None else np.ascontiguousarray(hidden)
    handle = core.tidings_story_places(
        page.handle,
        asked.buffer_info()[0],
        b"".join(spans),
        len(spans[0]) // 8,
        len(spans[2]) // 8,
        None if unseen is None else unseen.ctypes.data,
        held.__array_interface__["data"][0],  # `ctypes.data` takes three times as long
        with_pictures,
        out,
    )
    if not handle:
        return None
    flags, address, size = out
    try:
        chosen = np.frombuffer(ctypes.string_at(flags, runs), np.bool_)
        return chosen, memoryview(ctypes.string_at(address, 8 * size)).cast("q").tolist()
    finally:
        free(Handle.STORY_PLACES, handle)


def read_pictures(
    page: CoreMemory, tables: int, sheet: int, elements: array[int], names: bytes, known: array[int]
) -> list[int] | None:
    """What start tags of pictures show or say, and whether they are seen (`core/src/picture_tags.rs`); None if unknown.

    Args:
        page: as it was scanned.
        tables: with which it was.
        sheet: its style sheets, 0 where Python has to look.
        elements: the pictures.
        names: attributes that are asked for, a line each; behind empty lines words of addresses that Python judges.
        known: two tags of elements that are not shown whatever else they say, those of offers and of what they stand
            in; how large dots and icons are; whether paths are seen from an origin.
    """
    out = _NUMBERS_OUT()
    where, count = elements.buffer_info()
    told = (where, count, names, len(names), known.buffer_info()[0], out)
    handle = library().tidings_read_pictures(page.handle, tables, sheet or None, *told)
    return _numbers(handle, out)


def data_cells(page: CoreMemory, sets: array[int]) -> list[int] | None:
    """Table, cell and row of each cell of the tables of data of a page (`core/src/data_tables.rs`); None if unknown.

    Args:
        page: as it was scanned.
        sets: those that each tag is in, as numbers of 16 bits, the last for any other tag.
    """
    out = _NUMBERS_OUT()
    where, count = sets.buffer_info()
    handle = library().tidings_data_cells(page.handle, where, count, out)
    return _numbers(handle, out)


def _numbers(handle: int | None, out: Any) -> list[int] | None:
    """The numbers that the core has made, after which it forgets them; None if it has none."""
    if not handle:
        return None
    address, size = out
    try:
        found: list[int] = memoryview(ctypes.string_at(address, 8 * size)).cast("q").tolist()
    finally:
        free(Handle.NUMBERS, handle)
    return found
