"""Lenient parsing of JSON-LD scripts.

Valid JSON is parsed directly. Otherwise common errors are repaired in turn: comments and trailing commas, character
references or backslashes instead of quotation marks, invalid escapes, several values in a script. Anything that is
still not JSON is ignored; nothing is guessed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from tidings.page.references import unescape

Object = dict[str, Any]
#: Deeper objects are not about an article.
_DEPTH: Final = 12
#: Limit on the values in a script.
_MOST: Final = 100
_SIGNS: Final = re.compile(
    r"^\s*(?:<!--|(?://\s*)?<!\[CDATA\[|/\*\s*<!\[CDATA\[\s*\*/)|(?:-->|(?://\s*)?\]\]>|/\*\s*\]\]>\s*\*/)\s*$"
)
#: Strings, which are preserved, and parts that are not JSON: comments, trailing commas. Unclosed parts extend to the
#: end, so that no position is scanned twice.
_FAULT: Final = re.compile(
    r""""(?:[^"\\]|\\.)*+(?:"|\\?\Z)|//[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)|,(?=\s*+[}\]])""", re.DOTALL
)
#: A backslash that begins no JSON escape; the first group is a valid escape.
_ESCAPE: Final = re.compile(r"""(\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))|\\""")
_BETWEEN: Final = re.compile(r"[\s,;]*+")
_DECODER: Final = json.JSONDecoder(strict=False)


def objects(script: str) -> list[Object]:
    """Return the objects of a JSON-LD script with graphs and lists flattened; empty if it is not JSON after repairs."""
    text = script.strip()
    if text.startswith(("<", "/")) or text.endswith((">", "*/")):  # rare
        text = _SIGNS.sub("", text).strip()
    text = text.rstrip(";")
    try:
        return list(_flattened(_DECODER.decode(text), 0))
    except RecursionError:
        return []
    except ValueError:
        pass
    try:
        return [thing for value in _values(_repaired(text)) for thing in _flattened(value, 0)]
    except (RecursionError, ValueError):
        return []


def _repaired(text: str) -> str:
    """Repair common errors in JSON: comments, trailing commas, quotation marks and escapes."""
    if '"' not in text and "&" in text:
        text = unescape(text)
    if text.startswith(('{\\"', '[{\\"')):  # JSON as a string
        text = text.replace('\\"', '"').replace("\\/", "/").replace("\\\\", "\\")
    if "\\" in text:
        text = _ESCAPE.sub(lambda match: match[1] or "", text)
    return _FAULT.sub(lambda match: match[0] if match[0][0] == '"' else "", text)


def _values(text: str) -> Iterator[Any]:
    """Yield consecutive JSON values of a text, up to the first invalid one."""
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


def _flattened(value: Any, depth: int) -> Iterator[Object]:
    if depth > _DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            yield from _flattened(item, depth + 1)
    elif isinstance(value, dict):
        yield value
        yield from _flattened(value.get("@graph", []), depth + 1)
