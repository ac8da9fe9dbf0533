"""The start tags of the elements that hold text, each spelling once.

Menus and lists repeat the same tags: six in ten are spelled as one before. What is looked for in tags is looked for in
each spelling once, and told of all elements that are spelled so.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from tidings.page.columns import Bools, Ints
from tidings.page.cut import Cut, Strings
from tidings.page.tree import Tree


class StartTags:
    """The spellings of the start tags of some elements, and the number of that of each."""

    def __init__(
        self, spellings: Callable[[], list[str]], number: Ints, spelling: Callable[[int], str] | None = None
    ) -> None:
        self._spelled = spellings
        self._spelling: Callable[[int], str] = spelling or (lambda place: str(self.spellings[place]))
        self.number = number  # of the spelling of each element, -1 for those that are not asked

    @cached_property
    def spellings(self) -> Strings:
        """The spellings, each once."""
        return np.array(self._spelled(), object)

    @classmethod
    def at(cls, source: str, ranges: Ints, number: Ints) -> StartTags:
        """By their ranges of the source: starts and ends in turn."""

        def spellings() -> list[str]:
            borders = ranges.tolist()
            return [source[start:end] for start, end in zip(borders[::2], borders[1::2], strict=True)]

        return cls(spellings, number, lambda place: source[ranges.item(2 * place) : ranges.item(2 * place + 1)])

    @classmethod
    def of_elements(cls, cut: Cut, tree: Tree, which: Bools) -> StartTags:
        """Of some elements."""
        elements = np.flatnonzero(which & (tree.opened >= 0))
        spelled = cut.tags(tree.opened[elements])
        numbers = {spelling: number for number, spelling in enumerate(dict.fromkeys(spelled))}
        number = np.full(len(tree.tag), -1)
        number[elements] = np.fromiter(map(numbers.__getitem__, spelled), np.int64, len(spelled))
        return cls(lambda: list(numbers), number)

    def numbers(self, first: int, last: int) -> list[int]:
        """The number of the spelling of the elements first … last - 1, -1 for those that are not asked."""
        found: list[int] = self.number[first:last].tolist()
        return found

    def spelling(self, number: int) -> str:
        """A spelling by its number."""
        return self._spelling(number)

    def number_of(self, elements: Ints) -> Ints:
        """The numbers of the spellings of some of the elements: equal ones are spelled alike."""
        return np.asarray(self.number[elements])

    def of(self, elements: Ints) -> tuple[list[str], Ints]:
        """The spellings of some of the elements, each once, and for each of them the place of its own among them."""
        number = self.number[elements]
        used = np.zeros(len(self.spellings), np.bool_)
        used[number] = True
        found: list[str] = self.spellings[used].tolist()
        return found, np.cumsum(used)[number] - 1
