"""The compiled `cut`: rules held by the core, what they cut out of the bytes of a page, and what such a piece says."""

from __future__ import annotations

import ctypes
import threading
from array import array
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from tidings.core import CoreMemory, Handle, library, strings
from tidings.core.sheets import Sheet
from tidings.core.strings import ENCODINGS

_NO_ROOM: Final = -2
#: The largest character of those that have so many bytes each.
_LARGEST: Final = {1: 0xFF, 2: 0xFFFF, 4: 0x10FFFF}
#: Numbers before the rows of the blocks of a fragment.
_TEXT_HEAD: Final = 4


class _Room(threading.local):
    """Room that a thread uses again and again: to make it takes longer than to fill it.

    Characters are written into texts of each width that nobody else sees, and what is taken of them is a copy.
    """

    def __init__(self) -> None:
        self.grow(1 << 10, 1 << 16)

    def grow(self, numbers: int, characters: int) -> None:
        """Make room for more."""
        self.most_numbers, self.most_characters = numbers, characters
        self._out: ctypes.Array[ctypes.c_int64] = (ctypes.c_int64 * numbers)()
        self.numbers = memoryview(self._out).cast("B").cast("q")
        # A text longer than the room, for one that is taken as a whole is no copy.
        blank = {width: strings.blank(characters + 1, most) for width, most in _LARGEST.items()}
        made = {width: one for width, one in blank.items() if one is not None}
        self._bytes = ctypes.create_string_buffer(0 if len(made) == len(blank) else 4 * characters)
        self.texts = {width: text for width, (text, _) in made.items()} if not len(self._bytes) else {}
        held = ctypes.addressof(self._bytes)
        places = [at for _, at in made.values()] if self.texts else [held] * len(_LARGEST)
        self.address = (ctypes.c_uint64 * 6)(ctypes.addressof(self._out), numbers, *places, characters)

    def text(self, width: int, size: int) -> str:
        """What was written last."""
        if self.texts:
            return self.texts[width][:size]
        return self._bytes.raw[: size * width].decode(ENCODINGS[width])


_room = _Room()


class AskedOfPictures(NamedTuple):
    """What must be known to tell of the pictures of a fragment (`core/src/fragment_pictures.rs`)."""

    numbers: array[int]  # of tags, and borders
    names: bytes  # of attributes, a line each
    credits: bytes  # words by which a figure may name who made its picture, a line each
    galleries: CoreMemory  # words of start tags


class Fragments:
    """What must be known to read the fragments that rules cut out.

    Args:
        tables: of the scanner.
        roles: what each tag means (`tidings.article.context.Role`), the last for any other tag.
        sets: the sets that each tag is in (`tidings.sites.fragment_text`), as numbers of 16 bits.
        most_tags: of a fragment.
        units: words of units that say something else than their text: Python reads a fragment that holds one; of the
            first, raised text, only where a link may lead to a place of the page.
        words: others with which Python makes the blocks of a fragment, but for the first: that tells of pictures.
        pictures: what must be known of those.

    Raises:
        RuntimeError: there is no core.
    """

    __slots__ = ("_text", "_words", "handle")

    def __init__(
        self,
        tables: int,
        roles: bytes,
        sets: array[int],
        most_tags: int,
        units: CoreMemory,
        words: CoreMemory,
        pictures: AskedOfPictures,
    ) -> None:
        compiled = library()
        self._words = units, words, pictures.galleries
        own, held = sets.buffer_info()[0], (units.handle, words.handle, pictures.galleries.handle)
        said = b"\0".join((pictures.names, pictures.credits))
        asked = pictures.numbers.buffer_info()[0], said, len(said)
        self.handle: int = compiled.tidings_fragments(tables, roles, own, len(sets), most_tags, *held, *asked)
        self._text: Any = compiled.tidings_fragment_text

    def text(self, fragment: bytes, sheet: Sheet) -> BlockTexts | None:
        """What the blocks of a fragment say under the style sheets of its page; None if Python has to tell."""
        found = _called(self._text, self.handle, sheet.handle, fragment)
        if found is None or found.numbers[2] < 0:
            return None
        numbers = found.numbers
        return BlockTexts(found.said, numbers[_TEXT_HEAD : _TEXT_HEAD + 4 * numbers[2]], numbers[3])


class BlockTexts(NamedTuple):
    """What the blocks of a piece of a page say."""

    text: str  # of all, one behind the other
    rows: list[int]  # four numbers of each block, as `core/src/block_texts.rs` writes them
    linked: int  # characters in links, at most


class CutPage(NamedTuple):
    """What rules cut out of a page, as `core/src/boundary/cut.rs` has it: numbers, and texts one behind the other."""

    numbers: list[int]
    said: str


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
        self._memory = CoreMemory(Handle.RULES, handle)
        self._cut: Any = compiled.tidings_cut

    def cut(self, data: bytes, fragments: Fragments | None, origin: str | None = None) -> CutPage | None:
        """What they cut out of a page, and what its main text says, if that is asked for; None if the core gave up.

        Given how addresses begin to which those of the page are relative (nothing, if that is not known), blocks too.
        """
        asked = _TEXT if origin is None else (1, origin.encode(), len(origin))
        return _called(self._cut, self._memory.handle, fragments.handle if fragments else None, data, asked)


_TEXT: Final = (0, None, 0)


def _called(function: Any, first: int, second: int | None, data: bytes, more: tuple[Any, ...] = ()) -> CutPage | None:
    """What a function of the core says of bytes."""
    room = _room
    while (count := function(first, second, data, len(data), room.address, *more)) < 0:
        if count != _NO_ROOM:
            return None
        most = room.numbers[:2].tolist()
        room.grow(max(most[0], room.most_numbers), max(most[1], room.most_characters))
    numbers = room.numbers[:count].tolist()
    return CutPage(numbers, room.text(numbers[0], numbers[1]))
