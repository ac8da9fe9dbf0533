"""Read articles from JSON, validated against the declared types of their fields.

A reader function is built once per type. On an error it reports only the reason; each enclosing reader adds its part of
the path, so that valid input pays nothing for error messages.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import date, datetime
from decimal import Decimal
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Any, Final, Literal, Union, get_args, get_origin

from tidings.article.model.article import Article, Provenance, field_types
from tidings.errors import InputError, printable
from tidings.text.patterns import late_pattern

#: Ranges of numeric fields whose value determines the size of the output; spans as in the HTML standard.
_RANGES: Final = {
    "level": (1, 6),
    "depth": (0, 1_000_000),
    "quote_depth": (0, 1_000_000),
    "colspan": (1, 1000),
    "rowspan": (1, 65_534),
    "place": (0, 2**31),
    "confidence": (0, 1),
}
_AMOUNT: Final = late_pattern(r"\d{1,20}(?:\.\d{1,6})?", re.ASCII)
_USUAL: Final = (-(2**63), 2**63 - 1)
_NAMES: Final = {str: "a text", bool: "true or false", int: "a whole number", float: "a number"}

Reader = Callable[[Any], Any]


class _WrongValue(ValueError):
    """A value of the wrong type, and the path to it, innermost step first."""

    def __init__(self, reason: str, *way: str) -> None:
        super().__init__(reason)
        self.way = list(way)

    def __str__(self) -> str:
        return f"{''.join(reversed(self.way)).lstrip('.') or 'the whole'} {self.args[0]}"


def article_from_json(text: str) -> Article:
    """Return the article that `render(article, "json")` or `"jsonl"` wrote.

    Raises:
        InputError: the text is not JSON, or not an article; the message names the field.
    """
    try:
        article: Article = _reader(Article)(json.loads(text))
    except (ValueError, RecursionError) as error:
        raise InputError(f"this is no article in JSON ({error}); give what the formats json or jsonl wrote") from error
    return article


@cache
def _reader(declared: Any, name: str = "") -> Reader:  # noqa: PLR0911  # a kind of type each
    """Return the reader for a declared type; `name` is the field's name, which selects the range of a number."""
    if get_origin(declared) in (Union, UnionType):
        members = get_args(declared)
        inner = _moment if datetime in members else _reader(next(one for one in members if one is not NoneType), name)
        return lambda value: None if value is None else inner(value)
    origin = get_origin(declared) or declared
    if origin is tuple:
        return _list(_reader(get_args(declared)[0]))
    if origin is Mapping:
        return _provenance
    if is_dataclass(origin):
        return _part(origin)
    if origin is Literal or issubclass(origin, Enum):
        choices = get_args(declared) if origin is Literal else tuple(member.value for member in origin)
        return _choice(choices, str if origin is Literal else origin)
    if origin is Decimal:
        return _amount
    return _number(origin, *_RANGES.get(name, _USUAL)) if origin in (int, float) else _plain(origin)


def _part(part: Any) -> Reader:
    """Return a reader of JSON objects into a record."""
    types = field_types(part)
    init_fields = [init_field for init_field in fields(part) if init_field.init]
    readers = {init_field.name: _reader(types[init_field.name], init_field.name) for init_field in init_fields}
    needed = [
        init_field.name
        for init_field in init_fields
        if init_field.default is MISSING and init_field.default_factory is MISSING
    ]
    whole = part is Article

    def read(data: Any) -> Any:
        if type(data) is not dict:
            raise _WrongValue(f"is {_quoted(data)}; it is an object")
        values = {}
        for name, value in data.items():
            reader = readers.get(name)
            if reader is None:
                if whole:  # `text` is derived from the blocks, and unknown keys are ignored
                    continue
                raise _WrongValue("is no part of it", f".{printable(name, 40)}")
            try:
                values[name] = reader(value)
            except _WrongValue as error:
                error.way.append(f".{name}")
                raise
        for name in needed:
            if name not in values:
                raise _WrongValue("is missing", f".{name}")
        return part(**values)

    return read


def _list(inner: Reader) -> Reader:
    def read(data: Any) -> Any:
        if type(data) is not list:
            raise _WrongValue(f"is {_quoted(data)}; it is a list")
        values = []
        for value in data:
            try:
                values.append(inner(value))
            except _WrongValue as error:
                error.way.append(f"[{len(values)}]")
                raise
        return tuple(values)

    return read


def _plain(kind: type) -> Reader:
    def read(data: Any) -> Any:
        if type(data) is not kind:
            raise _WrongValue(f"is {_quoted(data)}; it is {_NAMES[kind]}")
        return data

    return read


def _number(kind: type, low: int, high: int) -> Reader:
    def read(data: Any) -> Any:
        if type(data) not in (int, kind):
            raise _WrongValue(f"is {_quoted(data)}; it is {_NAMES[kind]}")
        if not low <= data <= high:  # NaN is in no range
            raise _WrongValue(f"is {_quoted(data)}; it is from {low} to {high}")
        return data

    return read


def _choice(choices: tuple[str, ...], make: Reader) -> Reader:
    def read(data: Any) -> Any:
        if type(data) is not str or data not in choices:
            raise _WrongValue(f"is {_quoted(data)}; it is one of {', '.join(choices)}")
        return make(data)

    return read


def _provenance(data: Any) -> Provenance:
    if type(data) is not dict:
        raise _WrongValue(f"is {_quoted(data)}; it is an object")
    for name, value in data.items():
        if type(value) is not str:
            raise _WrongValue(f"is {_quoted(value)}; it is a text", f".{printable(name, 40)}")
    return Provenance(data)


def _moment(data: Any) -> datetime | date:
    try:
        return datetime.fromisoformat(data) if "T" in data else date.fromisoformat(data)
    except (TypeError, ValueError):
        reason = f"is {_quoted(data)}; it is a date as 2026-03-14 or 2026-03-14T08:30:00"
        raise _WrongValue(reason) from None


def _amount(data: Any) -> Decimal:
    if type(data) is not str or not _AMOUNT.fullmatch(data):
        raise _WrongValue(f"is {_quoted(data)}; it is an amount as a text: 12.50")
    return Decimal(data)


def _quoted(data: Any) -> str:
    try:
        return printable(json.dumps(data), 40)
    except ValueError:  # a number of thousands of digits
        return "a very large number"
