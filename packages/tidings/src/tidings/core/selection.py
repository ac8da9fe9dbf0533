"""Which blocks are selected, and what may end a story, as the core finds out (`core/src/choice.rs`, `ending.rs`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tidings.core import CoreMemory, address_of, library

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

#: Numbers before the lists in the result of `tidings_endings`.
_SIGNS = 11


def choose(probability: Floats, words: Ints, weight: float, care: tuple[float, float] | None) -> tuple[Bools, float]:
    """Return which blocks to select, and the expected F measure of the best selection.

    Args:
        probability: of each block.
        words: of each block.
        weight: the square of how many times as important recall is as precision.
        care: the words of a middling story and of a long one, if it is one.

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
    """The limits of the rules for the end of a story."""

    numbers: Ints
    shares: Floats
    numbers_at: int  # their addresses
    shares_at: int

    @classmethod
    def of(cls, *numbers: int, shares: Sequence[float]) -> EndingLimits:
        """Return the limits, in the order of `tidings_endings`."""
        wholes, parts = np.array(numbers, np.int64), np.array(shares, np.float64)
        return cls(wholes, parts, wholes.ctypes.data, parts.ctypes.data)


#: One of some blocks: its place among them, where it begins and where it ends.
BlockPlace = tuple[int, int, int]


class EndingSigns(NamedTuple):
    """What may end a story, and what in it may be none."""

    linking: int  # blocks with linked words that are chosen, or the one behind them
    has_data: bool  # whether data of a script may be in a chosen block
    may_repeat: bool  # whether one of the chosen blocks may say what another has said
    headings: list[BlockPlace]  # blocks in headlines, where there are several of these
    lines: list[BlockPlace]  # which of the blocks may stand over comments


class SelectionText(NamedTuple):
    """What was chosen: words, and starts and ends in turn of what a reader sees of it."""

    words: list[int]  # in the order of `ChosenWords`
    edges: Ints


class Endings(NamedTuple):
    """What may end a story, and its text as long as nothing is removed from it."""

    signs: EndingSigns
    lists: list[Ints]
    text: SelectionText


def endings(
    page: CoreMemory,
    runs: int,
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
    told = (
        address_of(blocks),
        address_of(dates),
        address_of(chance),
        address_of(chosen),
        count,
        limits.numbers_at,
        limits.shares_at,
    )
    size: int = library().tidings_endings(page.handle, *told, address_of(out))
    linking, has_data, may_repeat, headings, lines, listed, *words = out[:_SIGNS].tolist()
    first = _SIGNS + 3 * headings
    last = first + 3 * lines
    ending = last + listed
    heads, over = _places(out[_SIGNS:first]) if headings else [], _places(out[first:last]) if lines else []
    signs = EndingSigns(linking, bool(has_data), bool(may_repeat), heads, over)
    return Endings(signs, _apart(out[last:ending]) if listed else [], SelectionText(words, out[ending:size].copy()))


def _places(numbers: Ints) -> list[BlockPlace]:
    told = iter(numbers.tolist())
    return list(zip(told, told, told, strict=True))


def _apart(numbers: Ints) -> list[Ints]:
    """Return lists, each of which comes behind how many items it has."""
    found, at = [], 0
    while at < len(numbers):
        end = at + 1 + numbers.item(at)
        found.append(numbers[at + 1 : end])
        at = end
    return found
