"""Character references in text and in attributes (HTML standard, 13.2.5.72 ff.).

The standard library decodes them in text. It fails for numbers of thousands of digits, and does not implement the rule
for attributes: a name without semicolon is literal if a letter, a digit or `=` follows, so that `?id=1&section=2` is
unchanged.
"""

from __future__ import annotations

import re
from html import unescape as _unescape
from html.entities import html5
from typing import Final

_IN_ATTRIBUTE: Final = re.compile(r"&(?:#[0-9]+;?|#[xX][0-9a-fA-F]+;?|([a-zA-Z][a-zA-Z0-9]*+)(;|=)?)")
#: The usual form of references. Few distinct ones occur, so they are cached.
_PLAIN: Final = re.compile(r"&(?:#[0-9]{1,7}|[a-zA-Z][a-zA-Z0-9]{1,31}|#[xX][0-9a-fA-F]{1,6});")
_CACHE_SIZE: Final = 4096
#: Python rejects longer numbers; no code point has more than seven digits.
_ENDLESS_NUMBER: Final = re.compile(r"&#0*[0-9]{8,};?")


class _KnownReferences(dict[str, str]):
    """A cache of decoded character references."""

    def __missing__(self, reference: str) -> str:
        if len(self) >= _CACHE_SIZE:
            self.clear()
        return self.setdefault(reference, _unescape(reference))


_decoded_references: Final = _KnownReferences()


def unescape(text: str) -> str:
    """Decode the character references in a text."""
    decoded, count = _PLAIN.subn(lambda match: _decoded_references[match[0]], text)
    if "&" not in decoded or count == text.count("&"):
        return decoded
    try:
        return _unescape(text)
    except ValueError:
        return _unescape(_ENDLESS_NUMBER.sub("\ufffd", text))


def unescape_attribute(value: str) -> str:
    """Decode the character references in an attribute value."""
    references = value.count("&")
    if not references:
        return value
    if references == value.count("&amp;") + value.count("&quot;"):  # the common case
        return value.replace("&quot;", '"').replace("&amp;", "&")
    return _IN_ATTRIBUTE.sub(_decoded, value)


def _decoded(match: re.Match[str]) -> str:
    whole, name, behind = match[0], match[1], match[2]
    if name is None:
        return unescape(whole)
    if behind == ";":
        return html5.get(name + ";", whole)
    return whole if behind == "=" else html5.get(name, whole)
