"""JSON and JSON lines: everything an article holds, so that it can be read back.

Every field of the article is a key. Blocks, inlines and cells leave out what has its usual value. `text` is
there for those who want nothing else; reading back does not need it.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import fields
from datetime import date, datetime
from typing import Any, Final

from tidings.article.blocks import Block, Cell, Image, Inline, Item, Kind
from tidings.article.model import Article, Comment, Provenance
from tidings.article.options import Options
from tidings.errors import InputError

#: Half characters, which UTF-8 cannot hold, and characters at which some programs end a line.
_ESCAPED: Final = re.compile("[\ud800-\udfff\x85\u2028\u2029]")
_PARTS: Final = (Block, Cell, Comment, Image, Inline, Item)


def as_json(article: Article, options: Options) -> str:  # noqa: ARG001  # all formats are called alike
    """One object on several lines."""
    return _escape(json.dumps(as_dict(article), ensure_ascii=False, indent=2))


def as_jsonl(article: Article, options: Options) -> str:  # noqa: ARG001  # as above
    """One object on one line."""
    return _escape(json.dumps(as_dict(article), ensure_ascii=False, separators=(",", ":")))


def as_dict(article: Article) -> dict[str, Any]:
    """The article as plain dicts and lists."""
    found = {field.name: _plain(getattr(article, field.name)) for field in fields(article)}
    if article.confidence is not None and not math.isfinite(article.confidence):
        found["confidence"] = None  # JSON has no such numbers
    return found | {"text": article.text}


def _plain(value: Any) -> Any:
    if isinstance(value, _PARTS):
        told = ((field, getattr(value, field.name)) for field in fields(value))
        return {field.name: _plain(one) for field, one in told if one != field.default}
    if isinstance(value, tuple):
        return [_plain(one) for one in value]
    if isinstance(value, (date, datetime)):
        return value.isoformat()
    if isinstance(value, Mapping):
        return dict(value)
    return value


def _escape(text: str) -> str:
    return _ESCAPED.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def article_from_json(text: str) -> Article:
    """The article that `render(article, "json")` or `"jsonl"` wrote.

    Raises:
        InputError: the text is not JSON, or not an article.
    """
    try:
        return _article(json.loads(text))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise InputError(
            f"this is no article in JSON ({type(error).__name__}: {error}); give what the formats json or jsonl wrote"
        ) from error


def _article(found: dict[str, Any]) -> Article:
    names = {field.name for field in fields(Article)}
    told = {name: value for name, value in found.items() if name in names}
    for name in ("authors", "tags", "marks"):
        told[name] = tuple(told.get(name, ()))
    for name in ("published", "modified"):
        told[name] = _moment(told.get(name))
    told["image"] = _image(told.get("image"))
    told["images"] = tuple(Image(**image) for image in told.get("images", ()))
    told["blocks"] = _blocks(told.get("blocks", ()))
    for name in ("comments", "posts"):
        told[name] = tuple(
            Comment(_blocks(one.get("blocks", ())), one.get("author", ""), _moment(one.get("published")))
            for one in told.get(name, ())
        )
    told["provenance"] = Provenance(told.get("provenance", {}))
    return Article(**told)


def _moment(text: str | None) -> datetime | date | None:
    if text is None:
        return None
    return datetime.fromisoformat(text) if "T" in text else date.fromisoformat(text)


def _image(found: dict[str, Any] | None) -> Image | None:
    return None if found is None else Image(**found)


def _inlines(found: dict[str, Any]) -> tuple[Inline, ...]:
    return tuple(Inline(**inline) for inline in found.get("inlines", ()))


def _blocks(found: list[dict[str, Any]]) -> tuple[Block, ...]:
    return tuple(_block(block) for block in found)


def _block(found: dict[str, Any]) -> Block:
    cells = (tuple(Cell(**cell | {"inlines": _inlines(cell)}) for cell in row) for row in found.get("rows", ()))
    item = found.get("item")
    made = {
        "kind": Kind(found["kind"]),
        "inlines": _inlines(found),
        "rows": tuple(cells),
        "item": None if item is None else Item(**item),
        "image": _image(found.get("image")),
    }
    return Block(**found | made)
