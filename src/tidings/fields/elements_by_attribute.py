"""Elements that say in an attribute what they hold: class names, ids, microdata, relations.

Attributes are read only where one of the asked words stands in the start tag, and only when somebody asks for them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from tidings.page import Page, tags
from tidings.page.attributes import attributes
from tidings.page.flow import among, tag_set

#: A page may hold a word thousands of times; what is behind so many elements is not looked at.
_MOST: Final = 400
#: Raw text, and what tells nothing by being marked.
_SKIPPED: Final = tag_set(tags.RAW | tags.numbers("svg link meta img source input br hr wbr"))


class MarkedElement:
    """An element with a telling start tag."""

    __slots__ = ("_attributes", "element", "tag")

    def __init__(self, element: int, tag: str) -> None:
        self.element, self.tag = element, tag
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
    which, elements = page.holding(_small(words)), page.elements
    if not len(which):
        return []
    if with_text:
        which = which[elements.first[which] < elements.last[which]]
    which = which[~among(elements.tag[which], _SKIPPED)]
    pairs = zip(which.tolist(), page.cut.tags(page.opened[which]), strict=True)
    return [MarkedElement(element, tag) for element, tag in pairs if _holds(tag, words)][:_MOST]


def _holds(tag: str, words: tuple[str, ...]) -> bool:
    for word in words:  # noqa: SIM110  # `any` takes three times as long
        if word in tag:
            return True
    return False


def marked_with_text(page: Page, words: tuple[str, ...]) -> list[MarkedElement]:
    """The same of elements that hold text."""
    return marked(page, words, with_text=True)


def text_of(page: Page, element: int) -> str:
    """The text inside an element, lines kept apart."""
    elements, runs = page.elements, page.runs
    first, last = int(elements.first[element]), int(elements.last[element])
    return page.text[runs.text_start[first] : runs.text_end[last - 1]] if first < last else ""
