"""The compiled core, as Python sees it: `native` has its functions, the other modules what is made of their results.

This package imports nothing of Tidings but its errors. `tidings.page.compiled` hands over the tables of tags and
characters.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core import strings
from tidings.core.native import (
    INSTALL,
    CoreMemory,
    CoreState,
    Handle,
    address_of,
    failed,
    failures,
    free,
    give_back,
    library,
    new,
    state,
)
from tidings.errors import CoreMissing

__all__ = [
    "COLUMNS",
    "CoreMemory",
    "CoreState",
    "Handle",
    "Scanned",
    "Scanner",
    "TellingElements",
    "address_of",
    "failed",
    "failures",
    "free",
    "give_back",
    "library",
    "new",
    "state",
    "tag_words",
]

#: Numbers that `tidings_scan` fills before the beginnings of the columns, and how many columns there are.
_HEAD, COLUMNS = 12, 28
_SCANNED: Final = ctypes.c_uint64 * (_HEAD + COLUMNS + 1)
_TOLD: Final = ctypes.c_uint64 * 3


class Scanned:
    """A page as the core scanned it. Its columns are made where they are asked for: few readers need all of them."""

    __slots__ = ("_borders", "_codes", "_flags", "_hidden", "_names", "_unseen", "_whole", "memory", "sheet", "text")

    def __init__(self, told: list[int], text: str, memory: CoreMemory) -> None:
        _, numbers, flags, codes, names, size, _, names_size, runs, self.sheet, unseen, hidden, *borders = told
        self.text, self.memory = text, memory
        self._borders, self._whole = borders, memory.array(numbers, borders[-1], "<i8")
        self._codes, self._names, self._flags = (codes, size), (names, names_size), (flags, runs)
        self._unseen, self._hidden = (unseen, borders[1] // 2), (hidden, runs)

    def size_of(self, place: int) -> int:
        """How many numbers a column has."""
        return self._borders[place + 1] - self._borders[place]

    def columns(self, *places: int) -> list[NDArray[np.int64]]:
        """Columns by their places (`core/src/columns.rs`)."""
        whole, borders = self._whole, self._borders
        return [whole[borders[at] : borders[at + 1]] for at in places]

    @property
    def runs_size(self) -> int:
        """How many runs there are."""
        return self._flags[1]

    @property
    def in_link(self) -> NDArray[np.bool_]:
        """Whether each run is in a link."""
        return self.memory.array(*self._flags, "|b1")

    @property
    def codes(self) -> NDArray[np.uint32]:
        """The characters of the text."""
        return self.memory.array(*self._codes, "<u4")

    @property
    def names(self) -> tuple[str, ...]:
        """The names of tags outside the standard."""
        address, size = self._names
        return tuple(ctypes.string_at(address, size).decode("utf-8", "surrogatepass").split("\n")[:-1]) if size else ()

    @property
    def unseen(self) -> NDArray[np.uint8]:
        """By piece: 1 if its text is hidden, 2 if it is hidden as a box."""
        return self.memory.array(*self._unseen, "|u1")

    @property
    def hidden(self) -> NDArray[np.bool_]:
        """Whether each run is hidden."""
        return self.memory.array(*self._hidden, "|b1")


class TellingElements(NamedTuple):
    """Elements that hold words in their start tags, and which; those of them that are boxes that show text."""

    elements: NDArray[np.int64]
    words: NDArray[np.uint64]
    boxes: NDArray[np.int64]
    words_of_boxes: NDArray[np.uint64]
    all: int  # the words of the page


class Scanner:
    """The compiled `scan` with the tables of tags, references and characters."""

    def __init__(
        self,
        names: tuple[str, ...],
        starts: NDArray[np.uint8],
        flags: NDArray[np.uint32],
        end_stops: NDArray[np.uint32],
        references: dict[str, str],
        classes: NDArray[np.uint8],
        lower: NDArray[np.uint16],
        max_depth: int,
    ) -> None:
        compiled = library()
        self._text, self._names = compiled.tidings_text, compiled.tidings_names
        self._scan, self._holding = compiled.tidings_scan, compiled.tidings_holding
        self._hashed_words, self._telling = compiled.tidings_hashed_words, compiled.tidings_telling
        called = "\n".join(names).encode()
        meant = "\n".join(f"{name}\t{' '.join(str(ord(one)) for one in text)}" for name, text in references.items())
        told = meant.encode()
        held = [np.ascontiguousarray(column) for column in (starts, flags, end_stops)]  # until they were read
        columns = [column.ctypes.data for column in held]
        classes, lower = np.ascontiguousarray(classes, np.uint8), np.ascontiguousarray(lower, np.uint16)
        self.tables: int = compiled.tidings_tables(
            called, len(called), *columns, told, len(told), classes.ctypes.data, lower.ctypes.data, max_depth
        )
        if not self.tables:
            raise CoreMissing(f"it knows other tags than this version of Tidings; {INSTALL}")

    def scan(
        self,
        source: str,
        most_tags: int,
        *,
        width: int = 0,
        around: CoreMemory | None = None,
    ) -> Scanned:
        """Return the columns of a page.

        Args:
            source: the page.
            most_tags: tags that are read; the rest behind them becomes one that says nothing.
            width: bytes in which the source holds each of its characters, 0 if not known.
            around: the style sheets of the page that this is a fragment of.

        Raises:
            CoreError: the core failed.
        """
        held = strings.address(source) if width else None
        raw, width = strings.units(source) if held is None else (b"", width)
        out = _SCANNED()
        sheet = None if around is None else around.handle
        self._scan(self.tables, held or raw, len(source), width, held is not None, most_tags, sheet, out)
        memory = CoreMemory(Handle.PAGE, out[0], source if held else None)
        return Scanned(out[:], self._text_of(memory, *out[3:7]), memory)

    def _text_of(self, memory: CoreMemory, address: int, _: int, size: int, bits: int) -> str:
        made = strings.blank(size, bits)
        if made is None:
            return ctypes.string_at(address, 4 * size).decode("utf-32-le")
        self._text(memory.handle, strings.width(bits), made[1])
        return made[0]

    def holding(
        self, memory: CoreMemory, elements: int, words: Sequence[CoreMemory], tag: int
    ) -> NDArray[np.uint64] | None:
        """For each of so many elements of a page the words in its start tag, a bit each; a row for each set of words.

        Two sets at most.
        """
        held = np.empty((len(words), elements), np.uint64)
        first, second = words[0].handle, words[1].handle if len(words) > 1 else None
        at = address_of(held)
        refusal: int = self._holding(memory.handle, self.tables, first, second, tag, at, at + 8 * elements)
        return None if refusal else held

    def telling(
        self, memory: CoreMemory, elements: int, words: CoreMemory, others: CoreMemory, inline: bytes
    ) -> tuple[TellingElements, NDArray[np.uint64]] | None:
        """The elements that hold words, and for each of all elements the other words that it holds; None if not known.

        `inline` is for each tag whether its elements are no boxes, the last for any other tag.
        """
        room, held, sizes = np.empty(4 * elements, np.uint64), np.empty(elements, np.uint64), _TOLD()
        at = address_of(room), address_of(held)
        told = words.handle, others.handle, inline, len(inline), *at, sizes
        if self._telling(memory.handle, self.tables, *told):
            return None
        some, boxes, every = sizes
        numbers, first, last = room.view(np.int64), 2 * some, 2 * some + boxes
        found = numbers[:some], room[some:first], numbers[first:last], room[last : last + boxes]
        return TellingElements(*found, every), held

    def hashed_words(self, text: str) -> NDArray[np.uint64]:
        """The words of a text as numbers."""
        numbers = np.empty(len(text), np.uint64)
        codes = text.encode("utf-32-le", "surrogatepass")
        return numbers[: self._hashed_words(self.tables, codes, len(text), numbers.ctypes.data)]

    def names(self, memory: CoreMemory) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """Return the words of the names in the start tags of a page: the spelling each is in, its number.

        Raises:
            CoreError: the core failed.
        """
        out = (ctypes.c_uint64 * 3)()
        self._names(memory.handle, self.tables, out)
        line, word, count = out
        return memory.array(line, count, "<i8"), memory.array(word, count, "<u8")


def tag_words(words: tuple[str, ...]) -> CoreMemory | None:
    """Words to be looked for in start tags; None if they cannot be."""
    lines = "\n".join(words).encode()
    handle = library().tidings_tag_words(lines, len(lines))
    return CoreMemory(Handle.TAG_WORDS, handle) if handle else None
