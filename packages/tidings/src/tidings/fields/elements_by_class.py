"""Elements by what their start tags say: boxes by the words of class and id, links by relations and addresses."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np

from tidings.fields.memo import memoized
from tidings.page import Page, tags
from tidings.page.columns import Ints
from tidings.page.tag_words import TELLING, Held, are_boxes
from tidings.text.patterns import late_pattern

_NAMES: Final = late_pattern(r"""\s(?:class|id)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)'|([^\s>"']++))""", re.IGNORECASE)
_HUMP: Final = late_pattern(r"(?<=[a-z])(?=[A-Z])")
_WORD: Final = late_pattern(r"[a-z]+")
#: Characters of a start tag that are read for names: what is longer holds data for scripts.
_LONGEST: Final = 2000
_LINK: Final = tags.NUMBERS["a"]
_NONE: Final = np.empty(0, np.int64)


class Names(NamedTuple):
    """The class names and the id of an element."""

    element: int
    names: list[str]


def boxes_holding(page: Page, words: tuple[str, ...]) -> Ints:
    """Return the boxes that hold text a reader sees and in whose start tag one of the words stands, in document order.

    Words are in small letters.
    """
    bits = TELLING.bits(words)
    if bits is None:
        found = page.holding(words)
        return np.asarray(found[are_boxes(page, found)])
    if not page.held_words.telling[2] & int(bits):
        return _NONE
    found, held = _telling_boxes(page)
    return np.asarray(found[(held & bits) > 0])


@memoized
def _telling_boxes(page: Page) -> tuple[Ints, Held]:
    """Return the boxes that hold a word which is asked for on every page, and their words: several fields ask for
    some.
    """
    return page.held_words.boxes


def links_holding(page: Page, words: tuple[str, ...]) -> Ints:
    """Return the links in whose start tag one of the words stands, in document order. Words are in small letters."""
    return page.holding(words, _LINK)


def names(page: Page, elements: Ints) -> list[Names]:
    """Return the names of some elements."""
    found: list[Names] = []
    if not len(elements):
        return found
    known: dict[str, list[str]] = page.memo.setdefault(names, {})  # lists repeat the same tags
    for element, tag in zip(elements.tolist(), page.cut.tags(page.opened[elements]), strict=True):
        if tag not in known:
            known[tag] = names_of(tag)
        found.append(Names(element, known[tag]))
    return found


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a name, numbers left out: `li-comment-12` and `liComment12` are li, comment."""
    return tuple(_WORD.findall(_HUMP.sub(" ", name).lower()))


def names_of(tag: str) -> list[str]:
    """Return the class names and the id of a start tag."""
    return " ".join(map("".join, _NAMES.findall(tag[:_LONGEST]))).split()
