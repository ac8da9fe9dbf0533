"""The core's part in the choice of the learned extractor: the kind of a page, the blocks that are taken, their end."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core import COLUMNS, CoreMemory, Handle, address_of, library

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Numbers that are told before the others by `tidings_endings` and `tidings_taken`.
_SIGNS, _COUNTS = 11, 5
#: Figures of the blocks of a page, before those of its elements (`core/src/kinds.rs`).
_SIZES = 8


def _held(hidden: Bools | None) -> tuple[Bools | None, int | None]:
    """Flags one behind the other, to be held until the core has read them, and where they stand; nothing for none."""
    if hidden is None:
        return None, None
    hidden = np.ascontiguousarray(hidden)
    return hidden, hidden.ctypes.data


#: Columns that the default extractor reads, by their places (`core/src/columns.rs`).
TAG, PARENT, DEPTH, FIRST, LAST, TEXT_START, TEXT_END, RUN_WORDS, RUN_ELEMENT = 2, 3, 4, 10, 11, 15, 16, 18, 26
BLOCK_FIRST, BLOCK_ELEMENT, BLOCK_WORDS, BLOCK_LINK_WORDS, BLOCK_LAST = 19, 20, 21, 22, 27
SPELLING, _SPELLED = 23, 24


def block_columns(text: str, start_tags: Sequence[str], in_link: Bools, columns: Mapping[int, Ints]) -> CoreMemory:
    """Copy to the core the columns of a page that it has not scanned itself.

    Args:
        text: the canonical text.
        start_tags: the spellings of start tags, to which the column `SPELLING` points.
        in_link: whether each run is in a link.
        columns: the other columns, by their places.

    Raises:
        CoreMissing: there is no core.
    """
    core = library()
    codes, tags = ("".join(one).encode("utf-32-le", "surrogatepass") for one in (text, start_tags))
    ends = np.cumsum(np.array([len(tag) for tag in start_tags], np.int64))
    ranges = np.stack((np.append(0, ends[:-1]), ends), axis=1).ravel() if len(ends) else ends
    columns = {**columns, _SPELLED: ranges}
    arrays = {place: np.ascontiguousarray(column, np.int64) for place, column in columns.items()}
    flags = np.ascontiguousarray(in_link)
    addresses = (ctypes.c_void_p * COLUMNS)(
        *(arrays[at].ctypes.data if at in arrays else None for at in range(COLUMNS))
    )
    sizes = (ctypes.c_size_t * COLUMNS)(*(len(arrays.get(at, ())) for at in range(COLUMNS)))
    handle = core.tidings_columns(
        codes, len(text), tags, len(tags) // 4, flags.ctypes.data, len(flags), addresses, sizes
    )
    return CoreMemory(Handle.PAGE, handle)


class KindWords(CoreMemory):
    """Words that kinds of pages are told by, with what each weighs for each kind."""

    __slots__ = ("_figures", "_tags", "_weigh", "_weights")

    def __init__(self, numbers: NDArray[np.uint64], weights: NDArray[np.float32], tags: Ints) -> None:
        """From words as numbers, a row of weights for each, and the tags whose elements are counted."""
        numbers, weights = np.ascontiguousarray(numbers), np.ascontiguousarray(weights, np.float32)
        self._tags, self._weigh = array("q", tags.tolist()), library().tidings_kind_facts
        self._figures, self._weights = ctypes.c_double * (_SIZES + len(tags)), ctypes.c_float * weights.shape[1]
        told = numbers.ctypes.data, len(numbers), weights.ctypes.data, weights.shape[1]
        super().__init__(Handle.KIND_WORDS, library().tidings_kind_words(*told))

    def weigh(self, page: CoreMemory, tables: int, hidden: Bools | None, text: str) -> tuple[list[float], list[float]]:
        """Return the weight of the words in names on a page and in a text for each kind, and figures of the page.

        Args:
            page: as it was scanned.
            tables: with which it was.
            hidden: which of its runs nobody sees; None for those that the core has told.
            text: the text.

        Raises:
            CoreError: the core failed on this page.
        """
        figures, weights = self._figures(), self._weights()
        codes, (tags_at, tags) = text.encode("utf-32-le", "surrogatepass"), self._tags.buffer_info()
        hidden, hidden_at = _held(hidden)
        told = tags_at, tags, codes, len(text), weights, figures
        self._weigh(page.handle, tables, self.handle, hidden_at, *told)
        return weights[:], figures[:]


def choose(chance: Floats, words: Ints, weight: float, care: tuple[float, float] | None) -> tuple[Bools, float]:
    """Return which blocks to select, and the expected F measure.

    Args:
        chance: of each block.
        words: of each block.
        weight: the square of how many times as important recall is as precision.
        care: the words of a middling story and of a long one, if it is one.

    Raises:
        CoreMissing: there is no core.
        CoreError: the core failed.
    """
    chosen, count = np.zeros(len(chance), np.bool_), len(chance)
    chance, words = np.ascontiguousarray(chance, np.float64), np.ascontiguousarray(words, np.int64)
    middling, long = care or (0.0, 0.0)
    told = address_of(chance), address_of(words), count, weight, care is not None, middling, long, address_of(chosen)
    expected: float = library().tidings_choose(*told)
    return chosen, expected


class EndingLimits(NamedTuple):
    """Numbers and shares by which the core tells what ends a story, and where they stand in memory."""

    numbers: Ints
    shares: Floats
    address: int
    lists_at: int  # the numbers of lists of other stories
    shares_at: int

    @classmethod
    def of(cls, signs: tuple[int, ...], lists: tuple[int, ...], paragraph: int, *shares: float) -> EndingLimits:
        """From what is said of signs, of lists, and of what was chosen."""
        numbers, told = np.array((*signs, *lists, paragraph), np.int64), np.array(shares, np.float64)
        at = numbers.ctypes.data
        return cls(numbers, told, at, at + numbers.itemsize * len(signs), told.ctypes.data)


#: One of some blocks: its place among them, where it begins and where it ends.
BlockPlace = tuple[int, int, int]


class EndingSigns(NamedTuple):
    """What may end a story, and what in it may be none."""

    linking: int  # blocks with linked words that are chosen, or the one behind them
    has_data: bool  # whether data of a script may be in a chosen block
    may_repeat: bool  # whether one of the chosen blocks may say what another has said
    headings: list[BlockPlace]  # blocks in headlines, where there are several of these
    lines: list[BlockPlace]  # which of the blocks may stand over comments


class ChosenText(NamedTuple):
    """What was chosen: words, and starts and ends in turn of what a reader sees of it."""

    words: list[int]  # in the order of `ChosenWords`
    edges: Ints


class Endings(NamedTuple):
    """What may end a story, and its text as long as nothing is removed from it."""

    signs: EndingSigns
    lists: list[Ints]
    text: ChosenText


def endings(
    page: CoreMemory,
    runs: int,
    hidden: Bools | None,
    blocks: Ints,
    dates: Floats,
    chance: Floats,
    chosen: Bools,
    limits: EndingLimits,
) -> Endings:
    """Return what may end the story that was selected from the visible blocks of a page, and its text.

    Args:
        page: as it was scanned.
        runs: how many it has.
        hidden: which of them nobody sees; None for those that the core has told.
        blocks: the visible ones.
        dates: how many blocks with a date stand before each, and before the end.
        chance: of each of them.
        chosen: which of them are.
        limits: the numbers of `tidings_endings`.

    Raises:
        CoreError: the core failed on this page.
    """
    count = len(blocks)
    out, chance = np.empty(_SIGNS + 10 * count + 2 * runs, np.int64), np.ascontiguousarray(chance)
    hidden, hidden_at = _held(hidden)
    told = (
        hidden_at,
        address_of(blocks),
        address_of(dates),
        address_of(chance),
        address_of(chosen),
        count,
        limits.address,
        limits.shares_at,
    )
    size: int = library().tidings_endings(page.handle, *told, address_of(out))
    linking, has_data, may_repeat, headings, lines, listed, *words = out[:_SIGNS].tolist()
    first = _SIGNS + 3 * headings
    last = first + 3 * lines
    ending = last + listed
    heads, over = _places(out[_SIGNS:first]) if headings else [], _places(out[first:last]) if lines else []
    signs = EndingSigns(linking, bool(has_data), bool(may_repeat), heads, over)
    return Endings(signs, _apart(out[last:ending]) if listed else [], ChosenText(words, out[ending:size].copy()))


def _places(numbers: Ints) -> list[BlockPlace]:
    told = iter(numbers.tolist())
    return list(zip(told, told, told, strict=True))


def _apart(numbers: Ints) -> list[Ints]:
    """Lists, each of which comes behind how many items it has."""
    found, at = [], 0
    while at < len(numbers):
        end = at + 1 + numbers.item(at)
        found.append(numbers[at + 1 : end])
        at = end
    return found


def lists(
    page: CoreMemory, blocks: Ints, dates: Floats, chosen: Bools, limits: EndingLimits, pointing: float
) -> list[Ints]:
    """Return the items of each list that may be one of other stories, the last list first.

    Arguments as of `endings`; `pointing` is the share of a block's words that are in links.

    Raises:
        CoreError: the core failed on this page.
    """
    out, count = np.empty(2 * len(blocks), np.int64), len(blocks)
    asked = (
        page.handle,
        address_of(blocks),
        address_of(dates),
        address_of(chosen),
        count,
        limits.lists_at,
        pointing,
        address_of(out),
    )
    size: int = library().tidings_lists(*asked)
    return _apart(out[:size])


def taken(
    page: CoreMemory,
    runs: int,
    hidden: Bools | None,
    blocks: Ints,
    chance: Floats,
    chosen: Bools,
    borders: tuple[float, float, int],
) -> ChosenText:
    """Return the visible text of the selected blocks of a page, and their words.

    Args:
        page: as it was scanned.
        runs: how many it has.
        hidden: which of them nobody sees; None for those that the core has told.
        blocks: the visible ones.
        chance: of each of them.
        chosen: which of them are.
        borders: the chances of blocks that are surely out and surely in, and the words of a paragraph.

    Raises:
        CoreError: the core failed on this page.
    """
    out, chance = np.empty(_COUNTS + 2 * (len(blocks) + runs), np.int64), np.ascontiguousarray(chance)
    hidden, hidden_at = _held(hidden)
    asked = (
        hidden_at,
        address_of(blocks),
        address_of(chance),
        address_of(chosen),
        len(blocks),
        *borders,
        address_of(out),
    )
    size: int = library().tidings_taken(page.handle, *asked)
    return ChosenText(out[:_COUNTS].tolist(), out[_COUNTS:size].copy())
