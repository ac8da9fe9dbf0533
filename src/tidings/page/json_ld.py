"""JSON-LD as pages write it: mostly JSON, sometimes nearly.

What is valid is read at once. For the rest the faults of the field are mended one after the other: comments and last
commas, references or backslashes for quotation marks, escapes that JSON does not know, several values in one script.
What is no JSON then is left; nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from tidings.page.references import unescape

Object = dict[str, Any]

#: Deeper nesting than this is not data about an article.
_DEPTH: Final = 12
#: More values in one script than this are no description of a story.
_MOST: Final = 100
_SIGNS: Final = re.compile(
    r"^\s*(?:<!--|(?://\s*)?<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)|(?:-->|(?://\s*)?\]\]>|/\*\s*\]\]>\s*\*/)\s*$"
)
#: Strings, which stay as they are, and what is no JSON: comments, commas before a closing bracket. What is not closed
#: goes to the end, so that no place is looked at twice.
_FAULT: Final = re.compile(
    r""""(?:[^"\\]|\\.)*+(?:"|\\?\Z)|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|,(?=\s*+[}\]])""", re.DOTALL
)
#: A backslash that begins no escape of JSON; the first group is one that does.
_ESCAPE: Final = re.compile(r"""(\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))|\\""")
_BETWEEN: Final = re.compile(r"[\s,;]*+")
_DECODER: Final = json.JSONDecoder(strict=False)


def objects(script: str) -> list[Object]:
    """The objects of a JSON-LD script, graphs and lists taken apart; none if it is no JSON, even when mended."""
    text = script.strip()
    if text.startswith(("<", "/")) or text.endswith((">", "*/")):  # few do
        text = _SIGNS.sub("", text).strip()
    text = text.rstrip(";")
    try:
        return list(_apart(_DECODER.decode(text), 0))
    except RecursionError:
        return []
    except ValueError:
        pass
    try:
        return [thing for value in _values(_mended(text)) for thing in _apart(value, 0)]
    except (RecursionError, ValueError):
        return []


def _mended(text: str) -> str:
    """The text without the faults that are frequent."""
    if '"' not in text and "&" in text:
        text = unescape(text)
    if text.startswith(('{\\"', '[{\\"')):  # JSON in a string
        text = text.replace('\\"', '"').replace("\\/", "/").replace("\\\\", "\\")
    if "\\" in text:
        text = _ESCAPE.sub(lambda match: match[1] or "", text)
    return _FAULT.sub(lambda match: match[0] if match[0][0] == '"' else "", text)


def _values(text: str) -> Iterator[Any]:
    """The values that stand one behind the other, up to where it is no JSON any more."""
    at = _end_of(_BETWEEN, text, 0)
    for _ in range(_MOST):
        if at >= len(text):
            return
        try:
            value, at = _DECODER.raw_decode(text, at)
        except ValueError:
            return
        yield value
        at = _end_of(_BETWEEN, text, at)


def _end_of(pattern: re.Pattern[str], text: str, at: int) -> int:
    match = pattern.match(text, at)
    return match.end() if match else at


def _apart(value: Any, depth: int) -> Iterator[Object]:
    if depth > _DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _apart(item, depth + 1)
    elif isinstance(value, dict):
        yield value
        yield from _apart(value.get("@graph", []), depth + 1)
