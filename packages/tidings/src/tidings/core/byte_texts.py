"""The bytes of a page or text, cleaned by the core before anything reads them."""

from __future__ import annotations

from typing import NamedTuple

from tidings.core import library
from tidings.core.answers import ask


class CleanPage(NamedTuple):
    """The bytes of a page with line feeds for line ends and without invisible characters, and what they are."""

    data: bytes  # as they were if they are not UTF-8 or have a NUL
    width: int  # bytes of a character in the narrowest str that holds the page; 0 if the page is not UTF-8
    size: int  # how many characters there are
    has_nul: bool
    has_escape: bool
    has_controls: bool  # maybe: near the beginning are characters that texts seldom have
    removed: list[int]  # how many invisible characters were removed, by class (`tidings.page.invisible.CLASSES`)


def clean_page(data: bytes) -> CleanPage:
    """Return the clean bytes of a page.

    Raises:
        CoreMissing: there is no core.
        CoreError: the core failed.
    """
    answer = ask(library().tidings_clean, data, len(data), True)
    width, is_changed, size, has_nul, has_escape, has_controls, *removed = answer.numbers
    clean = answer.data if is_changed else data
    return CleanPage(clean, width, size, bool(has_nul), bool(has_escape), bool(has_controls), removed)


def without_invisible(data: bytes) -> tuple[bytes, list[int]]:
    """Return UTF-8 without invisible characters (`core/src/invisible.rs`), and how many were removed, by class.

    Raises:
        CoreMissing: there is no core.
        CoreError: the core failed.
    """
    answer = ask(library().tidings_clean, data, len(data), False)
    _, is_changed, _, _, _, _, *removed = answer.numbers
    return answer.data if is_changed else data, removed
