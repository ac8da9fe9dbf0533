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

    def __init__(self, elements: Ints, spellings: list[str], spelling: Ints) -> None:
        self.elements = elements
        self._spellings, self._spelling = spellings, spelling  # each once, and that of each element
        self._names: dict[int, list[str]] = {}  # of those spellings that were asked for
        self._ends = np.cumsum(np.fromiter(map(len, spellings), np.int64, len(spellings)) + 1)
        self._joined = "\n".join(spellings).lower()
        if len(self._joined) != int(self._ends[-1:].sum()) - bool(spellings):  # İ becomes two characters
            self._joined = "\n".join(tag.encode("ascii", "replace").decode() for tag in spellings).lower()

    def tag(self, place: int) -> str:
        """The start tag of the element at a place."""
        return self._spellings[int(self._spelling[place])]

    def holding(self, words: Iterable[str]) -> Ints:
        """The places among the elements of those in whose start tag one of the words stands."""
        places = [place for word in words for place in _all(self._joined, word)]
        if not places:
            return np.zeros(0, np.int64)
        hit = np.zeros(len(self._ends), np.bool_)
        hit[np.searchsorted(self._ends, places, side="right")] = True
        return np.flatnonzero(hit[self._spelling])

    def named(self, words: Iterable[str]) -> list[Names]:
        """The names of the elements in whose start tag one of the words stands, in document order.

        Words are in lower case, and each may be a part of another.
        """
        return self.names(self.holding(words))

    def names(self, places: Ints) -> list[Names]:
        """The names of the elements at some places."""
        known, found = self._names, []
        for element, spelling in zip(self.elements[places].tolist(), self._spelling[places].tolist(), strict=True):
            if spelling not in known:
                known[spelling] = names_of(self._spellings[spelling])
            found.append(Names(element, known[spelling]))
        return found


@kept
def boxes(page: Page) -> StartTags:
    """The boxes of a page that hold text a reader sees."""
    elements = page.elements
    shown = sums(~page.runs.hidden)
    asked = (shown[elements.last] > shown[elements.first]) & ~among(elements.tag, _INLINE)
    which = np.flatnonzero(asked)
    return StartTags(which, *page.start_tags.of(which))


@kept
def links(page: Page) -> StartTags:
    """The links of a page."""
    which = np.flatnonzero(page.elements.tag == _LINK)
    return StartTags(which, page.cut.tags(page.opened[which]), np.arange(len(which)))


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
