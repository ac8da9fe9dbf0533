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


def marked(
    page: Page, words: tuple[str, ...], *, with_text: bool = False, before: int | None = None
) -> list[MarkedElement]:
    """Return elements whose start tag holds one of the words, in document order; "uthor" finds "postAuthor".

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
    found: list[MarkedElement] = []
    for element in which.tolist():
        number, first, last = tag_of(element), first_of(element), last_of(element)
        if number in _SKIPPED or (with_text and first == last):
            continue
        at = 2 * opened(element)
        tag = source[bounds(at + 1) : bounds(at + 2)]
        for word in words:
            if word in tag:
                found.append(_with_places(page, element, tag, number, first, last))
                break
        if len(found) == _MOST:
            break
    return found


def elements_of(page: Page, which: Ints) -> list[MarkedElement]:
    """Some elements that have start tags, with those."""
    source, opened, bounds = page.cut.source, page.opened, page.cut.bounds
    tag_of, first_of, last_of = page.elements.tag.item, page.elements.first.item, page.elements.last.item
    found = []
    for element in which.tolist():  # a few: of each its own numbers are sooner read than columns of all
        at = 2 * opened.item(element)
        tag = source[bounds.item(at + 1) : bounds.item(at + 2)]
        found.append(_with_places(page, element, tag, tag_of(element), first_of(element), last_of(element)))
    return found


def _with_places(page: Page, element: int, tag: str, number: int, first: int, last: int) -> MarkedElement:
    runs = page.runs
    start = runs.text_start.item(first) if first < len(runs) else len(page.text)
    end = runs.text_end.item(last - 1) if first < last else start
    return MarkedElement(element, tag, number, first, last, start, end)


def marked_with_text(page: Page, words: tuple[str, ...]) -> list[MarkedElement]:
    """Return the same of elements that hold text."""
    return marked(page, words, with_text=True)


def text_of(page: Page, element: int) -> str:
    """Return the text inside an element, lines kept apart."""
    elements, runs = page.elements, page.runs
    first, last = int(elements.first[element]), int(elements.last[element])
    return page.text[runs.text_start[first] : runs.text_end[last - 1]] if first < last else ""
