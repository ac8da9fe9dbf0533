"""Removal of byline and date from the beginning of a text, before it becomes a summary."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_NAME: Final = r"[^\W\d_][\w.'’-]*"
#: "By Jo Okafor", in the languages of the portal; at most five words, the first of them with a capital.
_BYLINE: Final = re.compile(
    rf"(?:[Bb]y|BY|[Vv]on|[Pp]ar|[Pp]or|[Дд]ля|[Оо]т|[Yy]azan:?|بقلم|نوشتهٔ?)\s+{_NAME}(?:\s+{_NAME}){{0,4}}"
)
_ISO_TIME: Final = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:\s?Z|\s?[+-]\d\d:?\d\d)?)?")
_JOINTS: Final = " \t\n,;:|·•–—-"


def without_byline(text: str, authors: Sequence[str] = ()) -> str:
    """Return a text without the byline and the ISO dates at its beginning.

    Args:
        text: plain text.
        authors: names known from elsewhere. A byline without a date after it is cut only if it is one of these.
    """
    rest = text.lstrip()
    for author in authors:
        match = re.match(rf"(?:\w+\s+)?{re.escape(author)}(?=[\s,|·–—-]|$)", rest)
        if author and match is not None:
            rest = rest[match.end() :].lstrip(_JOINTS)
            break
    else:
        byline = _BYLINE.match(rest)
        behind = rest[byline.end() :].lstrip(_JOINTS) if byline is not None else ""
        if byline is not None and (_ISO_TIME.match(behind) or not behind):
            rest = behind
    while (time := _ISO_TIME.match(rest)) is not None:
        rest = rest[time.end() :].lstrip(_JOINTS)
    return rest
