"""JSON and JSON lines with the complete article, so that it can be read back.

Every field of the article is a key. Blocks, inlines and cells leave out fields with default values. `text` is included
for consumers that need nothing else; it is ignored when the article is read back.
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

from tidings.article.formats.options import Options
from tidings.article.model.article import Article, Comment
from tidings.article.model.blocks import Block, Cell, Embed, Image, Inline, Item, Post
from tidings.fields.details import Details, Product, ProductDetail
from tidings.fields.details.amounts import Price
from tidings.fields.details.contacts import Email, Telephone
from tidings.text.patterns import late_pattern

#: Lone surrogates, which UTF-8 cannot encode, and characters that some programs treat as line ends.
#: The first fields of a block or inline, kind and text, rarely have default values; the others mostly do.
_FIRST: Final = 2
#: Line ends, and C1 controls: some terminals take U+009B for ESC [.
_CONTROLS: Final = "".join(map(chr, range(0x80, 0xA0))) + "\u2028\u2029"
_ESCAPED: Final = late_pattern(f"[\ud800-\udfff{_CONTROLS}]")


def as_json(article: Article, options: Options) -> str:  # noqa: ARG001  # all formats are called alike
    """Return the article as one object on several lines."""
    return _escape(json.dumps(as_dict(article), ensure_ascii=False, indent=2))


def as_jsonl(article: Article, options: Options) -> str:  # noqa: ARG001  # as above
    """Return the article as one object on one line."""
    return _escape(json.dumps(as_dict(article), ensure_ascii=False, separators=(",", ":")))


def as_dict(article: Article) -> dict[str, Any]:
    """Return the article as plain dicts and lists."""
    values = {field.name: _plain(getattr(article, field.name)) for field in fields(article)}
    if article.confidence is not None and not math.isfinite(article.confidence):
        values["confidence"] = None  # JSON has no such numbers
    return values


def _plain(value: Any) -> Any:
    form = _FORMS.get(type(value))
    if form is not None:
        return form(value)
    if isinstance(value, tuple):
        return [_plain(member) for member in value]
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    if isinstance(value, Decimal):
        return str(value)
    return value


def _form(part: type) -> Callable[[Any], dict[str, Any]]:
    """Return a function that converts instances of a dataclass to dicts, leaving out fields with their
    default value.
    """
    names = tuple(field.name for field in fields(part))
    defaults = tuple(field.default for field in fields(part))
    values = attrgetter(*names)
    rare_defaults = defaults[_FIRST:]

    def to_dict(value: Any) -> dict[str, Any]:
        field_values = values(value)
        if field_values[_FIRST:] == rare_defaults:  # as with nearly all
            field_values = field_values[:_FIRST]
        return {
            name: field_value if type(field_value) is str else _plain(field_value)
            for name, field_value, default in zip(names, field_values, defaults)  # noqa: B905  # missing values are defaults
            if field_value is not default and field_value != default
        }

    return to_dict


_DETAILS: Final = (Details, Email, Price, Product, ProductDetail, Telephone)
#: Records that are written without the fields that have their default values.
SPARSE: Final = (Block, Cell, Comment, Embed, Image, Inline, Item, Post, *_DETAILS)
_FORMS: Final = {part: _form(part) for part in SPARSE}


def _escape(text: str) -> str:
    if text.isascii() or not (any(sign in text for sign in _CONTROLS) or _has_surrogates(text)):  # ten times as quick
        return text
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def _has_surrogates(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
