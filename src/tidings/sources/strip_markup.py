"""Pieces of HTML as plain text: titles and descriptions in feeds carry markup, once or twice escaped."""

from __future__ import annotations

import re
from typing import Final

from tidings.page.references import unescape

#: Text of scripts and styles is none. What is never closed goes on to the end.
_UNREAD: Final = re.compile(r"<(script|style)\b(?s:.*?)(?:</\1\s*>|\Z)|<!--(?s:.*?)(?:-->|\Z)", re.IGNORECASE)
_TAG: Final = re.compile(r"</?([a-zA-Z][a-zA-Z0-9]*)(?:[\s/][^<>]*+)?>")
#: Tags that stand inside a word or a line; all others part words.
_INLINE: Final = frozenset(
    "a abbr acronym b bdi bdo big cite code em font i ins kbd mark q s small span strong sub sup tt u".split()
)


def plain_text(markup: str, longest: int = 100_000) -> str:
    """The words of a piece of HTML on one line; of a longer one the beginning."""
    text = markup[:longest]
    for _ in range(2):  # `&amp;lt;b&amp;gt;` is frequent
        if "<" in text:
            if "<s" in text or "<S" in text or "<!" in text:
                text = _UNREAD.sub(" ", text)
            text = _TAG.sub(_gap, text)
        if "&" not in text:
            break
        text = unescape(text)
    return " ".join(text.replace("\0", "").split())


def _gap(tag: re.Match[str]) -> str:
    return "" if tag[1].lower() in _INLINE else " "
