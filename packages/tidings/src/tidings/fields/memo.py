"""What is worked out of a page once and kept with it, as the page keeps its own columns: several fields ask for it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from tidings.budget import check
from tidings.page import Page

T = TypeVar("T")


def memoized(function: Callable[[Page], T]) -> Callable[[Page], T]:
    """Return a function of a page that runs once for each page. A part of a page is another page."""

    @wraps(function)
    def asked(page: Page) -> T:
        known: dict[object, T] = page.memo
        try:
            return known[function]  # as mostly
        except KeyError:
            check()
            found = function(page)
        known[function] = found
        return found

    return asked
