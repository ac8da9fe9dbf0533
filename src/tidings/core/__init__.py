"""The compiled core: loads the library and declares its functions.

`core/` in the repository is Rust: a library of plain C calls that knows nothing of Python. It is loaded here through
ctypes when first used. Where it was not built, is damaged, of another version or for another platform, or on another
interpreter than CPython, reading a page raises `CoreMissing`; `state()` says why. A panic in it raises `CoreError`.

This package imports nothing of Tidings but its errors. `tidings.page.compiled` hands over the tables of tags and
characters.
"""

from __future__ import annotations

import ctypes
import platform
import zlib
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core import strings
from tidings.errors import CoreError, CoreMissing

#: The interface that this package speaks; a library of another one is not used.
INTERFACE: Final = 49
#: Numbers that `tidings_scan` fills before the beginnings of the columns, and how many columns there are.
_HEAD, COLUMNS = 12, 28
_SCANNED: Final = ctypes.c_uint64 * (_HEAD + COLUMNS + 1)
_TOLD: Final = ctypes.c_uint64 * 3

#: What to do about a library that cannot be used.
_INSTALL: Final = (
    "install a Tidings wheel for this platform, or install Rust (on Debian: apt install cargo) and then Tidings again"
)
#: How often each function of the core has failed in this process.
failures: Final[Counter[str]] = Counter()

_FILES: Final = {"Windows": "tidings_core.dll", "Darwin": "libtidings_core.dylib"}


class CoreState(NamedTuple):
    """Whether the compiled functions are in use."""

    is_compiled: bool
    reason: str  # which file, or why there is none


@cache
def _library() -> tuple[ctypes.CDLL | None, str]:
    """The library, or None and the one line that says why; the log has that line once in a process."""
    library, reason = _loaded()
    if library is None:
        import logging  # noqa: PLC0415  # `import tidings` does without where there is a core

        logging.getLogger("tidings.core").debug("no compiled core: %s", reason)
    return library, reason


def _loaded() -> tuple[ctypes.CDLL | None, str]:
    if platform.python_implementation() != "CPython":
        return None, f"this is {platform.python_implementation()}; run Tidings with CPython"
    path = Path(__file__).with_name(_FILES.get(platform.system(), "libtidings_core.so"))
    try:
        if not path.exists():
            return None, f"{path} is missing; {_INSTALL}"
        _check(path)
        library = ctypes.CDLL(str(path))
        interface = library.tidings_interface()
        if interface != INTERFACE:
            return None, f"{path} is of another version (interface {interface}, not {INTERFACE}); {_INSTALL}"
        _declare(library)
        _declare_texts(library)
        _declare_questions(library)
        _declare_sheets(library)
        _declare_choices(library)
    except (OSError, AttributeError, ValueError) as error:
        return None, " ".join(f"{path} cannot be loaded ({error}); {_INSTALL}".split())
    return library, str(path)


def _check(path: Path) -> None:
    """See that a library is the file that was built: to load part of one can end the process.

    Raises:
        OSError, ValueError: it cannot be read, or is not that file.
    """
    sum_path = path.with_suffix(".sum")  # written by `hatch_build.py`
    if sum_path.exists():
        content = path.read_bytes()
        if sum_path.read_text(encoding="ascii") != f"{len(content)} {zlib.crc32(content):08x}\n":
            raise ValueError(f"it is damaged, or not the one that {sum_path.name} beside it was written for")


