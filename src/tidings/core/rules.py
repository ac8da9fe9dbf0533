"""The compiled `cut`: the rules of a template held by the core, and what they cut out of the bytes of a page."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Sequence
from typing import Any, Final

from tidings.core import CoreMemory, library

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
