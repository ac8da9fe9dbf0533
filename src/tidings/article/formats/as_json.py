"""JSON and JSON lines: everything an article holds, so that it can be read back.

Every field of the article is a key. Blocks, inlines and cells leave out what has its usual value. `text` is
there for those who want nothing else; reading back does not need it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import date, datetime
from decimal import Decimal
from operator import attrgetter
from typing import Any, Final

from tidings.article.blocks import Block, Cell, Embed, Image, Inline, Item, Post
from tidings.article.model import Article, Comment
from tidings.article.options import Options
from tidings.fields.amounts import Price
from tidings.fields.contacts import Email, Telephone
from tidings.fields.details import Details, Product, ProductDetail
from tidings.text.patterns import late_pattern

#: Half characters, which UTF-8 cannot hold, and characters at which some programs end a line.
#: The first fields of a block, an inline and so on tell most of it: its kind and text.
_FIRST: Final = 2
#: Line ends, and C1 controls: some terminals take U+009B for ESC [.
_CONTROLS: Final = "".join(map(chr, range(0x80, 0xA0))) + "\u2028\u2029"
_ESCAPED: Final = late_pattern(f"[\ud800-\udfff{_CONTROLS}]")


def as_json(article: Article, options: Options) -> str:  # noqa: ARG001  # all formats are called alike
    """One object on several lines."""
    return _escape(json.dumps(as_dict(article), ensure_ascii=False, indent=2))


def as_jsonl(article: Article, options: Options) -> str:  # noqa: ARG001  # as above
    """One object on one line."""
    return _escape(json.dumps(as_dict(article), ensure_ascii=False, separators=(",", ":")))


def as_dict(article: Article) -> dict[str, Any]:
    """Return the article as plain dicts and lists."""
    found = {field.name: _plain(getattr(article, field.name)) for field in fields(article)}
    if article.confidence is not None and not math.isfinite(article.confidence):
        found["confidence"] = None  # JSON has no such numbers
    return found


def _plain(value: Any) -> Any:
    form = _FORMS.get(type(value))
    if form is not None:
        return form(value)
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Decimal):
        return str(value)
    return value


def _form(part: type) -> Callable[[Any], dict[str, Any]]:
    """Return how a part of an article is told: what has its usual value is left out."""
    names = tuple(field.name for field in fields(part))
    usual = tuple(field.default for field in fields(part))
    values = attrgetter(*names)
    rest = usual[_FIRST:]

    def told(value: Any) -> dict[str, Any]:
        got = values(value)
        if got[_FIRST:] == rest:  # as with nearly all
            got = got[:_FIRST]
        return {
            name: one if type(one) is str else _plain(one)
            for name, one, default in zip(names, got, usual)  # noqa: B905  # what is not there is usual
            if one is not default and one != default
        }

    return told


_DETAILS: Final = (Details, Email, Price, Product, ProductDetail, Telephone)
#: Records that are written without the fields that have their default values.
SPARSE: Final = (Block, Cell, Comment, Embed, Image, Inline, Item, Post, *_DETAILS)
_FORMS: Final = {part: _form(part) for part in SPARSE}


def _escape(text: str) -> str:
    if text.isascii() or not (any(sign in text for sign in _CONTROLS) or _has_halves(text)):  # ten times as quick
        return text
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _has_halves(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
