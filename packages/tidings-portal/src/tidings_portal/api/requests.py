"""Request validation: path and query parameters and JSON bodies, parsed into typed records.

Unknown parameters are refused, because ignoring a misspelt filter would mislead. NUL characters and lone surrogates are
removed from text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from functools import cache
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

from tidings.article.formats.characters import legal
from tidings.errors import did_you_mean, printable
from tidings_portal.responses import FieldDoc, UnfitValue, field_name, moment
from tidings_portal.web.errors import HttpProblem

T = TypeVar("T")

_WHOLE: Final = re.compile(r"-?[0-9]{1,19}")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,9}(?:\.[0-9]{1,9})?")
#: Brackets inside brackets in JSON.
_DEEPEST: Final = 20
#: Characters of a name that may have been meant otherwise.
_GUESSED: Final = 60


def parameters(kind: type[T], path: Mapping[str, str], query: Sequence[tuple[str, str]]) -> T:
    """Return the parameters of a request as a record.

    Args:
        kind: the record type; its fields are the path and query parameters.
        path: path parameters.
        query: names and values of the query string.

    Raises:
        HttpProblem: 404 for an invalid path parameter, 400 for an invalid query parameter.
    """
    record: Any = kind  # what is cached by is hashable
    hints, names = _fields(record)
    values: dict[str, list[str]] = {name: [value] for name, value in path.items()}
    for name, value in query:
        if name not in names or name in path:
            refuse(400, f"there is no parameter {printable(name, 60)!r} here; {_those(name, names, path)}")
        values.setdefault(name, []).append(value)
    record_fields: dict[str, Any] = {}
    for name, one in names.items():
        if name not in values:
            if one.default is MISSING and one.default_factory is MISSING:
                refuse(400, f"the parameter {name} is missing")
            continue
        try:
            record_fields[one.name] = _parameter(hints[one.name], values[name], one.name == "until")
        except UnfitValue as error:
            if name in path:
                refuse(404, f"there is nothing here: {name} {error}")
            refuse(400, f"{name} {error}")
    return kind(**record_fields)


def body(kind: type[T], data: bytes) -> T:
    """Parse a JSON body into a record.

    Raises:
        HttpProblem: 400 for what is no JSON, 422 for what is none of this kind.
    """
    try:
        told = json.loads(data.decode("utf-8"), parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        refuse(400, f"the body is no JSON: {printable(str(error), 100)}")
    try:
        return _record(kind, told, "the body", 0)
    except UnfitValue as error:
        refuse(422, str(error))


def refuse(status: int, detail: str) -> NoReturn:
    """Raise an `HttpProblem` with a message for the caller."""
    raise HttpProblem(status, "missing_page" if status == 404 else "request", detail)


@cache
def _fields(kind: type[Any]) -> tuple[Mapping[str, Any], Mapping[str, Field[Any]]]:
    """Return the types of a record's fields by their Python names, and the fields by their names in JSON."""
    return get_type_hints(kind, include_extras=True), {field_name(one): one for one in fields(kind)}


def _no_number(text: str) -> NoReturn:
    raise ValueError(f"{text} is no number of JSON")


def _those(name: str, names: Mapping[str, object], path: Mapping[str, str]) -> str:
    rest = tuple(one for one in names if one not in path)
    return did_you_mean(name[:_GUESSED], rest) if rest else "none is taken"


def _parameter(kind: Any, texts: list[str], end: bool) -> Any:
    about, inner = _opened(kind)
    if get_origin(inner) is tuple:
        found = tuple(_of_text(get_args(inner)[0], text, None, end) for text in texts)
        _check_number(len(found), about, "times")
        return found
    if len(texts) > 1:
        raise UnfitValue(f"is given {len(texts)} times; give it once")
    return _of_text(inner, texts[0], about, end)


def _opened(kind: Any) -> tuple[FieldDoc | None, Any]:
    """Return the documentation and the bare type of an annotation, without `None`."""
    about = None
    while True:
        if get_origin(kind) is Annotated:
            kind, *told = get_args(kind)
            about = next((one for one in told if isinstance(one, FieldDoc)), about)
        elif get_origin(kind) in (Union, UnionType) and NoneType in get_args(kind):
            kind = next(one for one in get_args(kind) if one is not NoneType)
        else:
            return about, kind


