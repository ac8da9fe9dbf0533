"""Character references, in text and in attributes (HTML standard, 13.2.5.72 ff.).

The standard library decodes them in text. What it does not know: a number of thousands of digits is no reason to
fail, and in an attribute a name without semicolon stands for itself when a letter, a digit or `=` follows, so that
`?id=1&section=2` stays what it is.
"""

from __future__ import annotations

import re
from html import unescape as _unescape
from html.entities import html5
from typing import Final

_IN_ATTRIBUTE: Final = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|([a-zA-Z][a-zA-Z0-9]*+)(;|=)?)")
#: References as most are written. Few are used, and they are used again and again.
_PLAIN: Final = re.compile(r"&(?:#[0-9]{1,7}|[a-zA-Z][a-zA-Z0-9]{1,31}|#[xX][0-9a-fA-F]{1,6});")
_KEPT: Final = 4096
#: Python refuses to read longer numbers; no character has more than seven digits.
_ENDLESS_NUMBER: Final = re.compile(r"&#0*[0-9]{8,};?")


class _KnownReferences(dict[str, str]):
    """What plain references stand for."""

    def __missing__(self, reference: str) -> str:
        if len(self) >= _KEPT:
            self.clear()
        return self.setdefault(reference, _unescape(reference))


_known: Final = _KnownReferences()


def unescape(text: str) -> str:
    """Return the text with its character references decoded."""
    told, count = _PLAIN.subn(lambda match: _known[match[0]], text)
    if "&" not in told or count == text.count("&"):
        return told
    try:
        return _unescape(text)
    except ValueError:
        return _unescape(_ENDLESS_NUMBER.sub("\ufffd", text))


def unescape_attribute(value: str) -> str:
    """Return an attribute's value with its character references decoded."""
    references = value.count("&")
    if not references:
        return value
    if references == value.count("&amp;") + value.count("&quot;"):  # nearly always
        return value.replace("&quot;", '"').replace("&amp;", "&")
    return _IN_ATTRIBUTE.sub(_decoded, value)


def _decoded(match: re.Match[str]) -> str:
    whole, name, behind = match[0], match[1], match[2]
    if name is None:
        return unescape(whole)
    if behind == ";":
        return html5.get(name + ";", whole)
    return whole if behind == "=" else html5.get(name, whole)
