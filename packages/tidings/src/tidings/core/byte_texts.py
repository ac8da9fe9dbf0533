"""Cleaning of the bytes of a page or text, before anything parses them."""

from __future__ import annotations

from typing import NamedTuple

from tidings.core import library
from tidings.core.answers import ask


class CleanPage(NamedTuple):
    """The bytes of a page after cleaning (line ends normalised, invisible characters removed), with their size and the
    kinds of control characters.
    """

    data: bytes  # unchanged if they are not UTF-8 or contain a NUL
    width: int  # bytes per character in the narrowest str; 0 if not UTF-8
    size: int  # number of characters
    has_nul: bool
    has_escape: bool
    has_controls: bool  # whether unusual control characters are near the beginning
    removed: list[int]  # removed characters by class (`page.invisible.CLASSES`)


def clean_page(data: bytes) -> CleanPage:
    """Clean the bytes of a page.

    Raises:
        CoreMissing: there is no core.
        CoreError: the core failed.
    """
    answer = ask(library().tidings_clean, data, len(data), True)
    width, is_changed, size, has_nul, has_escape, has_controls, *removed = answer.numbers
    clean = answer.data if is_changed else data
    return CleanPage(clean, width, size, bool(has_nul), bool(has_escape), bool(has_controls), removed)


def without_invisible(data: bytes) -> tuple[bytes, list[int]]:
    """Remove invisible characters from UTF-8 (`core/src/invisible.rs`), and return their number by class.

    Raises:
        CoreMissing: there is no core.
        CoreError: the core failed.
    """
    answer = ask(library().tidings_clean, data, len(data), False)
    _, is_changed, _, _, _, _, *removed = answer.numbers
    return answer.data if is_changed else data, removed
