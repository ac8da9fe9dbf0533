"""The compiled `cut`: rules held by the core, what they cut out of the bytes of a page, and what such a piece says."""

from __future__ import annotations

import ctypes
import threading
from array import array
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from tidings.core import ENCODINGS, CoreMemory, library

_NO_ROOM: Final = -2


class _Scratch(threading.local):
    """Room that a thread uses again and again: to make it takes longer than to fill it."""

    def __init__(self) -> None:
        self.grow(1 << 10, 1 << 16)

    def grow(self, numbers: int, characters: int) -> None:
        """Make room for more."""
        self.out: ctypes.Array[ctypes.c_int64] = (ctypes.c_int64 * numbers)()
        self.text = ctypes.create_string_buffer(characters)


_scratch = _Scratch()


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
        while True:
            out = _scratch.out
            count: int = self._cut(self._memory.handle, data, len(data), out, len(out))
            if count < 0:
                return None
            if count <= len(out):
                found: list[int] = out[:count]
                return found
            _scratch.grow(count, len(_scratch.text))


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
        size: of the source; the text has no more characters, nor blocks.
    """
    scratch = _scratch
    call, sets_at = library().tidings_block_texts, sets.buffer_info()[0]
    while True:
        out, text = scratch.out, scratch.text
        count: int = call(page.handle, roles, sets_at, len(sets), gone, out, len(out), text, len(text))
        if count != _NO_ROOM:
            break
        scratch.grow(4 + 4 * size, 4 * size)
    if count < 0:
        return None
    length, width, linked, is_numbered = out[:4]
    said = ctypes.string_at(text, length * width).decode(ENCODINGS[width])
    return BlockTexts(said, out[4 : 4 + 4 * count], linked, bool(is_numbered))
