"""Attributes of start tags, parsed on demand (HTML standard, 13.2.5.32 to 13.2.5.39)."""

from __future__ import annotations

import re
from typing import Final

from tidings.page.references import unescape_attribute

# An attribute, up to the `>` that ends the tag.
_ATTRIBUTE: Final = re.compile(
    r"""[\s/]*+([^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s>"'][^\s>]*+))?+)?+""", re.ASCII
)
_NAME: Final = re.compile(r"<[a-zA-Z][^\s/>]*+", re.ASCII)
#: The usual form of a tag: all values in double quotes. Parsing it takes half the time.
_PAIR: Final = r"""\s++([a-z_:@][a-z0-9_:@.\-]*+)="([^"]*+)\""""
_USUAL: Final = re.compile(rf"<[a-zA-Z][^\s/>]*+(?:{_PAIR})*+\s*+/?+>", re.ASCII)
_PAIRS: Final = re.compile(_PAIR, re.ASCII)


def attributes(tag: str) -> dict[str, str]:
    """Parse the attributes of a start tag: lower-case names, decoded values, the first of duplicates."""
    result: dict[str, str]
    if _USUAL.fullmatch(tag):
        pairs: list[tuple[str, str]] = _PAIRS.findall(tag)
        result = dict(pairs)
        if "&" not in tag and len(result) == len(pairs):
            return result
        result = {}
        for name, value in pairs:
            result.setdefault(name, unescape_attribute(value) if "&" in value else value)
        return result
    result = {}
    match = _NAME.match(tag)
    while match is not None:
        match = _ATTRIBUTE.match(tag, match.end())
        if match is not None:
            key, double, single, bare = match.groups()
            value = double if double is not None else single if single is not None else bare or ""
            result.setdefault(key.lower(), unescape_attribute(value) if "&" in value else value)
    return result