def _of_text(kind: Any, text: str, about: FieldDoc | None, end: bool) -> Any:
    inner, kind = _opened(kind)
    about = about or inner
    if kind is int:
        if not _WHOLE.fullmatch(text):
            raise UnfitValue("is no whole number")
        return _check_number(int(text), about)
    if kind is float:
        if not _DECIMAL.fullmatch(text):
            raise UnfitValue("is no number")
        return float(text)
    if kind is bool:
        if text not in ("true", "false"):
            raise UnfitValue("is true or false")
        return text == "true"
    if kind is datetime:
        return moment(text, end=end)
    return _of_string(kind, text, about)


def _of_string(kind: Any, text: str, about: FieldDoc | None) -> Any:
    if isinstance(kind, type) and issubclass(kind, Enum):
        known = {str(one.value): one for one in kind}
        if text not in known:
            raise UnfitValue(f"is one of {', '.join(known)}")
        return known[text]
    if about is not None and about.longest is not None and len(text) > about.longest:
        raise UnfitValue(f"has {len(text):,} characters; {about.longest:,} is the most")
    if about is not None and len(text) < about.shortest:
        raise UnfitValue("is empty" if not text else f"has at least {about.shortest} characters")
    return legal(text)


def _check_number(number: int, about: FieldDoc | None, what: str = "") -> int:
    shown_most = "" if about is None or about.most is None else f" {about.most:,}"
    if about is not None and about.least is not None and number < about.least:
        raise UnfitValue(f"is given at least {about.least} {what}" if what else f"is at least {about.least:,}")
    if about is not None and about.most is not None and number > about.most:
        raise UnfitValue(f"is given at most{shown_most} {what}" if what else f"is at most{shown_most}")
    return number


def _record(kind: type[T], data: Any, where: str, depth: int) -> T:
    if not isinstance(data, dict):
        raise UnfitValue(f"{where} is no object")
    record: Any = kind  # what is cached by is hashable
    hints, names = _fields(record)
    for name in data:
        if name not in names:
            near = did_you_mean(name[:_GUESSED], tuple(names))
            raise UnfitValue(f"there is no field {printable(name, 60)!r} in {where}; {near}")
    values: dict[str, Any] = {}
    for name, one in names.items():
        if name in data:
            values[one.name] = _value(hints[one.name], data[name], name, depth + 1)
        elif one.default is MISSING and one.default_factory is MISSING:
            raise UnfitValue(f"{name} is missing in {where}")
    return kind(**values)


def _value(kind: Any, data: Any, where: str, depth: int) -> Any:
    """Return a JSON value converted to a type."""
    if depth > _DEEPEST:
        raise UnfitValue(f"{where} nests too deep")
    if data is None:
        if not _takes_none(kind):
            raise UnfitValue(f"{where} is null")
        return None
    about, inner = _opened(kind)
    if is_dataclass(inner) and isinstance(inner, type):
        return _record(inner, data, where, depth)
    try:
        if get_origin(inner) is not tuple:
            return _single(inner, data, about)
        several = _array(data, about)
    except UnfitValue as error:
        raise UnfitValue(f"{where} {error}") from None
    return tuple(_value(get_args(inner)[0], one, f"{where}[{at}]", depth + 1) for at, one in enumerate(several))


def _array(data: Any, about: FieldDoc | None) -> list[Any]:
    if not isinstance(data, list):
        raise UnfitValue("is no array")
    _check_number(len(data), about, "times")
    return data


def _single(kind: Any, data: Any, about: FieldDoc | None) -> Any:
    if kind is bool:
        if not isinstance(data, bool):
            raise UnfitValue("is true or false")
        return data
    if kind is int:
        if isinstance(data, bool) or not isinstance(data, int | float):
            raise UnfitValue("is no whole number")
        if isinstance(data, float) and not data.is_integer():
            raise UnfitValue("is no whole number")
        return _check_number(int(data), about)
    if kind is float:
        if isinstance(data, bool) or not isinstance(data, int | float):
            raise UnfitValue("is no number")
        return float(data)
    if not isinstance(data, str):
        raise UnfitValue("is no text")
    return moment(data) if kind is datetime else _of_string(kind, data, about)


def _takes_none(kind: Any) -> bool:
    if get_origin(kind) is Annotated:
        return _takes_none(get_args(kind)[0])
    return get_origin(kind) in (Union, UnionType) and NoneType in get_args(kind)
