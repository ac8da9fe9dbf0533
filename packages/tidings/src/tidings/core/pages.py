"""Pages as the core scans them: their columns, and the scanner that makes them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core.native import ENCODINGS, INSTALL, CoreMemory, Handle, address_of, library, new
from tidings.errors import CoreMissing

Ints = NDArray[np.int64]

#: Numbers that the core fills before the borders of the columns.
_HEAD: Final = 14
_TOLD: Final = ctypes.c_uint64 * 3


class IntegerColumn:
    """A column of a page, made when it is first read. Its place in memory is its place among the declarations."""

    __slots__ = ("name", "place")

    def __set_name__(self, owner: type[PageColumns], name: str) -> None:
        self.name, self.place = name, len(owner.names)
        owner.names.append(name)

    def __get__(self, columns: PageColumns, owner: type[PageColumns]) -> Ints:
        """Return the array, which stays with the columns."""
        array: Ints = columns.column(self.place)
        columns.__dict__[self.name] = array
        return array


class BesideColumn:
    """An array beside the columns, made when it is first read."""

    __slots__ = ("kind", "name")

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __set_name__(self, owner: type[PageColumns], name: str) -> None:
        self.name = name

    def __get__(self, columns: PageColumns, owner: type[PageColumns]) -> NDArray[Any]:
        """Return the array, which stays with the columns."""
        array = columns.memory.array(*columns.buffers[self.name], self.kind)
        columns.__dict__[self.name] = array
        return array


class PageColumns:
    """The columns of a page, or of a part of one, in the memory of the core.

    Args:
        head: what the core filled.
        utf8: the source in UTF-8.
        text: the canonical text of the page; None to make it from the memory.
        around: the style sheets of the page that this is a fragment of.
    """

    names: Final[list[str]] = []
    #: How many columns there are. `core/src/columns.rs` describes them and declares them in the same order.
    COUNT: Final = 28

    bounds = IntegerColumn()
    codes = IntegerColumn()
    tag = IntegerColumn()
    parent = IntegerColumn()
    depth = IntegerColumn()
    opened = IntegerColumn()
    closed = IntegerColumn()
    owner = IntegerColumn()
    element_start = IntegerColumn()
    element_end = IntegerColumn()
    first = IntegerColumn()
    last = IntegerColumn()
    piece = IntegerColumn()
    run_start = IntegerColumn()
    run_end = IntegerColumn()
    text_start = IntegerColumn()
    text_end = IntegerColumn()
    block = IntegerColumn()
    run_words = IntegerColumn()
    block_first = IntegerColumn()
    block_element = IntegerColumn()
    block_words = IntegerColumn()
    block_link_words = IntegerColumn()
    spelling = IntegerColumn()
    spelled = IntegerColumn()
    revealed = IntegerColumn()
    run_elements = IntegerColumn()
    block_last = IntegerColumn()

    in_link = BesideColumn("|b1")  # by run whether it is text of a link
    hidden = BesideColumn("|b1")  # by run whether it is hidden
    hidden_pieces = BesideColumn("|u1")  # by piece: 1 if its text is hidden, 2 if it is hidden as a box
    text_codes = BesideColumn("<u4")  # the characters of the text

    def __init__(
        self,
        head: list[int],
        utf8: bytes | None = None,
        text: str | None = None,
        around: CoreMemory | None = None,
    ) -> None:
        handle, numbers, flags, codes, names, size, names_size, runs, sheet, unseen, hidden, *others = head
        source, source_size, width, *borders = others
        self.memory = CoreMemory(Handle.PAGE, handle)
        self._source = source, source_size * width, ENCODINGS[width]
        # CPython decodes UTF-32 more slowly than UTF-8, and the other two two to three times as fast.
        self.utf8 = utf8 if width == 4 else None
        self.sheet: int = sheet if around is None else around.handle
        self.around = around
        self._borders, self._numbers = borders, self.memory.array(numbers, borders[-1], "<i8")
        self._tag_names = names, names_size
        self.buffers = {
            "in_link": (flags, runs),
            "hidden": (hidden, runs),
            "hidden_pieces": (unseen, self._size("owner")),
            "text_codes": (codes, size),
        }
        self.text = _text(self.text_codes) if text is None else text
        self.runs_size = runs

    def column(self, place: int) -> Ints:
        """Return a column by its place."""
        return self._numbers[self._borders[place] : self._borders[place + 1]]

    def _size(self, name: str) -> int:
        place = self.names.index(name)
        return self._borders[place + 1] - self._borders[place]

    @property
    def elements_size(self) -> int:
        """How many elements there are."""
        return self._size("tag")

    @property
    def blocks_size(self) -> int:
        """How many blocks there are."""
        return self._size("block_first")

    @property
    def reveals(self) -> bool:
        """Whether hidden elements count as visible because a script will show them."""
        return self._size("revealed") > 0

    @property
    def source(self) -> str:
        """The source, made anew from the memory."""
        if self.utf8 is not None:
            return self.utf8.decode()
        address, size, encoding = self._source
        return str(self.memory.array(address, size, "|u1").data, encoding)

    @property
    def tag_names(self) -> tuple[str, ...]:
        """The names of tags outside the standard."""
        address, size = self._tag_names
        return tuple(ctypes.string_at(address, size).decode("utf-8", "surrogatepass").split("\n")[:-1]) if size else ()


_PAGE: Final = ctypes.c_uint64 * (_HEAD + PageColumns.COUNT + 1)


def _text(codes: NDArray[np.uint32]) -> str:
    """Return characters as a str, through the narrowest encoding that holds them: it is decoded fastest."""
    most = codes.max(initial=0)
    if most < 0x100:
        return str(codes.astype(np.uint8).data, "latin-1")
    if most < 0x1_0000:
        return str(codes.astype("<u2").data, "utf-16-le")
    return str(codes.data, "utf-32-le")


class ElementsWithWords(NamedTuple):
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
        self._names = compiled.tidings_names
        self._scan, self._tag_words = compiled.tidings_scan, compiled.tidings_tag_words
        self._elements_with_words = compiled.tidings_elements_with_words
        lines = (f"{name}\t{' '.join(str(ord(character)) for character in text)}" for name, text in references.items())
        tags = "\n".join(names).encode(), starts, flags, end_stops
        characters = "\n".join(lines).encode(), classes, lower
        try:
            handle = new(Handle.TABLES, *tags, *characters, np.array([max_depth]))
        except ValueError:
            raise CoreMissing(f"it knows other tags than this version of Tidings; {INSTALL}") from None
        self._tables = CoreMemory(Handle.TABLES, handle)
        self.tables = self._tables.handle

    def scan(
        self, source: bytes, most_tags: int, around: CoreMemory | None = None, *, width: int = 0, size: int = 0
    ) -> PageColumns:
        """Return the columns of a page.

        Args:
            source: the page in UTF-8.
            most_tags: tags that are read; the rest behind them becomes one that says nothing.
            around: the style sheets of the page that this is a fragment of.
            width: bytes of a character in the narrowest str that holds the page; 0 if not known.
            size: how many characters the page has, where `width` is known.

        Raises:
            CoreError: the core failed.
        """
        out = _PAGE()
        self._scan(self.tables, source, len(source), width, size, most_tags, around and around.handle, out)
        return PageColumns(out[:], source, around=around)

    def part(
        self, page: PageColumns, runs: Ints, text_start: Ints, text_end: Ints, start: Ints, end: Ints
    ) -> PageColumns:
        """Return the columns of a part of a page.

        Args:
            page: the page.
            runs: the runs that the part has text of, in order; a run is there as often as it has pieces in the part.
            text_start: where each such piece begins in the text.
            text_end: where it ends there.
            start: where it begins in the source.
            end: where it ends there.

        Raises:
            CoreError: the core failed.
        """
        cut, out = np.concatenate((runs, text_start, text_end, start, end)), _PAGE()
        library().tidings_part(page.memory.handle, self.tables, address_of(cut), len(runs), out)
        return PageColumns(out[:], page.utf8, page.text, page.around)

    def tag_words(self, page: PageColumns, words: Sequence[CoreMemory], tag: int = 0) -> list[NDArray[np.uint64]]:
        """Return for each element of a page the words in its start tag, a bit each, for one or two sets of words.

        Raises:
            CoreError: the core failed.
        """
        held = np.empty((len(words), page.elements_size), np.uint64)
        first, second = words[0].handle, words[1].handle if len(words) > 1 else None
        at = address_of(held)
        self._tag_words(page.memory.handle, self.tables, first, second, tag, at, at + 8 * page.elements_size)
        return list(held)

    def elements_with_words(
        self, page: PageColumns, words: CoreMemory, others: CoreMemory | None, inline: bytes
    ) -> tuple[ElementsWithWords, NDArray[np.uint64]]:
        """Return the elements that have words in their start tags, and for each of all elements its other words.

        `inline` is for each tag whether its elements are no boxes, the last for any other tag.

        Raises:
            CoreError: the core failed.
        """
        elements = page.elements_size
        room, held, sizes = np.empty(4 * elements, np.uint64), np.empty(elements, np.uint64), _TOLD()
        at = address_of(room), address_of(held)
        self._elements_with_words(
            page.memory.handle, self.tables, words.handle, others and others.handle, inline, len(inline), *at, sizes
        )
        some, boxes, every = sizes
        numbers, first, last = room.view(np.int64), 2 * some, 2 * some + boxes
        found = numbers[:some], room[some:first], numbers[first:last], room[last : last + boxes]
        return ElementsWithWords(*found, every), held

    def places(self, page: PageColumns, words: tuple[str, ...], most: int) -> list[int]:
        """Return where words of ASCII are in the source, word by word, the first `most` places of each.

        Raises:
            CoreError: the core failed.
        """
        found = np.empty(len(words) * most, np.int64)
        lines = "\n".join(words).encode()
        count: int = library().tidings_places(page.memory.handle, lines, len(lines), most, address_of(found))
        places: list[int] = found[:count].tolist()
        return places

    def names(self, memory: CoreMemory) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """Return the words of the names in the start tags of a page: the spelling each is in, its number.

        Raises:
            CoreError: the core failed.
        """
        out = (ctypes.c_uint64 * 3)()
        self._names(memory.handle, self.tables, out)
        line, word, count = out
        return memory.array(line, count, "<i8"), memory.array(word, count, "<u8")


def tag_words(words: tuple[str, ...]) -> CoreMemory:
    """Return words to look for in start tags, as the core holds them.

    Raises:
        ValueError: there are too many, or one of them is too short or not in small letters of ASCII.
    """
    return CoreMemory(Handle.TAG_WORDS, new(Handle.TAG_WORDS, "\n".join(words).encode()))