def _declare(library: ctypes.CDLL) -> None:
    """Say what the functions take and return.

    Raises:
        AttributeError: one of them is missing.
    """
    pointer, size, number = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int
    text = ctypes.c_char_p
    kinds = "tag_words kind_words listener expert lines rules blocks sheet signals story_places read_pictures"
    for free in ("free", *(f"{kind}_free" for kind in kinds.split())):
        function = getattr(library, f"tidings_{free}")
        function.argtypes, function.restype = [pointer], None
    library.tidings_tables.argtypes = [text, size, *[pointer] * 3, text, size, *[pointer] * 2, size]
    library.tidings_tables.restype = pointer
    library.tidings_scan.argtypes = [pointer, pointer, size, number, number, size, pointer, pointer]
    library.tidings_scan.restype = number
    library.tidings_tag_words.argtypes = [text, size]
    library.tidings_tag_words.restype = pointer
    library.tidings_holding.argtypes = [*[pointer] * 4, ctypes.c_int64, *[pointer] * 2]
    library.tidings_holding.restype = number
    library.tidings_hashed_words.argtypes = [pointer, pointer, size, pointer]
    library.tidings_hashed_words.restype = ctypes.c_int64
    library.tidings_kind_words.argtypes = [pointer, size, pointer, size]
    library.tidings_kind_words.restype = pointer
    library.tidings_names.argtypes, library.tidings_names.restype = [pointer] * 3, number
    library.tidings_kind_facts.argtypes = [*[pointer] * 5, size, text, size, *[pointer] * 2]
    library.tidings_kind_facts.restype = number
    library.tidings_look_tables.argtypes = [pointer, size, *[pointer] * 5, number]
    library.tidings_look_tables.restype = pointer
    library.tidings_expert.argtypes = [pointer, size, size, ctypes.c_float, ctypes.c_float]
    library.tidings_expert.restype = pointer
    library.tidings_look.argtypes = [*[pointer] * 4, text, *[pointer] * 2, size, *[ctypes.c_double] * 3, pointer]
    library.tidings_look.restype = ctypes.c_int64
    library.tidings_feature_table.argtypes = []
    library.tidings_feature_table.restype = text
    library.tidings_features.argtypes = [*[pointer] * 4, text, *[pointer] * 3, size, *[pointer] * 2]
    library.tidings_features.restype = ctypes.c_int64
    library.tidings_lines.argtypes = [pointer, *[ctypes.c_int64] * 3, pointer]
    library.tidings_lines.restype = number
    library.tidings_line_counts.argtypes = [pointer, pointer, pointer, size, pointer]
    library.tidings_line_counts.restype = number
    library.tidings_line_regions.argtypes = [pointer, pointer, pointer, size, ctypes.c_int64, pointer]
    library.tidings_line_regions.restype = ctypes.c_int64
    library.tidings_stretches.argtypes = [pointer, pointer, size, pointer, pointer, size, pointer]
    library.tidings_stretches.restype = ctypes.c_int64
    library.tidings_rules.argtypes = [pointer, size, text, size]
    library.tidings_rules.restype = pointer
    library.tidings_fragments.argtypes = [pointer, text, pointer, size, size, *[pointer] * 4, text, size]
    library.tidings_fragments.restype = pointer
    asked: list[Any] = [pointer, pointer, text, size, pointer]
    library.tidings_fragment_text.argtypes, library.tidings_fragment_text.restype = asked, ctypes.c_int64
    library.tidings_cut.argtypes, library.tidings_cut.restype = [*asked, number, text, size], ctypes.c_int64
    library.tidings_blocks.argtypes = [pointer, text, size, pointer, *[size] * 5, pointer]
    library.tidings_blocks.restype = number
    library.tidings_blocks_text.argtypes, library.tidings_blocks_text.restype = [pointer, number, number, pointer], None


def _declare_texts(library: ctypes.CDLL) -> None:
    """Declare the functions on bytes and characters."""
    pointer, size, number, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_char_p
    library.tidings_line_feeds.argtypes = [text, size, pointer]
    library.tidings_line_feeds.restype = size
    library.tidings_held.argtypes, library.tidings_held.restype = [text, size, pointer], None
    library.tidings_invisible.argtypes = [text, size, pointer, size]
    library.tidings_invisible.restype = size
    library.tidings_fill.argtypes, library.tidings_fill.restype = [text, size, number, pointer, size], number
    library.tidings_text.argtypes, library.tidings_text.restype = [pointer, number, pointer], None


def _declare_questions(library: ctypes.CDLL) -> None:
    """The same of those that are asked of a page (`tidings.core.page_questions`)."""
    pointer, size, number, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_char_p
    library.tidings_telling.argtypes = [*[pointer] * 4, text, size, *[pointer] * 3]
    library.tidings_telling.restype = number
    library.tidings_nearest.argtypes = [pointer] * 3
    library.tidings_nearest.restype = number
    library.tidings_places.argtypes = [pointer, text, size, size, pointer]
    library.tidings_places.restype = ctypes.c_int64
    library.tidings_signals.argtypes, library.tidings_signals.restype = [pointer] * 4, pointer
    library.tidings_story_places.argtypes = [*[pointer] * 2, text, *[size] * 2, *[pointer] * 2, ctypes.c_bool, pointer]
    library.tidings_story_places.restype = pointer
    library.tidings_read_pictures.argtypes = [*[pointer] * 4, size, text, size, *[pointer] * 2]
    library.tidings_read_pictures.restype = pointer
    library.tidings_data_cells.argtypes, library.tidings_data_cells.restype = [pointer, pointer, size, pointer], pointer
    library.tidings_listener.argtypes = [text, size, pointer, text, size, pointer, size]
    library.tidings_listener.restype = pointer
    library.tidings_listener_learn.argtypes = [pointer, pointer, size, text, size, *[pointer] * 2, size, *[pointer] * 2]
    library.tidings_listener_learn.restype = number
    library.tidings_heard.argtypes = [*[pointer] * 2, text, text, size, pointer, *[size] * 3, *[pointer] * 3]
    library.tidings_heard.restype = ctypes.c_int64


