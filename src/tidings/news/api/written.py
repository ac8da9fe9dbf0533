"""Answers as JSON: records become objects, moments texts in ISO 8601, half characters U+FFFD."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date
from enum import Enum
from typing import Any, Final

from tidings.article import Article
from tidings.article.formats.as_json import as_dict
from tidings.news.api.schema import said

#: Half characters, which UTF-8 cannot hold.
_HALF: Final = re.compile("[\ud800-\udfff]")


def as_json(told: object) -> bytes:
    """An answer as it is sent."""
    text = json.dumps(plain(told), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return _HALF.sub("\ufffd", text).encode()


def plain(told: Any) -> Any:
    """A record as dicts, lists and texts."""
    if isinstance(told, Article):
        return as_dict(told)
    if is_dataclass(told) and not isinstance(told, type):
        return {said(one): plain(getattr(told, one.name)) for one in fields(told)}
    if isinstance(told, Enum | date):
        return told.value if isinstance(told, Enum) else told.isoformat()
    if isinstance(told, Mapping):
        return {str(name): plain(value) for name, value in told.items()}
    if isinstance(told, tuple | list):
        return [plain(one) for one in told]
    return told
