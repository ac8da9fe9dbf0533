"""Style sheets and hidden text, as the compiled core finds it (`core/src/boundary/sheets.rs`)."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tidings.core import CoreMemory, Handle, library


class Sheet(CoreMemory):
    """Style sheets that the core has read."""

    __slots__ = ("imports_others", "is_empty")

    def __init__(self, handle: int, library: ctypes.CDLL) -> None:
        super().__init__(Handle.SHEET, handle)
        facts = library.tidings_sheet_is_empty(handle)
        self.is_empty, self.imports_others = bool(facts & 1), bool(facts & 2)


def sheet(elements: str) -> Sheet:
    """Read the style sheets of `<style>` and `<link>` elements with NUL between them.

    Raises:
        CoreMissing: there is no core.
    """
    data, compiled = elements.encode("utf-8", "replace"), library()
    return Sheet(compiled.tidings_sheet(data, len(data)), compiled)


def unseen(
    tables: int,
    source: str,
    columns: Sequence[NDArray[np.int64]],
    in_link: NDArray[np.bool_],
    names: Sequence[str],
    text_size: int,
    sheet: Sheet,
    flags: int,
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Find the hidden pieces of a page that Python has scanned, and the elements that are shown all the same.

    Raises:
        CoreError: the core failed.
    """
    arrays = [np.ascontiguousarray(column, np.int64) for column in columns]
    addresses = (ctypes.c_void_p * len(arrays))(*(column.ctypes.data for column in arrays))
    sizes = (ctypes.c_size_t * len(arrays))(*map(len, arrays))
    links = np.ascontiguousarray(in_link)
    codes, lines = source.encode("utf-32-le", "surrogatepass"), "\n".join(names).encode()
    pieces, revealed = np.zeros(len(arrays[4]), np.uint8), np.zeros(6 * len(arrays[0]), np.int64)
    count: int = library().tidings_unseen(
        tables, codes, len(source), addresses, sizes, links.ctypes.data, lines, len(lines), text_size,
        sheet.handle, flags, pieces.ctypes.data, revealed.ctypes.data,
    )  # fmt: skip
    return pieces, revealed[:count]


def ways(tables: int, sheet: int, start_tags: list[str]) -> list[tuple[int, int]]:
    """Return the ways in which start tags hide their elements, and those they take back.

    Raises:
        CoreError: the core failed.
    """
    if not start_tags:
        return []
    told = "\0".join(tag.replace("\0", "\ufffd") for tag in start_tags).encode("utf-8", "replace")
    out = array("B", bytes(2 * len(start_tags)))  # to make a type of this length takes longer than to ask
    library().tidings_ways(sheet, tables, told, len(told), out.buffer_info()[0], len(start_tags))
    return list(zip(out[::2], out[1::2], strict=True))
