"""Scanned pages: the scanner of the core, and the columns that it produces."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core.native import ENCODINGS, INSTALL, CoreMemory, Handle, address_of, library, new
from tidings.errors import CoreMissing

Ints = NDArray[np.int64]

#: Leading numbers before the borders of the columns.
_HEAD: Final = 14
_SIZES_OUT: Final = ctypes.c_uint64 * 3


class IntegerColumn:
    """A descriptor for an integer array of `PageColumns`, which is created on first access. Arrays are numbered in the
    order of their declaration.
    """

    __slots__ = ("name", "place")

    def __set_name__(self, owner: type[PageColumns], name: str) -> None:
        self.name, self.place = name, len(owner.names)
        owner.names.append(name)

    def __get__(self, columns: PageColumns, owner: type[PageColumns]) -> Ints:
        """Return the array, which replaces the descriptor in the instance."""
        array: Ints = columns.column(self.place)
        columns.__dict__[self.name] = array
        return array


class SeparateColumn:
    """A descriptor for an array of `PageColumns` in a buffer of its own, which is created on first access."""

    __slots__ = ("kind", "name")

    def __init__(self, kind: str) -> None:
        self.kind = kind

    def __set_name__(self, owner: type[PageColumns], name: str) -> None:
        self.name = name

    def __get__(self, columns: PageColumns, owner: type[PageColumns]) -> NDArray[Any]:
        """Return the array, which replaces the descriptor in the instance."""
        array = columns.memory.array(*columns.buffers[self.name], self.kind)
        columns.__dict__[self.name] = array
        return array


class PageColumns:
    """The columns of a page, or of a part of one, in the core's memory.

    Args:
        head: the numbers returned by the core.
        utf8: the source in UTF-8.
        text: the canonical text of the page; None to decode it from memory.
        styles: the style sheets of the original page, if this is a fragment.
    """

    names: Final[list[str]] = []
    #: Number of columns. `core/src/columns.rs` describes them in the same order.
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

    in_link = SeparateColumn("|b1")  # by run: whether it is in a link
    hidden = SeparateColumn("|b1")  # by run: whether it is hidden
    hidden_pieces = SeparateColumn("|u1")  # by piece: 1 if its text is hidden, 2 if it is hidden as a box
    text_codes = SeparateColumn("<u4")  # the characters of the text

    def __init__(
        self,
        head: list[int],
        utf8: bytes | None = None,
        text: str | None = None,
        styles: CoreMemory | None = None,
    ) -> None:
        handle, numbers, flags, codes, names, size, names_size, runs, sheet, unseen, hidden, *rest = head
        source, source_size, width, *borders = rest
        self.memory = CoreMemory(Handle.PAGE, handle)
        self._source = source, source_size * width, ENCODINGS[width]
        # CPython decodes UTF-8 faster than UTF-32, but Latin-1 and UTF-16 two to three times as fast as UTF-8.
        self.utf8 = utf8 if width == 4 else None
        self.sheet: int = sheet if styles is None else styles.handle
        self.styles = styles
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
        """Return a column by its index."""
        return self._numbers[self._borders[place] : self._borders[place + 1]]

    def _size(self, name: str) -> int:
        place = self.names.index(name)
        return self._borders[place + 1] - self._borders[place]

    @property
    def elements_size(self) -> int:
        """Return the number of elements."""
        return self._size("tag")

    @property
    def blocks_size(self) -> int:
        """Return the number of blocks."""
        return self._size("block_first")

    @property
    def reveals(self) -> bool:
        """Return whether hidden elements count as visible because a script will show them."""
        return self._size("revealed") > 0

    @property
    def source(self) -> str:
        """Return the source, decoded from memory."""
        if self.utf8 is not None:
            return self.utf8.decode()
        address, size, encoding = self._source
        return str(self.memory.array(address, size, "|u1").data, encoding)

    @property
    def tag_names(self) -> tuple[str, ...]:
        """Return the names of tags outside the standard."""
        address, size = self._tag_names
        return tuple(ctypes.string_at(address, size).decode("utf-8", "surrogatepass").split("\n")[:-1]) if size else ()


_PAGE: Final = ctypes.c_uint64 * (_HEAD + PageColumns.COUNT + 1)


def _text(codes: NDArray[np.uint32]) -> str:
    """Decode characters through the narrowest possible encoding, which is fastest."""
    most = codes.max(initial=0)
    if most < 0x100:
        return str(codes.astype(np.uint8).data, "latin-1")
    if most < 0x1_0000:
        return str(codes.astype("<u2").data, "utf-16-le")
    return str(codes.data, "utf-32-le")


class ElementsWithWords(NamedTuple):
    """The elements of a page with certain words in their start tags, with a bit set of the words of each. `boxes` are
    those of them that are boxes with visible text.
    """

    elements: NDArray[np.int64]
    words: NDArray[np.uint64]
    boxes: NDArray[np.int64]
    words_of_boxes: NDArray[np.uint64]
    all: int  # all words of the page as bits


class Scanner:
    """The compiled scanner with its tables of tags, references and characters."""

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
        self, source: bytes, most_tags: int, styles: CoreMemory | None = None, *, width: int = 0, size: int = 0
    ) -> PageColumns:
        """Scan a page into columns.

        Args:
            source: the page in UTF-8.
            most_tags: limit on the number of tags; the rest becomes a single empty one.
            styles: the style sheets of the original page, if this is a fragment.
            width: bytes per character in the narrowest str for the page; 0 if unknown.
            size: number of characters, if `width` is known.

        Raises:
            CoreError: the core failed.
        """
        out = _PAGE()
        self._scan(self.tables, source, len(source), width, size, most_tags, styles and styles.handle, out)
        return PageColumns(out[:], source, styles=styles)

    def part(
        self, page: PageColumns, runs: Ints, text_start: Ints, text_end: Ints, start: Ints, end: Ints
    ) -> PageColumns:
        """Return the columns of a part of a page.

        Args:
            page: the page.
            runs: the run of each piece of text in the part, in order.
            text_start: start of each piece in the text.
            text_end: end of each piece in the text.
            start: start of each piece in the source.
            end: end of each piece in the source.

        Raises:
            CoreError: the core failed.
        """
        cut, out = np.concatenate((runs, text_start, text_end, start, end)), _PAGE()
        library().tidings_part(page.memory.handle, self.tables, address_of(cut), len(runs), out)
        return PageColumns(out[:], page.utf8, page.text, page.styles)

    def tag_words(self, page: PageColumns, words: Sequence[CoreMemory], tag: int = 0) -> list[NDArray[np.uint64]]:
        """Return the words in the start tag of each element as bits, for one or two sets of words.

        Raises:
            CoreError: the core failed.
        """
        bits = np.empty((len(words), page.elements_size), np.uint64)
        first, second = words[0].handle, words[1].handle if len(words) > 1 else None
        at = address_of(bits)
        self._tag_words(page.memory.handle, self.tables, first, second, tag, at, at + 8 * page.elements_size)
        return list(bits)

    def elements_with_words(
        self, page: PageColumns, words: CoreMemory, other_words: CoreMemory | None, inline: bytes
    ) -> tuple[ElementsWithWords, NDArray[np.uint64]]:
        """Return the elements with words in their start tags, and for each element the bits of its other words.

        `inline` has a flag for each tag whose elements are not boxes; the last is for tags outside the standard.

        Raises:
            CoreError: the core failed.
        """
        elements = page.elements_size
        room, other_bits, sizes = np.empty(4 * elements, np.uint64), np.empty(elements, np.uint64), _SIZES_OUT()
        at = address_of(room), address_of(other_bits)
        self._elements_with_words(
            page.memory.handle,
            self.tables,
            words.handle,
            other_words and other_words.handle,
            inline,
            len(inline),
            *at,
            sizes,
        )
        some, boxes, every = sizes
        numbers, first, last = room.view(np.int64), 2 * some, 2 * some + boxes
        arrays = numbers[:some], room[some:first], numbers[first:last], room[last : last + boxes]
        return ElementsWithWords(*arrays, every), other_bits

    def places(self, page: PageColumns, words: tuple[str, ...], most: int) -> list[int]:
        """Return the source offsets of ASCII words, word by word: of each word the first `most` occurrences.

        Raises:
            CoreError: the core failed.
        """
        out = np.empty(len(words) * most, np.int64)
        lines = "\n".join(words).encode()
        count: int = library().tidings_places(page.memory.handle, lines, len(lines), most, address_of(out))
        places: list[int] = out[:count].tolist()
        return places

    def names(self, memory: CoreMemory) -> tuple[NDArray[np.int64], NDArray[np.uint64]]:
        """Return the words of the names in the start tags of a page: for each its spelling and its number.

        Raises:
            CoreError: the core failed.
        """
        out = (ctypes.c_uint64 * 3)()
        self._names(memory.handle, self.tables, out)
        line, word, count = out
        return memory.array(line, count, "<i8"), memory.array(word, count, "<u8")


def tag_words(words: tuple[str, ...]) -> CoreMemory:
    """Copy words to search in start tags into the core.

    Raises:
        ValueError: there are too many words, or one is too short or not lower-case ASCII.
    """
    return CoreMemory(Handle.TAG_WORDS, new(Handle.TAG_WORDS, "\n".join(words).encode()))
