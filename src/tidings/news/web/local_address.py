"""Where to go after a form: a page of this house and nothing else (HOSTILE 25)."""

from __future__ import annotations

import re
from typing import Final

#: A path from the root: no second slash or backslash (another host), no control sign (browsers drop tabs and newlines).
_LOCAL: Final = re.compile(r"/(?![/\\])[!-\[\]-~]{0,1999}")


def local(address: str, default: str = "/") -> str:
    """The address if it is a page of this house, else the default."""
    return address if _LOCAL.fullmatch(address) else default
