"""Attributes of a start tag, read from the source when somebody asks (HTML standard, 13.2.5.32 to 13.2.5.39)."""

from __future__ import annotations

import re
from html import unescape
from typing import Final

_ATTRIBUTE: Final = re.compile(
    r"""([^\s/>=][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s>"'][^\s>]*+)))?+""",
)
_NAME: Final = re.compile(r"<[a-zA-Z][^\s/>]*+")


def attributes(source: str, start: int, end: int) -> dict[str, str]:
    """The attributes of the tag at `source[start:end]`: names lower-cased, values decoded, the first of equals."""
    name = _NAME.match(source, start, end)
    found: dict[str, str] = {}
    if name is None:
        return found
    for match in _ATTRIBUTE.finditer(source, name.end(), end):
        key, double, single, bare = match.groups()
        value = double if double is not None else single if single is not None else bare or ""
        found.setdefault(key.lower(), unescape(value) if "&" in value else value)
    return found
