"""The compiled core, as Python sees it: `native` has its functions, the other modules what is made of their results.

This package imports nothing of Tidings but its errors. `tidings.page.compiled` hands over the tables of tags and
characters.
"""

from __future__ import annotations

from tidings.core.native import (
    CoreMemory,
    CoreState,
    Handle,
    address_of,
    failed,
    failures,
    free,
    give_back,
    library,
    new,
    state,
)
from tidings.core.pages import ElementsWithWords, PageColumns, Scanner, tag_words

__all__ = [
    "CoreMemory",
    "CoreState",
    "ElementsWithWords",
    "Handle",
    "PageColumns",
    "Scanner",
    "address_of",
    "failed",
    "failures",
    "free",
    "give_back",
    "library",
    "new",
    "state",
    "tag_words",
]
