"""The compiled `cut`: rules held by the core, what they cut out of the bytes of a page, and what such a piece says."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from tidings.core import ENCODINGS, CoreMemory, library

#: Numbers that most answers have no more of.
_ROOM: Final = 256


class PageRules:
    """Rules that the core holds. They are written as numbers, and texts whose lengths are among the numbers.

    Raises:
        RuntimeError: there is no core, or they are not whole.
    """

    __slots__ = ("_cut", "_memory")

    def __init__(self, numbers: Sequence[int], texts: bytes) -> None:
        compiled = library()
        written = array("q", numbers)
        handle = compiled.tidings_rules(written.buffer_info()[0], len(written), texts, len(texts))
        if not handle:
            raise RuntimeError("the rules are not whole")
        self._memory = CoreMemory(handle, compiled.tidings_rules_free)
        self._cut: Any = compiled.tidings_cut

    def cut(self, data: bytes) -> list[int] | None:
        """What they cut out of a page, as `core/src/cut.rs` writes it; None if the core gave up."""
        room = _ROOM
        while True:
            out = (ctypes.c_int64 * room)()
            count: int = self._cut(self._memory.handle, data, len(data), out, room)
            if count < 0:
                return None
            if count <= room:
                found: list[int] = out[:count]
                return found
            room = count


class BlockTexts(NamedTuple):
    """What the blocks of a piece of a page say."""

    text: str  # of all, one behind the other
    rows: list[int]  # four numbers of each block, as `core/src/block_texts.rs` writes them
    linked: int  # characters in links, at most
    is_numbered: bool  # some list has numbers


def block_texts(page: CoreMemory, roles: bytes, sets: array[int], gone: bytes, size: int) -> BlockTexts | None:
    """What the blocks of a scanned page say; None if Python has to tell.

    Args:
        page: as it was scanned.
        roles: what each tag means (`tidings.article.context.Role`).
        sets: the sets that each tag is in (`tidings.sites.fragment_text`), as numbers of 16 bits.
        gone: for each spelling of start tags whether it hides what it holds.
        size: of the source; no text is longer, and a block has a character.
    """
    room = 4 + 4 * (size // 4 + 1)
    out, text = (ctypes.c_int64 * room)(), ctypes.create_string_buffer(4 * size)
    count: int = library().tidings_block_texts(
        page.handle, roles, sets.buffer_info()[0], len(sets), gone, out, room, text, 4 * size
    )
    if count < 0:
        return None
    length, width, linked, is_numbered = out[:4]
    said = ctypes.string_at(text, length * width).decode(ENCODINGS[width])
    return BlockTexts(said, out[4 : 4 + 4 * count], linked, bool(is_numbered))
