"""Type checks for the parameters of extractors, derived from the annotations of their dataclass fields.

Constructors only store values, so parameters are checked when an extractor is used: `checked` wraps its methods, and
`register` applies `checked` to every extractor. This module checks types (1.5 is not a whole number, NaN is not a
number); each method checks which values make sense.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from enum import Enum
from functools import cache, wraps
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from tidings.errors import BadParameter, printable

#: Parameters count words, lines, pixels or iterations. No page has more, and arrays of this length fit into memory.
LARGEST: Final = 1_000_000


class Range(NamedTuple):
    """The allowed range of a numeric parameter (default: -LARGEST to LARGEST)."""

    low: float
    high: float


#: The seed of a random generator. NumPy accepts no negative seeds.
Seed = Annotated[int, Range(0, 2**63 - 1)]

_USUAL: Final = Range(-LARGEST, LARGEST)
#: Methods of extractors that use its parameters.
_METHODS: Final = ("__call__", "score", "decide")

#: Frozen extractors whose parameters have been checked, by identity: a run uses the same instance for every page.
_passed: Final[dict[int, Any]] = {}
_CACHE_SIZE: Final = 8

Class = TypeVar("Class", bound=type[Any])


class ParameterKind(NamedTuple):
    """The declared type of a parameter."""

    types: tuple[Any, ...]  # the members of a union without None
    optional: bool
    range: Range

    @property
    def name(self) -> str:
        """Return the type in words, for error messages."""
        names = " or ".join(dict.fromkeys(map(_name, self.types)))
        return f"{names}, or None" if self.optional else names

    def reason(self, value: Any) -> str:
        """Return why a value does not fit the type; empty if it fits."""
        if value is None and self.optional:
            return ""
        if not any(_fits(value, type_) for type_ in self.types):
            return f"it is {self.name}"
        is_number = isinstance(value, Real)
        if is_number and not self.range.low <= value <= self.range.high:  # NaN is in no range
            return f"it is {self.name} from {self.range.low:,} to {self.range.high:,}"
        return ""


def kinds(cls: Any) -> dict[str, ParameterKind]:
    """Return the declared type of each parameter of an extractor class."""
    return _kinds(cls)


@cache
def _kinds(cls: Any) -> dict[str, ParameterKind]:
    try:
        declared = get_type_hints(cls, include_extras=True)
    except NameError:  # a user's extractor whose annotations are imported under TYPE_CHECKING: allow any value
        declared = {}
    return {field.name: _kind(declared.get(field.name, Any)) for field in dataclasses.fields(cls)}


def check(extractor: Any) -> None:
    """Check that all parameters of an extractor have the types that its class declares.

    Raises:
        BadParameter: a parameter has another type; the message names it.
    """
    for name, kind in kinds(type(extractor)).items():
        value = getattr(extractor, name)
        if reason := kind.reason(value):
            raise BadParameter(f"{name} of {type(extractor).__name__} is {_short_repr(value)}; {reason}")
        if dataclasses.is_dataclass(value) and not callable(value):
            check(value)  # nested weights; a nested extractor checks itself when it is called


def checked(cls: Class) -> Class:
    """Decorate a class so that the types of its parameters are checked before any of its methods runs."""
    if not dataclasses.is_dataclass(cls):
        return cls
    for name in _METHODS:
        method = getattr(cls, name, None)
        if method is not None and not hasattr(method, "checks_parameters"):
            setattr(cls, name, _checking(method))
    return cls


def _checking(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def checking_method(self: Any, *args: Any) -> Any:
        if _passed.get(id(self)) is not self:
            check(self)
            if type(self).__dataclass_params__.frozen:
                if len(_passed) >= _CACHE_SIZE:
                    _passed.clear()
                _passed[id(self)] = self
        return method(self, *args)

    checking_method.checks_parameters = True  # type: ignore[attr-defined]  # a class can be registered under two names
    return checking_method


def _kind(declared: Any) -> ParameterKind:
    limits = _USUAL
    if get_origin(declared) is Annotated:
        declared, *annotations = get_args(declared)
        limits = next((item for item in annotations if isinstance(item, Range)), _USUAL)
    members = get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,)
    return ParameterKind(tuple(item for item in members if item is not NoneType), NoneType in members, limits)


def _fits(value: object, declared: Any) -> bool:
    origin = get_origin(declared) or declared
    if origin is float or origin is int:
        return isinstance(value, Real if origin is float else Integral) and not isinstance(value, bool)
    if origin is tuple:
        inner, *rest = get_args(declared)
        if not isinstance(value, tuple) or rest != [...]:
            return isinstance(value, tuple)
        kind = _kind(inner)
        return not any(kind.reason(item) for item in value)
    if origin is Callable or getattr(origin, "_is_protocol", False):
        return callable(value)
    return origin is Any or not isinstance(origin, type) or isinstance(value, origin)


def _name(declared: Any) -> str:
    origin = get_origin(declared) or declared
    plain = {int: "a whole number", float: "a number", bool: "True or False", str: "a text"}
    if origin in plain:
        return plain[origin]
    if isinstance(origin, type) and issubclass(origin, Enum):
        return f"one of {', '.join(f'{origin.__name__}.{member.name}' for member in origin)}"
    return f"a {getattr(origin, '__name__', str(origin))}".lower()


def _short_repr(value: object) -> str:
    try:
        return printable(repr(value), 80)
    except ValueError:  # Python refuses to print integers with thousands of digits
        return "a number of thousands of digits"
