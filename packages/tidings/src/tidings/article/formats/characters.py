"""Replacement of characters that markup and terminals cannot represent.

Other invisible characters are preserved, because joiners (ZWNJ, ZWJ) and direction marks belong to right-to-left text.
"""

from __future__ import annotations

import re
from typing import Final

from tidings.text.patterns import late_pattern

_LINE_END: Final = re.compile(r"\r\n?")
# Characters outside XML 1.0, 2.2 (Char), and terminal control characters.
_ILLEGAL: Final = late_pattern(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff]")


def legal(text: str) -> str:
    """Return a text without control characters. Separators become spaces, lone surrogates U+FFFD."""
    return _ILLEGAL.sub(_replacement, _LINE_END.sub("\n", text))


def _replacement(match: re.Match[str]) -> str:
    character = match[0]
    if character.isspace():
        return " "
    return "\ufffd" if "\ud800" <= character <= "\udfff" else ""
