"""Which operations a test is about: so that none goes without one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T", bound=Callable[..., Any])

COVERED: set[str] = set()


def covers(*names: str) -> Callable[[T], T]:
    """The operations that a test is about, by their names."""

    def kept(test: T) -> T:
        COVERED.update(names)
        return test

    return kept
