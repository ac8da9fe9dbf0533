"""Selection of blocks, and possible ends of the article, computed by the core (`core/src/choice.rs`, `ending.rs`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core import CoreMemory, address_of, library

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Leading numbers in the result of `tidings_endings`.
_SIGNS = 11


def choose(probability: Floats, words: Ints, weight: float, care: tuple[float, float] | None) -> tuple[Bools, float]:
    """Return which blocks to select, and the expected F measure of the best selection.

    Args:
        probability: of each block.
        words: of each block.
        weight: square of the importance of recall relative to precision.
        care: numbers of words of an average and of a long article, if the page is an article.

    Raises:
        CoreMissing: there is no core.
        CoreError: the core failed.
    """
    selected, count = np.zeros(len(probability), np.bool_), len(probability)
    probability, words = np.ascontiguousarray(probability, np.float64), np.ascontiguousarray(words, np.int64)
    middling, long = care or (0.0, 0.0)
    arrays = address_of(probability), address_of(words), count
    expected: float = library().tidings_choose(*arrays, weight, care is not None, middling, long, address_of(selected))
    return selected, expected


class EndingLimits(NamedTuple):
    """Arrays of the numeric limits with which the core detects the end of an article, and the memory addresses of these
    arrays.
    """

    numbers: Ints
    shares: Floats
    numbers_at: int  # memory addresses
    shares_at: int

    @classmethod
    def of(cls, *numbers: int, shares: Sequence[float]) -> EndingLimits:
        """Create from limits in the order of the arguments of the C function `tidings_endings`."""
        wholes, parts = np.array(numbers, np.int64), np.array(shares, np.float64)
        return cls(wholes, parts, wholes.ctypes.data, parts.ctypes.data)


#: A block: its index, start and end.
BlockPlace = tuple[int, int, int]


class EndingSigns(NamedTuple):
    """Candidates for the end of an article, and signs of script data or repeated blocks in the selected text."""

    linking: int  # number of selected blocks with linked words, or the next one
    has_data: bool  # whether a selected block may contain script data
    may_repeat: bool  # whether selected blocks may repeat each other
    headings: list[BlockPlace]  # blocks in headings, if there are several
    lines: list[BlockPlace]  # blocks that may be headings of comments


class SelectionText(NamedTuple):
    """Word counts of the selected text, and the start and end offsets of its visible ranges in turn."""

    words: list[int]  # in the order of `ChosenWords`
    edges: Ints


class Endings(NamedTuple):
    """Possible ends of an article, and its text before anything is removed."""

    signs: EndingSigns
    lists: list[Ints]
    text: SelectionText


def endings(
    page: CoreMemory,
    runs: int,
    blocks: Ints,
    dates: Floats,
    probability: Floats,
    chosen: Bools,
    limits: EndingLimits,
) -> Endings:
    """Return possible ends of the article selected from the visible blocks of a page, and its text.

    Args:
        page: the scanned page.
        runs: its number of runs.
        blocks: its visible blocks.
        dates: number of blocks with a date before each block and before the end.
        probability: the probability of each block.
        chosen: which blocks are selected.
        limits: the limits for `tidings_endings`.

    Raises:
        CoreError: the core failed on this page.
    """
    count = len(blocks)
    out, probability = np.empty(_SIGNS + 10 * count + 2 * runs, np.int64), np.ascontiguousarray(probability)
    arguments = (
        address_of(blocks),
        address_of(dates),
        address_of(probability),
        address_of(chosen),
        count,
        limits.numbers_at,
        limits.shares_at,
    )
    size: int = library().tidings_endings(page.handle, *arguments, address_of(out))
    linking, has_data, may_repeat, headings, lines, listed, *words = out[:_SIGNS].tolist()
    first = _SIGNS + 3 * headings
    last = first + 3 * lines
    ending = last + listed
    heads, over = _places(out[_SIGNS:first]) if headings else [], _places(out[first:last]) if lines else []
    signs = EndingSigns(linking, bool(has_data), bool(may_repeat), heads, over)
    return Endings(
        signs, _split_lists(out[last:ending]) if listed else [], SelectionText(words, out[ending:size].copy())
    )


def _places(numbers: Ints) -> list[BlockPlace]:
    values = iter(numbers.tolist())
    return list(zip(values, values, values, strict=True))


def _split_lists(numbers: Ints) -> list[Ints]:
    """Split lists that are each preceded by their length."""
    lists, at = [], 0
    while at < len(numbers):
        end = at + 1 + numbers.item(at)
        lists.append(numbers[at + 1 : end])
        at = end
    return lists
