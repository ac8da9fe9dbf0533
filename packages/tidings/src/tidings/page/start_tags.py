"""The start tags of the elements that hold text, each spelling once.

Menus and lists repeat the same tags: six in ten are spelled as one before. What is looked for in tags is looked for in
each spelling once, and told of all elements that are spelled so.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np

from tidings.page.columns import Ints
from tidings.page.cut import Strings


class StartTags:
    """The spellings of start tags.

    Args:
        source: the source of a page.
        ranges: where each spelling is in it, start and end in turn.
        number: by element the number of its spelling, -1 for elements without text.
    """

    def __init__(self, source: str, ranges: Ints, number: Ints) -> None:
        self._source, self._ranges, self.number = source, ranges, number

    @cached_property
    def spellings(self) -> Strings:
        """The spellings, each once."""
        source, borders = self._source, self._ranges.tolist()
        spelled = [source[start:end] for start, end in zip(borders[::2], borders[1::2], strict=True)]
        return np.array(spelled, object)

    def numbers(self, first: int, last: int) -> list[int]:
        """Return the number of the spelling of the elements first … last - 1, -1 for those that are not asked."""
        found: list[int] = self.number[first:last].tolist()
        return found

    def spelling(self, number: int) -> str:
        """Return a spelling by its number."""
        return self._source[self._ranges.item(2 * number) : self._ranges.item(2 * number + 1)]

    def number_of(self, elements: Ints) -> Ints:
        """Return the numbers of the spellings of some of the elements: equal ones are spelled alike."""
        return np.asarray(self.number[elements])

    def of(self, elements: Ints) -> tuple[list[str], Ints]:
        """Return the spellings of some of the elements, each once, and for each of them the place of its own among
        them.
        """
        number = self.number[elements]
        used = np.zeros(len(self.spellings), np.bool_)
        used[number] = True
        found: list[str] = self.spellings[used].tolist()
        return found, np.cumsum(used)[number] - 1
