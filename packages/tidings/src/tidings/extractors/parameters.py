"""What the parameters of an extractor may be, told by the types of its fields, in one place for all of them.

Constructors only store, so what was stored is looked at where an extractor is used: `checked` puts the look before
its methods, and `register` does that for every extractor. Types come first here (a whole number is not 1.5, no number
is NaN); which numbers make sense, each method says itself.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from enum import Enum
from functools import cache, wraps
from numbers import Integral, Real
from types import NoneType, UnionType
from typing import Annotated, Any, Final, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from tidings.errors import BadParameter, shown

#: Parameters count words, lines, pixels, rounds and the like; no page has more of them, and arrays as long still fit.
LARGEST: Final = 1_000_000


class Range(NamedTuple):
    """The numbers that a parameter takes, where they are others than from -LARGEST to LARGEST."""

    low: float
    high: float


#: What a generator of chance begins with; NumPy takes no negative ones. The size of it means nothing.
Seed = Annotated[int, Range(0, 2**63 - 1)]

_USUAL: Final = Range(-LARGEST, LARGEST)
#: Methods of extractors that use its parameters.
_METHODS: Final = ("__call__", "score", "decide")

#: The extractors used last that nobody can change and that were looked at, by identity: one reads page after page.
_passed: Final[dict[int, Any]] = {}
_REMEMBERED: Final = 8

Class = TypeVar("Class", bound=type[Any])


class ParameterKind(NamedTuple):
    """What a field takes."""

    types: tuple[Any, ...]  # of a union all but None
    optional: bool
    range: Range

    @property
    def name(self) -> str:
        """In words."""
        names = " or ".join(dict.fromkeys(map(_name, self.types)))
        return f"{names}, or None" if self.optional else names

    def reason(self, value: Any) -> str:
        """Return why a value is none of the kind; empty if it is."""
        if value is None and self.optional:
            return ""
        if not any(_fits(value, one) for one in self.types):
            return f"it is {self.name}"
        is_number = isinstance(value, Real)
        if is_number and not self.range.low <= value <= self.range.high:  # NaN is in no range
            return f"it is {self.name} from {self.range.low:,} to {self.range.high:,}"
        return ""


def kinds(cls: Any) -> dict[str, ParameterKind]:
    """What each parameter of an extractor takes, as its class declares."""
    return _kinds(cls)


@cache
def _kinds(cls: Any) -> dict[str, ParameterKind]:
    try:
        declared = get_type_hints(cls, include_extras=True)
    except NameError:  # somebody's own extractor, with names that only a type checker imports: anything goes
        declared = {}
    return {field.name: _kind(declared.get(field.name, Any)) for field in dataclasses.fields(cls)}


def check(made: Any) -> None:
    """Nothing, if all parameters of an extractor are of the types that its class declares.

    Raises:
        BadParameter: one is not; the message names it.
    """
    for name, kind in kinds(type(made)).items():
        value = getattr(made, name)
        if reason := kind.reason(value):
            raise BadParameter(f"{name} of {type(made).__name__} is {_shown(value)}; {reason}")
        if dataclasses.is_dataclass(value) and not callable(value):
            check(value)  # weights and the like; an extractor inside another looks for itself


def checked(cls: Class) -> Class:
    """Return class decorator: an extractor looks at the types of its parameters before it works."""
    if not dataclasses.is_dataclass(cls):
        return cls
    for name in _METHODS:
        method = getattr(cls, name, None)
        if method is not None and not hasattr(method, "looks_at_parameters"):
            setattr(cls, name, _looking(method))
    return cls


def _looking(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def looked(self: Any, *args: Any) -> Any:
        if _passed.get(id(self)) is not self:
            check(self)
            if type(self).__dataclass_params__.frozen:
                if len(_passed) >= _REMEMBERED:
                    _passed.clear()
                _passed[id(self)] = self
        return method(self, *args)

    looked.looks_at_parameters = True  # type: ignore[attr-defined]  # a class can be registered under two names
    return looked


def _kind(declared: Any) -> ParameterKind:
    limits = _USUAL
    if get_origin(declared) is Annotated:
        declared, *others = get_args(declared)
        limits = next((one for one in others if isinstance(one, Range)), _USUAL)
    members = get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,)
    return ParameterKind(tuple(one for one in members if one is not NoneType), NoneType in members, limits)


def _fits(value: object, declared: Any) -> bool:
    origin = get_origin(declared) or declared
    if origin is float or origin is int:
        return isinstance(value, Real if origin is float else Integral) and not isinstance(value, bool)
    if origin is tuple:
        inner, *rest = get_args(declared)
        if not isinstance(value, tuple) or rest != [...]:
            return isinstance(value, tuple)
        kind = _kind(inner)
        return not any(kind.reason(one) for one in value)
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


def _shown(value: object) -> str:
    try:
        return shown(repr(value), 80)
    except ValueError:  # Python writes no numbers of thousands of digits
        return "a number of thousands of digits"
