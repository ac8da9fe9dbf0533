"""Elements selected by words in their start tags: class names, ids, microdata, link relations.

Attributes are parsed only for start tags that contain one of the words, and only on demand.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.columns import Ints

#: A page may contain a word thousands of times; only the first elements are read.
_MOST: Final = 400
#: Raw text and void elements, whose attributes say nothing about text.
_SKIPPED: Final = tags.RAW | tags.numbers("svg link meta img source input br hr wbr")


class MarkedElement:
    """An element with its start tag, tag number, text runs and text offsets.

    An element without text is placed at the beginning of the next run, or at the end of the text.
    """

    __slots__ = ("_attributes", "element", "end", "first", "last", "number", "start", "tag")

    def __init__(self, element: int, tag: str, number: int, first: int, last: int, start: int, end: int) -> None:
        self.element, self.tag, self.number = element, tag, number
        self.first, self.last, self.start, self.end = first, last, start, end
        self._attributes: dict[str, str] | None = None

    @property
    def attributes(self) -> Mapping[str, str]:
        """Return the attributes of the start tag."""
        if self._attributes is None:
            self._attributes = attributes(self.tag)
        return self._attributes


@lru_cache(maxsize=64)
def _small(words: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(word.lower() for word in words))


def marked(
    page: Page, words: tuple[str, ...], *, with_text: bool = False, before: int | None = None
) -> list[MarkedElement]:
    """Return the elements whose start tag contains one of some words, in document order. "uthor" matches "postAuthor".

    Args:
        page: the page.
        words: case counts.
        with_text: only those that hold text.
        before: only those before such an element.
    """
    which = page.holding(_small(words))
    if before is not None:
        which = which[: which.searchsorted(before)]
    if not len(which):
        return []
    tag_of, first_of, last_of = page.elements.tag.item, page.elements.first.item, page.elements.last.item
    source, opened, bounds = page.cut.source, page.opened.item, page.cut.bounds.item
    elements: list[MarkedElement] = []
    for element in which.tolist():
        number, first, last = tag_of(element), first_of(element), last_of(element)
        if number in _SKIPPED or (with_text and first == last):
            continue
        at = 2 * opened(element)
        tag = source[bounds(at + 1) : bounds(at + 2)]
        for word in words:
            if word in tag:
                elements.append(_with_places(page, element, tag, number, first, last))
                break
        if len(elements) == _MOST:
            break
    return elements


def elements_of(page: Page, which: Ints) -> list[MarkedElement]:
    """Return elements by their indices, with their start tags."""
    source, opened, bounds = page.cut.source, page.opened, page.cut.bounds
    tag_of, first_of, last_of = page.elements.tag.item, page.elements.first.item, page.elements.last.item
    result = []
    for element in which.tolist():  # a few elements: reading single numbers is faster than columns
        at = 2 * opened.item(element)
        tag = source[bounds.item(at + 1) : bounds.item(at + 2)]
        result.append(_with_places(page, element, tag, tag_of(element), first_of(element), last_of(element)))
    return result


def _with_places(page: Page, element: int, tag: str, number: int, first: int, last: int) -> MarkedElement:
    runs = page.runs
    start = runs.text_start.item(first) if first < len(runs) else len(page.text)
    end = runs.text_end.item(last - 1) if first < last else start
    return MarkedElement(element, tag, number, first, last, start, end)


def marked_with_text(page: Page, words: tuple[str, ...]) -> list[MarkedElement]:
    """Return the elements that `marked` returns, without those that contain no text."""
    return marked(page, words, with_text=True)


def text_of(page: Page, element: int) -> str:
    """Return the text inside an element, with line breaks."""
    elements, runs = page.elements, page.runs
    first, last = int(elements.first[element]), int(elements.last[element])
    return page.text[runs.text_start[first] : runs.text_end[last - 1]] if first < last else ""
