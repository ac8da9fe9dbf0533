"""Elements that say in an attribute what they hold: class names, ids, microdata, relations.

Attributes are read from the source only where one of the asked words stands, so asking costs a search of the source
and not a look at every element.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.page import Page, tags

#: A script may hold a word thousands of times; what is behind so many hits is not looked at.
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
_SKIPPED: Final = tags.RAW | tags.numbers("svg link meta")


@dataclass(frozen=True, slots=True)
class Mark:
    """An element with a telling attribute."""

    element: int
    attributes: Mapping[str, str]


def marked(page: Page, words: Iterable[str]) -> list[Mark]:
    """Elements whose start tag holds one of the words, in document order; "uthor" finds "postAuthor"."""
    source = page.source
    places: list[int] = []
    for word in words:
        at = source.find(word)
        count = 0
        while at >= 0 and count < _MOST:
            places.append(at)
            count += 1
            at = source.find(word, at + len(word))
    if not places:
        return []
    starts = page.elements.start
    places.sort()
    owner = np.searchsorted(starts, places, side="right") - 1
    found: list[Mark] = []
    last = 0
    for element, place in zip(owner.tolist(), places, strict=True):
        if element <= last or int(page.elements.tag[element]) in _SKIPPED:
            continue
        if source.find(">", int(starts[element]), place) >= 0:
            continue  # the word stands in the text
        last = element
        found.append(Mark(element, page.attributes(element)))
    return found


def text_of(page: Page, element: int) -> str:
    """The text inside an element, lines kept apart."""
    elements, runs = page.elements, page.runs
    first, last = int(elements.first[element]), int(elements.last[element])
    return page.text[runs.text_start[first] : runs.text_end[last - 1]] if first < last else ""
