"""The Python interface of the compiled core: `native` declares its functions, and the other modules wrap them.

This package imports nothing from other parts of Tidings except the errors. `tidings.page.compiled` passes the tables of
tags and characters.
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
