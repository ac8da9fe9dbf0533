"""Lookup tables of tags and characters for the core's block features."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.page import counts, tags

_COMMA, _STOP, _COLON, _DIGIT, _UPPER, _QUOTE, _BAR = 1, 2, 4, 8, 16, 32, 64
_LAYOUT: Final = tags.numbers(
    "html body div center form fieldset table thead tbody tfoot tr td th ul ol dl "
    "article section main aside nav header footer figure details blockquote"
)
#: Sets of tags in the order of the features `is_…`, `inline_…` and `in_…` (`core/src/look/features.tsv`).
_OWN: Final = (
    "p", "div", "li", "td th", "h1", "h2", "h3", "h4 h5 h6", "blockquote", "figcaption caption", "pre listing xmp",
    "dt dd", "button option label legend summary select textarea",
)  # fmt: skip
_INLINE: Final = ("b strong", "em i", "span font", "small sub sup", "time")
_AROUND: Final = (
    "article", "main", "nav menu", "header", "footer", "aside", "form", "ul ol", "table", "figure", "section",
    "details dialog", "blockquote", "pre code",
)  # fmt: skip
_NO_HEADING: Final = 9
#: Rows of the tables: the last is for tags outside the standard.
_ROWS: Final = len(tags.NAMES) + 1


@cache
def mark_kinds() -> NDArray[np.uint8]:
    """Return a bit set of punctuation classes for each code point of the basic plane."""
    characters = counts.characters()
    is_digit, is_upper = characters & counts.DIGIT, characters & counts.UPPER
    marks = np.where(is_digit, _DIGIT, np.where(is_upper, _UPPER, 0)).astype(np.uint8)
    for kind, signs in (
        (_COMMA, ",،、，;；·"),
        (_STOP, ".!?。！？؟।۔…"),
        (_COLON, ":："),
        (_QUOTE, "\"'“”„«»‘’「」『』"),
        (_BAR, "|•›»→/©·"),
    ):
        marks[[ord(sign) for sign in signs]] |= kind
    return marks


def is_layout() -> NDArray[np.uint8]:
    """Return for each tag whether it is a layout box."""
    table = np.zeros(_ROWS, np.uint8)
    table[list(_LAYOUT)] = 1
    return table


def own_tags() -> NDArray[np.uint16]:
    """Return for each tag the features `is_…` that it sets, as a bit set."""
    return _bits(_OWN).astype(np.uint16)


def inline_tags() -> NDArray[np.uint8]:
    """Return for each tag the features `inline_…` that it sets, as a bit set."""
    return _bits(_INLINE).astype(np.uint8)


def tags_around() -> NDArray[np.uint8]:
    """Return for each tag the index of the feature `in_…` that it sets for its content.

    Tags without such a feature get the number of these features.
    """
    table = np.full(_ROWS, len(_AROUND), np.uint8)
    for number, names in enumerate(_AROUND):
        table[list(tags.numbers(names))] = number
    return table


def heading_levels() -> NDArray[np.uint8]:
    """Return for each tag its heading level from 0, or 9 if it is no heading."""
    table = np.full(_ROWS, _NO_HEADING, np.uint8)
    table[[tags.NUMBERS[name] for name in ("h1", "h2", "h3", "h4", "h5", "h6")]] = range(6)
    return table


def _bits(sets: Iterable[str]) -> NDArray[np.int64]:
    table = np.zeros(_ROWS, np.int64)
    for bit, names in enumerate(sets):
        table[list(tags.numbers(names))] |= 1 << bit
    return table
