"""Elements by what their start tags say: the words of class and id, relations, addresses.

Start tags are put one behind the other and searched at once. Searching the whole source would take ten times as long,
for most of it is scripts.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from tidings.fields.kept import kept
from tidings.page import Page, tags
from tidings.page.columns import Ints, sums
from tidings.page.flow import among, tag_set

_NAMES: Final = re.compile(r"""\s(?:class|id)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++))""", re.IGNORECASE)
_HUMP: Final = re.compile(r"(?<=[a-z])(?=[A-Z])")
_WORD: Final = re.compile(r"[a-z]+")
#: Characters of a start tag that are read for names: what is longer holds data for scripts.
_LONGEST: Final = 2000
_LINK: Final = tags.NUMBERS["a"]
#: What no part of a page is called after: text inside a line, and what holds all.
_INLINE: Final = tag_set(
    frozenset(range(len(tags.NAMES))) - tags.BLOCK | tags.HEADINGS | tags.numbers("html body head p hr button option")
)


@dataclass(frozen=True, slots=True)
class Names:
    """The class names and the id of an element."""

    element: int
    names: list[str]


class StartTags:
    """The start tags of some elements, to be searched for words. Case does not count."""

    def __init__(self, page: Page, elements: Ints) -> None:
        self.elements = elements
        self.tags: list[str] = page._cut.tags[page._tree.opened[elements]].tolist()
        self._joined = "\n".join(self.tags).lower()
        if len(self._joined) != sum(map(len, self.tags)) + max(len(self.tags) - 1, 0):  # İ becomes two characters
            self._joined = "\n".join(tag.encode("ascii", "replace").decode() for tag in self.tags).lower()
        self._ends = np.cumsum(np.fromiter(map(len, self.tags), np.int64, len(self.tags)) + 1)

    def holding(self, words: Iterable[str]) -> Ints:
        """The places among the elements of those in whose start tag one of the words stands."""
        places = [place for word in words for place in _all(self._joined, word)]
        hit = np.zeros(len(self.tags), np.bool_)
        hit[np.searchsorted(self._ends, places, side="right")] = True
        return np.flatnonzero(hit)

    def named(self, words: Iterable[str]) -> list[Names]:
        """The names of the elements in whose start tag one of the words stands, in document order.

        Words are in lower case, and each may be a part of another.
        """
        found = self.holding(words)
        elements = self.elements[found].tolist()
        return [Names(element, names_of(self.tags[at])) for element, at in zip(elements, found.tolist(), strict=True)]


@kept
def boxes(page: Page) -> StartTags:
    """The boxes of a page that hold text a reader sees."""
    elements = page.elements
    shown = sums(~page.runs.hidden)
    asked = (shown[elements.last] > shown[elements.first]) & ~among(elements.tag, _INLINE)
    return StartTags(page, np.flatnonzero(asked))


@kept
def links(page: Page) -> StartTags:
    """The links of a page."""
    return StartTags(page, np.flatnonzero(page.elements.tag == _LINK))


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """The words of a name, numbers left out: `li-comment-12` and `liComment12` are li, comment."""
    return tuple(_WORD.findall(_HUMP.sub(" ", name).lower()))


def names_of(tag: str) -> list[str]:
    """The class names and the id of a start tag."""
    return " ".join(map("".join, _NAMES.findall(tag[:_LONGEST]))).split()


def _all(text: str, word: str) -> list[int]:
    """Where a word stands, once for each line."""
    places = []
    place = text.find(word)
    while place >= 0:
        places.append(place)
        place = text.find("\n", place)
        if place >= 0:
            place = text.find(word, place)
    return places
