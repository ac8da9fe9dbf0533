"""Per-page memoisation for functions of a `Page`."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

from tidings.budget import check
from tidings.page import Page

T = TypeVar("T")


def memoized(function: Callable[[Page], T]) -> Callable[[Page], T]:
    """Decorate a function of a page so that it runs once for each page. A part of a page counts as another page."""

    @wraps(function)
    def cached(page: Page) -> T:
        memo: dict[object, T] = page.memo
        try:
            return memo[function]  # the common case
        except KeyError:
            check()
            value = function(page)
        memo[function] = value
        return value

    return cached
