"""Articles out of JSON, by the types that their fields declare: what is of another type is refused by the field's name.

A reader is made once for each type. It says no more than what is wrong; where that stands is put before it on the way
out, so that what is right costs nothing for it.
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

from tidings.article.model import Article, Provenance, field_types
from tidings.errors import InputError, shown
from tidings.text.patterns import late_pattern

#: Numbers that a field can be, where formats write as many signs, cells or levels; spans as the HTML standard has them.
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
    """A value of another type than the field has, and the way to it, the innermost step first."""

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
    """What reads values of a declared type; `name` is the field's, which tells the range of a number."""
    if get_origin(declared) in (Union, UnionType):
        members = get_args(declared)
        inner = _moment if datetime in members else _reader(next(one for one in members if one is not NoneType), name)
        return lambda found: None if found is None else inner(found)
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
    """Read an object of JSON into a part of an article."""
    types = field_types(part)
    taken = [one for one in fields(part) if one.init]
    readers = {one.name: _reader(types[one.name], one.name) for one in taken}
    needed = [one.name for one in taken if one.default is MISSING and one.default_factory is MISSING]
    whole = part is Article

    def read(found: Any) -> Any:
        if type(found) is not dict:
            raise _WrongValue(f"is {_shown(found)}; it is an object")
        made = {}
        for name, value in found.items():
            reader = readers.get(name)
            if reader is None:
                if whole:  # `text` is made of the blocks, and what others put beside it is not ours
                    continue
                raise _WrongValue("is no part of it", f".{shown(name, 40)}")
            try:
                made[name] = reader(value)
            except _WrongValue as error:
                error.way.append(f".{name}")
                raise
        for name in needed:
            if name not in made:
                raise _WrongValue("is missing", f".{name}")
        return part(**made)

    return read


def _list(inner: Reader) -> Reader:
    def read(found: Any) -> Any:
        if type(found) is not list:
            raise _WrongValue(f"is {_shown(found)}; it is a list")
        made = []
        for value in found:
            try:
                made.append(inner(value))
            except _WrongValue as error:
                error.way.append(f"[{len(made)}]")
                raise
        return tuple(made)

    return read


def _plain(kind: type) -> Reader:
    def read(found: Any) -> Any:
        if type(found) is not kind:
            raise _WrongValue(f"is {_shown(found)}; it is {_NAMES[kind]}")
        return found

    return read


def _number(kind: type, low: int, high: int) -> Reader:
    def read(found: Any) -> Any:
        if type(found) not in (int, kind):
            raise _WrongValue(f"is {_shown(found)}; it is {_NAMES[kind]}")
        if not low <= found <= high:  # NaN is in no range
            raise _WrongValue(f"is {_shown(found)}; it is from {low} to {high}")
        return found

    return read


def _choice(choices: tuple[str, ...], make: Reader) -> Reader:
    def read(found: Any) -> Any:
        if type(found) is not str or found not in choices:
            raise _WrongValue(f"is {_shown(found)}; it is one of {', '.join(choices)}")
        return make(found)

    return read


def _provenance(found: Any) -> Provenance:
    if type(found) is not dict:
        raise _WrongValue(f"is {_shown(found)}; it is an object")
    for name, value in found.items():
        if type(value) is not str:
            raise _WrongValue(f"is {_shown(value)}; it is a text", f".{shown(name, 40)}")
    return Provenance(found)


def _moment(found: Any) -> datetime | date:
    try:
        return datetime.fromisoformat(found) if "T" in found else date.fromisoformat(found)
    except (TypeError, ValueError):
        reason = f"is {_shown(found)}; it is a date as 2026-03-14 or 2026-03-14T08:30:00"
        raise _WrongValue(reason) from None


def _amount(found: Any) -> Decimal:
    if type(found) is not str or not _AMOUNT.fullmatch(found):
        raise _WrongValue(f"is {_shown(found)}; it is an amount as a text: 12.50")
    return Decimal(found)


def _shown(found: Any) -> str:
    try:
        return shown(json.dumps(found), 40)
    except ValueError:  # a number of thousands of digits
        return "a very large number"
