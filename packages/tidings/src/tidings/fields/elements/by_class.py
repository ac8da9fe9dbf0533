"""Elements selected by class and id words, and links selected by relation and URL."""

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
#: Characters of a start tag that are searched for names; longer tags contain script data.
_LONGEST: Final = 2000
_LINK: Final = tags.NUMBERS["a"]
_NONE: Final = np.empty(0, np.int64)


class Names(NamedTuple):
    """The class names and the id of an element."""

    element: int
    names: list[str]


def boxes_holding(page: Page, words: tuple[str, ...]) -> Ints:
    """Return the elements with visible text whose start tag contains one of the lower-case words, in document order."""
    bits = TELLING.bits(words)
    if bits is None:
        elements = page.holding(words)
        return np.asarray(elements[are_boxes(page, elements)])
    if not page.held_words.telling[2] & int(bits):
        return _NONE
    elements, tag_words = _telling_boxes(page)
    return np.asarray(elements[(tag_words & bits) > 0])


@memoized
def _telling_boxes(page: Page) -> tuple[Ints, Held]:
    """Return the elements with visible text whose start tags contain words of `TELLING` (words such as "author"), with
    a bit set of the words of each.
    """
    return page.held_words.boxes


def links_holding(page: Page, words: tuple[str, ...]) -> Ints:
    """Return the links whose start tag contains one of the lower-case words, in document order."""
    return page.holding(words, _LINK)


def names(page: Page, elements: Ints) -> list[Names]:
    """Return the class names and id of each of some elements."""
    result: list[Names] = []
    if not len(elements):
        return result
    names_by_tag: dict[str, list[str]] = page.memo.setdefault(names, {})  # lists repeat the same tags
    for element, tag in zip(elements.tolist(), page.cut.tags(page.opened[elements]), strict=True):
        if tag not in names_by_tag:
            names_by_tag[tag] = names_of(tag)
        result.append(Names(element, names_by_tag[tag]))
    return result


@lru_cache(maxsize=4096)
def words_of(name: str) -> tuple[str, ...]:
    """Return the words of a class name or id without its numbers: "li-comment-12" and "liComment" give li, comment."""
    return tuple(_WORD.findall(_HUMP.sub(" ", name).lower()))


def names_of(tag: str) -> list[str]:
    """Return the class names and the id of a start tag."""
    return " ".join(map("".join, _NAMES.findall(tag[:_LONGEST]))).split()
