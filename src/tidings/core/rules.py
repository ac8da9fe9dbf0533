"""The compiled `cut`: rules held by the core, what they cut out of the bytes of a page, and what such a piece says."""

from __future__ import annotations

import ctypes
import threading
from array import array
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from tidings.core import CoreMemory, Sheet, library
from tidings.core.strings import ENCODINGS

_NO_ROOM: Final = -2
_TEXT_HEAD: Final = 5  # numbers before the rows of the blocks


class _Scratch(threading.local):
    """Room that a thread uses again and again: to make it takes longer than to fill it."""

    def __init__(self) -> None:
        self.grow(1 << 10, 1 << 16)

    def grow(self, numbers: int, characters: int) -> None:
        """Make room for more."""
        self.out: ctypes.Array[ctypes.c_int64] = (ctypes.c_int64 * numbers)()
        self.numbers = memoryview(self.out).cast("B").cast("q")
        self.unsigned = memoryview(self.out).cast("B").cast("Q")
        self.text = ctypes.create_string_buffer(characters)


_scratch = _Scratch()


class Fragments:
    """What must be known to read the fragments that rules cut out.

    Args:
        tables: of the scanner.
        roles: what each tag means (`tidings.article.context.Role`), the last for any other tag.
        sets: the sets that each tag is in (`tidings.sites.fragment_text`), as numbers of 16 bits.
        most_tags: of a fragment.
        units: words of units that say something else than their text: Python reads a fragment that holds one.

    Raises:
        RuntimeError: there is no core.
    """

    __slots__ = ("_text", "_units", "handle")

    def __init__(self, tables: int, roles: bytes, sets: array[int], most_tags: int, units: CoreMemory) -> None:
        compiled = library()
        self._units = units
        own = sets.buffer_info()[0]
        self.handle: int = compiled.tidings_fragments(tables, roles, own, len(sets), most_tags, units.handle)
        self._text: Any = compiled.tidings_fragment_text

    def text(self, fragment: bytes, sheet: Sheet) -> BlockTexts | None:
        """What the blocks of a fragment say under the style sheets of its page; None if Python has to tell."""
        found = _called(self._text, self.handle, sheet.handle, fragment)
        return found and found.text


class BlockTexts(NamedTuple):
    """What the blocks of a piece of a page say."""

    text: str  # of all, one behind the other
    rows: list[int]  # four numbers of each block, as `core/src/block_texts.rs` writes them
    hashes: list[int]  # of what each says (`tidings.sites.noise`)
    linked: int  # characters in links, at most
    is_rightwards: bool  # no character is of a script that runs leftwards


class CutRanges(NamedTuple):
    """What rules cut out of a page."""

    text: BlockTexts | None  # what the main text says; None if Python has to tell
    said: str  # what fields say, one behind the other
    ranges: list[int]  # as `core/src/cut.rs` writes them


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

    def cut(self, data: bytes, fragments: Fragments | None) -> CutRanges | None:
        """What they cut out of a page, and what its main text says, if that is asked for; None if the core gave up."""
        return _called(self._cut, self._memory.handle, fragments.handle if fragments else None, data)


def _called(function: Any, first: int, second: int | None, data: bytes) -> CutRanges | None:
    """What a function of the core says of bytes."""
    scratch = _scratch
    while True:
        out, text = scratch.out, scratch.text
        count: int = function(first, second, data, len(data), out, len(out), text, len(text))
        if count >= 0:
            break
        if count != _NO_ROOM:
            return None
        scratch.grow(max(out[0], len(out)), max(out[1], len(text)))
    numbers = scratch.numbers
    blocks, size, width, linked, leftwards = numbers[:_TEXT_HEAD].tolist()
    said = ctypes.string_at(text, size * width).decode(ENCODINGS[width])
    if blocks < 0:
        return CutRanges(None, said, numbers[_TEXT_HEAD:count].tolist())
    behind = _TEXT_HEAD + 4 * blocks
    rows, hashes = numbers[_TEXT_HEAD:behind].tolist(), scratch.unsigned[behind : behind + blocks].tolist()
    end = rows[-4] if blocks else 0
    texts = BlockTexts(said[:end], rows, hashes, linked, not leftwards)
    return CutRanges(texts, said[end:], numbers[behind + blocks : count].tolist())
