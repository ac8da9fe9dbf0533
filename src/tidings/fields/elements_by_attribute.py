"""Elements that say in an attribute what they hold: class names, ids, microdata, relations.

Attributes are read only where one of the asked words stands in the start tag, and only when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.columns import Ints

#: A page may hold a word thousands of times; what is behind so many elements is not looked at.
_MOST: Final = 400
#: Raw text, and what tells nothing by being marked.
_SKIPPED: Final = tags.RAW | tags.numbers("svg link meta img source input br hr wbr")


class MarkedElement:
    """An element with a telling start tag: its number, the tag and the number of that, its runs, where its text stands.

    What holds no text stands at the beginning of the next run, or at the end of the text.
    """

    __slots__ = ("_attributes", "element", "end", "first", "last", "number", "start", "tag")

    def __init__(self, element: int, tag: str, number: int, first: int, last: int, start: int, end: int) -> None:
        self.element, self.tag, self.number = element, tag, number
        self.first, self.last, self.start, self.end = first, last, start, end
        self._attributes: dict[str, str] | None = None

    @property
    def attributes(self) -> Mapping[str, str]:
        """What the start tag says."""
        if self._attributes is None:
            self._attributes = attributes(self.tag)
        return self._attributes


@lru_cache(maxsize=64)
def _small(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.lower() for word in words))


def marked(page: Page, words: tuple[str, ...], *, with_text: bool = False) -> list[MarkedElement]:
    """Elements whose start tag holds one of the words, in document order; "uthor" finds "postAuthor".

    Args:
        page: the page.
        words: case counts.
        with_text: only those that hold text.
    """
    which = page.holding(_small(words))
    if not len(which):
        return []
    found: list[MarkedElement] = []
    for mark in elements_of(page, which):
        if mark.number in _SKIPPED or (with_text and mark.first == mark.last):
            continue
        tag = mark.tag
        for word in words:
            if word in tag:
                found.append(mark)
                break
    return found[:_MOST]


def elements_of(page: Page, which: Ints) -> list[MarkedElement]:
    """Some elements that have start tags, with those."""
    source = page.cut.source
    elements, opened, bounds = page.elements, page.opened, page.cut.bounds
    tag_of, first_of, last_of = elements.tag.item, elements.first.item, elements.last.item
    start_of, end_of, count = page.runs.text_start.item, page.runs.text_end.item, len(page.runs)
    found = []
    for element in which.tolist():  # a few: of each its own numbers are sooner read than columns of all
        at, first, last = 2 * opened.item(element), first_of(element), last_of(element)
        start = start_of(first) if first < count else len(page.text)
        end = end_of(last - 1) if first < last else start
        tag = source[bounds.item(at + 1) : bounds.item(at + 2)]
        found.append(MarkedElement(element, tag, tag_of(element), first, last, start, end))
    return found


def marked_with_text(page: Page, words: tuple[str, ...]) -> list[MarkedElement]:
    """The same of elements that hold text."""
    return marked(page, words, with_text=True)


def text_of(page: Page, element: int) -> str:
    """The text inside an element, lines kept apart."""
    elements, runs = page.elements, page.runs
    first, last = int(elements.first[element]), int(elements.last[element])
    return page.text[runs.text_start[first] : runs.text_end[last - 1]] if first < last else ""
