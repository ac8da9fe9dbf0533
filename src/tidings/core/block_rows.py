"""The compiled `blocks`: what chosen ranges of a scanned page make, as rows of numbers."""

from __future__ import annotations

import ctypes
from array import array
from typing import NamedTuple

from tidings.core import CoreMemory, Handle, free, library, strings


class BlockRows(NamedTuple):
    """The blocks of chosen text as numbers, row behind row (`core/src/blocks.rs`), and what their inlines say."""

    blocks: memoryview[int]
    inlines: memoryview[int]
    pieces: memoryview[int]  # of preformatted text and of blocks with special runs, or cells of tables of data
    text: str
    whole: str | None  # the text of all of them; None where Python has to make it


#: Numbers in a row of each.
BLOCK_NUMBERS, INLINE_NUMBERS, PIECE_NUMBERS = 10, 3, 4
_OUT = ctypes.c_uint64 * 9


def blocks(
    page: CoreMemory,
    roles: bytes,
    spans: tuple[list[int], list[int]],
    links: tuple[list[int], list[int]],
    tables: list[int],
    roots: list[int],
    specials: list[int],
) -> BlockRows | None:
    """The blocks that ranges of the text of a scanned page make; None if the core does not tell.

    Args:
        page: as it was scanned.
        roles: what each tag means (`tidings.article.context.Role`), the last for any other tag.
        spans: starts and ends of the ranges.
        links: those that hold chosen text, in order, and for each the number of its address, 0 for one that is not
            shown, -1 if it has none.
        tables: those of data, in order.
        roots: elements; what stands around them does not count.
        specials: runs for which something else stands, in order: twice the number of each, one more if that is a text.
    """
    numbers = array("q", (*spans[0], *spans[1], *links[0], *links[1], *tables, *roots, *specials))
    out = _OUT()
    sizes = len(spans[0]), len(links[0]), len(tables), len(roots), len(specials)
    core = library()
    if core.tidings_blocks(page.handle, roles, len(roles), numbers.buffer_info()[0], *sizes, out):
        return None
    handle, rows, found, inlines, pieces, size, bits, whole_size, whole_bits = out
    first = found * BLOCK_NUMBERS
    last = first + inlines * INLINE_NUMBERS
    end = last + pieces * PIECE_NUMBERS
    try:
        told = memoryview(ctypes.string_at(rows, 4 * end)).cast("i")
        said = _said(core, handle, 0, size, bits)
        whole = _said(core, handle, 1, whole_size, whole_bits) if whole_size else None
    finally:
        free(Handle.BLOCKS, handle)
    return BlockRows(told[:first], told[first:last], told[last:], said, whole)


def _said(core: ctypes.CDLL, handle: int, is_whole: int, size: int, bits: int) -> str:
    """What the inlines or all of the blocks say, written where Python holds it, or copied."""
    if not size:
        return ""
    made = strings.blank(size, bits)
    if made is not None:
        core.tidings_blocks_text(handle, is_whole, strings.width(bits), made[1])
        return made[0]
    room = array("I", bytes(4 * size))
    core.tidings_blocks_text(handle, is_whole, 4, room.buffer_info()[0])
    return room.tobytes().decode("utf-32-le")
