"""Attributes of a start tag, read from the source when somebody asks (HTML standard, 13.2.5.32 to 13.2.5.39)."""

from __future__ import annotations

import re
from typing import Final

from tidings.page.references import unescape_attribute

# One attribute behind another, up to the `>` that ends the tag; what follows is not a tag any more.
_ATTRIBUTE: Final = re.compile(
    r"""[\s/]*+([^\s/>][^\s/>=]*+)(?:\s*+=\s*+(?:"([^"]*+)"?|'([^']*+)'?|([^\s>"'][^\s>]*+))?+)?+""", re.ASCII
)
_NAME: Final = re.compile(r"<[a-zA-Z][^\s/>]*+", re.ASCII)
#: A tag as nearly all are written: names, each with a value in double quotes. It is read in half the time.
_PAIR: Final = r"""\s++([a-z_:@][a-z0-9_:@.\-]*+)="([^"]*+)\""""
_USUAL: Final = re.compile(rf"<[a-zA-Z][^\s/>]*+(?:{_PAIR})*+\s*+/?+>", re.ASCII)
_PAIRS: Final = re.compile(_PAIR, re.ASCII)


def attributes(tag: str) -> dict[str, str]:
    """Return the attributes of a start tag: names lower-cased, values decoded, the first of equals."""
    found: dict[str, str]
    if _USUAL.fullmatch(tag):
        pairs: list[tuple[str, str]] = _PAIRS.findall(tag)
        found = dict(pairs)
        if "&" not in tag and len(found) == len(pairs):
            return found
        found = {}
        for name, value in pairs:
            found.setdefault(name, unescape_attribute(value) if "&" in value else value)
        return found
    found = {}
    match = _NAME.match(tag)
    while match is not None:
        match = _ATTRIBUTE.match(tag, match.end())
        if match is not None:
            key, double, single, bare = match.groups()
            value = double if double is not None else single if single is not None else bare or ""
            found.setdefault(key.lower(), unescape_attribute(value) if "&" in value else value)
    return found