def _declare_sheets(library: ctypes.CDLL) -> None:
    """The same of those that have to do with hidden text."""
    pointer, size, number, text = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_char_p
    library.tidings_sheet.argtypes = [text, size]
    library.tidings_sheet.restype = pointer
    library.tidings_sheet_is_empty.argtypes = [pointer]
    library.tidings_sheet_is_empty.restype = number
    scanned: list[Any] = [pointer, text, size, pointer, pointer, pointer, text, size, size]
    library.tidings_unseen.argtypes = [*scanned, pointer, number, pointer, pointer]
    library.tidings_unseen.restype = ctypes.c_int64
    library.tidings_ways.argtypes = [pointer, pointer, text, size, pointer, size]
    library.tidings_ways.restype = number


def _declare_choices(library: ctypes.CDLL) -> None:
    """The same of those that choose among blocks (`tidings.core.choices`)."""
    pointer, size, number, real = ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int64, ctypes.c_double
    library.tidings_choose.argtypes = [pointer, pointer, size, real, ctypes.c_bool, real, real, pointer]
    library.tidings_choose.restype = real
    library.tidings_endings.argtypes = [*[pointer] * 6, size, *[pointer] * 3]
    library.tidings_columns.argtypes = [ctypes.c_char_p, size, ctypes.c_char_p, size, pointer, size, pointer, pointer]
    library.tidings_columns.restype = pointer
    library.tidings_lists.argtypes = [*[pointer] * 4, size, pointer, real, pointer]
    library.tidings_taken.argtypes = [*[pointer] * 5, size, real, real, number, pointer]
    for function in (library.tidings_endings, library.tidings_lists, library.tidings_taken):
        function.restype = number


_first_byte: Callable[[Any], ctypes.c_char] = ctypes.c_char.from_buffer


def address_of(array: NDArray[Any]) -> int:
    """Where an array stands in memory: of one that can be written to in a third of the time that NumPy's way takes."""
    try:
        return ctypes.addressof(_first_byte(array))
    except (TypeError, ValueError):  # not to be written to, or empty
        return array.ctypes.data


def give_back() -> None:
    """Hand memory that is free, but still held for later, back to the system, where the C library can do that."""
    with suppress(OSError, AttributeError, TypeError):  # only GNU's has this call, and Windows no library of no name
        ctypes.CDLL(None).malloc_trim(0)


@cache
def state() -> CoreState:
    """Whether the compiled functions are in use, and why not."""
    library, reason = _library()
    return CoreState(library is not None, reason)


def library() -> ctypes.CDLL:
    """Return the compiled library.

    Raises:
        CoreMissing: it was not built or cannot be used.
    """
    found, reason = _library()
    if found is None:
        raise CoreMissing(reason)
    return found


def failed(function: str) -> CoreError:
    """Count and log the failure of a function of the core, and return the error to raise."""
    import logging  # noqa: PLC0415  # a page is read without

    failures[function] += 1
    logging.getLogger("tidings.core").error("%s failed (%d times in this process)", function, failures[function])
    return CoreError(function)


class CoreMemory:
    """Memory of the core, freed when no array looks at it any more."""

    __slots__ = ("_free", "_held", "handle")

    def __init__(self, handle: int, free: Any, held: object = None) -> None:
        self.handle, self._free = handle, free
        self._held = held  # what it looks at itself

    def __del__(self) -> None:
        self._free(self.handle)

    def array(self, address: int, size: int, kind: str) -> NDArray[Any]:
        """An array over some of it, not to be written to."""
        return np.asarray(_View(self, address, size, kind))


class _View:
    """A range of memory that NumPy can look at."""

    __slots__ = ("__array_interface__", "_memory")

    def __init__(self, memory: CoreMemory, address: int, size: int, kind: str) -> None:
        self._memory = memory
        self.__array_interface__ = {"data": (address, True), "shape": (size,), "typestr": kind, "version": 3}


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
        self._scan, self._free, self._holding = compiled.tidings_scan, compiled.tidings_free, compiled.tidings_holding
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
            raise CoreMissing(f"it knows other tags than this version of Tidings; {_INSTALL}")

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
        if self._scan(self.tables, held or raw, len(source), width, held is not None, most_tags, sheet, out):
            raise failed("tidings_scan")
        memory = CoreMemory(out[0], self._free, source if held else None)
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
        if self._names(memory.handle, self.tables, out):
            raise failed("tidings_names")
        line, word, count = out
        return memory.array(line, count, "<i8"), memory.array(word, count, "<u8")


def tag_words(words: tuple[str, ...]) -> CoreMemory | None:
    """Words to be looked for in start tags; None if they cannot be."""
    lines = "\n".join(words).encode()
    handle = library().tidings_tag_words(lines, len(lines))
    return CoreMemory(handle, library().tidings_tag_words_free) if handle else None
