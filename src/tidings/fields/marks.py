"""Elements that say in an attribute what they hold: class names, ids, microdata, relations.

Attributes are read only where one of the asked words stands, so asking costs a search of the start tags, put one
behind the other, and not a look at every element.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.fields.kept import kept
from tidings.page import Page, tags
from tidings.page.columns import Ints
from tidings.page.flow import among, tag_set

#: A page may hold a word thousands of times; what is behind so many elements is not looked at.
_MOST: Final = 400
_ASKED: Final = (
    "class",
    "id",
    "itemprop",
    "rel",
    "property",
    "name",
    "data-testid",
    "data-component",
    "data-qa",
    "href",
)
_SKIPPED: Final = tag_set(tags.RAW | tags.numbers("svg link meta"))


@dataclass(frozen=True, slots=True)
class Mark:
    """An element with a telling attribute."""

    element: int
    attributes: Mapping[str, str]


def marked(page: Page, words: Iterable[str]) -> list[Mark]:
    """Elements whose start tag holds one of the words, in document order; "uthor" finds "postAuthor"."""
    elements, joined, ends = _start_tags(page)
    places: list[int] = []
    for word in words:
        at = joined.find(word)
        most = len(places) + _MOST
        while at >= 0 and len(places) < most:
            places.append(at)
            at = joined.find("\0", at)
            at = joined.find(word, at) if at >= 0 else at
    found = np.unique(np.searchsorted(ends, places, side="right"))
    return [Mark(element, page.attributes(element)) for element in elements[found].tolist()]


@kept
def _start_tags(page: Page) -> tuple[Ints, str, Ints]:
    """The elements that may be marked, their start tags one behind the other, and where each of them ends."""
    tag = page.elements.tag
    elements = np.flatnonzero(~among(tag, _SKIPPED) & (tag > 0))
    opened, cut = page._tree.opened[elements], page._cut
    joined = "\0".join(cut.tags[opened].tolist())
    return elements, joined, np.cumsum((cut.tag_end - cut.tag_start)[opened] + 1)


def text_of(page: Page, element: int) -> str:
    """The text inside an element, lines kept apart."""
    elements, runs = page.elements, page.runs
    first, last = int(elements.first[element]), int(elements.last[element])
    return page.text[runs.text_start[first] : runs.text_end[last - 1]] if first < last else ""
