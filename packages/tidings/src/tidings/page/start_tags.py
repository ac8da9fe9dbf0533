"""The start tags of elements with text, with each distinct spelling stored once.

Menus and lists repeat the same tags: six in ten are repetitions. So each spelling is searched once, and the result
applies to all elements with that spelling.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from tidings.page.columns import Ints
from tidings.page.cut import Strings


class StartTags:
    """The distinct spellings of start tags.

    Args:
        source: the source of a page.
        ranges: start and end of each spelling in the source, in turn.
        number: the number of the spelling by element; -1 for elements without text.
    """

    def __init__(self, source: str, ranges: Ints, number: Ints) -> None:
        self._source, self._ranges, self.number = source, ranges, number

    @cached_property
    def spellings(self) -> Strings:
        """Return the distinct spellings."""
        source, borders = self._source, self._ranges.tolist()
        spelled = [source[start:end] for start, end in zip(borders[::2], borders[1::2], strict=True)]
        return np.array(spelled, object)

    def numbers(self, first: int, last: int) -> list[int]:
        """Return the spelling numbers of the elements first … last - 1; -1 for elements without text."""
        result: list[int] = self.number[first:last].tolist()
        return result

    def spelling(self, number: int) -> str:
        """Return a spelling by its number."""
        return self._source[self._ranges.item(2 * number) : self._ranges.item(2 * number + 1)]

    def number_of(self, elements: Ints) -> Ints:
        """Return the spelling numbers of some elements."""
        return np.asarray(self.number[elements])

    def of(self, elements: Ints) -> tuple[list[str], Ints]:
        """Return the distinct spellings of some elements, and for each element the index of its own."""
        number = self.number[elements]
        used = np.zeros(len(self.spellings), np.bool_)
        used[number] = True
        spellings: list[str] = self.spellings[used].tolist()
        return spellings, np.cumsum(used)[number] - 1
