"""Elements that say in an attribute what they hold: class names, ids, microdata, relations.

Attributes are read only where one of the asked words stands, so asking costs a search of the start tags, put one
behind the other, and not a look at every element.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from tidings.fields.kept import kept
from tidings.page import Page, tags
from tidings.page.attributes import attributes
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
#: Raw text, and what tells nothing by being marked: most of the characters of start tags are those of pictures.
_SKIPPED: Final = tag_set(tags.RAW | tags.numbers("svg link meta img source input br hr wbr"))


@dataclass(frozen=True, slots=True)
class Mark:
    """An element with a telling attribute."""

    element: int
    attributes: Mapping[str, str]


def marked(page: Page, words: Collection[str]) -> list[Mark]:
    """Elements whose start tag holds one of the words, in document order; "uthor" finds "postAuthor"."""
    return _all(page).marked(words)


def marked_with_text(page: Page, words: Collection[str]) -> list[Mark]:
    """The same of elements that hold text, which takes half as long."""
    return _with_text(page).marked(words)


class _StartTags(NamedTuple):
    """Elements that may be marked, how each is spelled, the spellings, and where each ends in all of them."""

    elements: Ints
    spelling: Ints
    spellings: list[str]
    joined: str
    ends: Ints

    @classmethod
    def of(cls, elements: Ints, spelling: Ints, spellings: list[str]) -> _StartTags:
        ends = np.cumsum(np.fromiter(map(len, spellings), np.int64, len(spellings)) + 1)
        return cls(elements, spelling, spellings, "\0".join(spellings), ends)

    def marked(self, words: Collection[str]) -> list[Mark]:
        places = [place for word in words for place in _places(self.joined, word)]
        holds = np.zeros(len(self.ends), np.bool_)
        holds[np.searchsorted(self.ends, places, side="right")] = True
        told = {one: attributes(self.spellings[one]) for one in np.flatnonzero(holds).tolist()}
        which = np.flatnonzero(holds[self.spelling])
        which = which[np.argsort(self.elements[which])][:_MOST]
        pairs = zip(self.elements[which].tolist(), self.spelling[which].tolist(), strict=True)
        return [Mark(element, told[one]) for element, one in pairs]


def _places(joined: str, word: str) -> list[int]:
    """Where a word stands, once in each tag."""
    places: list[int] = []
    at = joined.find(word)
    while at >= 0 and len(places) < _MOST:
        places.append(at)
        at = joined.find("\0", at)
        at = joined.find(word, at) if at >= 0 else at
    return places


@kept
def _with_text(page: Page) -> _StartTags:
    elements = page.elements
    which = np.flatnonzero(~among(elements.tag, _SKIPPED) & (elements.tag > 0) & (elements.first < elements.last))
    spellings, spelling = page.start_tags.of(which)
    return _StartTags.of(which, spelling, spellings)


@kept
def _all(page: Page) -> _StartTags:
    elements, known = page.elements, _with_text(page)
    which = np.flatnonzero(~among(elements.tag, _SKIPPED) & (elements.tag > 0) & (elements.first == elements.last))
    others: list[str] = page.cut.tags(page.opened[which])
    spelling = np.concatenate((known.spelling, len(known.spellings) + np.arange(len(which))))
    return _StartTags.of(np.concatenate((known.elements, which)), spelling, known.spellings + others)


def text_of(page: Page, element: int) -> str:
    """The text inside an element, lines kept apart."""
    elements, runs = page.elements, page.runs
    first, last = int(elements.first[element]), int(elements.last[element])
    return page.text[runs.text_start[first] : runs.text_end[last - 1]] if first < last else ""
