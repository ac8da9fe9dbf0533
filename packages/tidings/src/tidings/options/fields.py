"""The kinds of options, with the check of a value for each; interfaces build their parameters from them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, dataclass, field
from enum import StrEnum
from typing import Any, Final

from tidings.errors import BadOption

_KEY: Final = "option"
#: Parts of a selector that would end the rule that it is tried in.
_UNSAFE: Final = re.compile(r"[{}<;]|/\*|@")
#: A comma between two selectors, not inside brackets.
_COMMA: Final = re.compile(r",(?![^(\[]*[)\]])")


class OptionKind(StrEnum):
    """The kind of an option's value."""

    FLAG = "flag"
    CHOICE = "choice"
    NUMBER = "number"
    SECONDS = "seconds"
    TEXT = "text"
    TEXTS = "texts"
    FUNCTION = "function"


@dataclass(frozen=True, slots=True)
class OptionSpec:
    """What an interface needs to offer an option."""

    kind: OptionKind
    help: str
    choices: tuple[str, ...] = ()
    metavar: str = ""
    normalise: Callable[[str], list[str]] | None = None  # of one text of several

    def checked(self, name: str, value: Any) -> Any:
        """Return a value in its normal form.

        Raises:
            BadOption: the value has the wrong type, or is not allowed.
        """
        return _CHECKS[self.kind](self, name, value)


def flag(default: bool, help_: str) -> Any:
    """Declare an option that is on or off."""
    return _declared(default, OptionSpec(OptionKind.FLAG, help_))


def choice(default: str, choices: tuple[str, ...], help_: str) -> Any:
    """Declare an option with a few values."""
    return _declared(default, OptionSpec(OptionKind.CHOICE, help_, choices))


def number(default: int | None, help_: str, metavar: str) -> Any:
    """Declare an option with a whole number that is not negative; None for no limit."""
    return _declared(default, OptionSpec(OptionKind.NUMBER, help_, metavar=metavar))


def seconds(help_: str) -> Any:
    """Declare an option with a duration; None for no limit."""
    return _declared(None, OptionSpec(OptionKind.SECONDS, help_, metavar="SECONDS"))


def text(help_: str) -> Any:
    """Declare an option with a text; None for none."""
    return _declared(None, OptionSpec(OptionKind.TEXT, help_))


def texts(help_: str, metavar: str, normalise: Callable[[str], list[str]] | None = None) -> Any:
    """Declare an option with several texts; a single str is one of them."""
    return _declared((), OptionSpec(OptionKind.TEXTS, help_, metavar=metavar, normalise=normalise))


def function(help_: str) -> Any:
    """Declare an option with a Python function, which only Python code can pass."""
    return _declared(None, OptionSpec(OptionKind.FUNCTION, help_))


def spec_of(field_: Field[Any]) -> OptionSpec:
    """Return the specification of an option."""
    spec: OptionSpec = field_.metadata[_KEY]
    return spec


def _declared(default: Any, spec: OptionSpec) -> Any:
    return field(default=default, metadata={_KEY: spec})


# -- normal forms ---------------------------------------------------------------------------------------------------


def language_codes(value: str) -> list[str]:
    """Return language codes without their regions: "de-AT, tr" gives de, tr."""
    return [code for part in value.split(",") if (code := part.strip().lower().partition("-")[0])]


def selectors(value: str) -> list[str]:
    """Return the CSS selectors of a list.

    Raises:
        ValueError: one is invalid, or selects no element.
    """
    parts = [part.strip() for part in _COMMA.split(value) if part.strip()]
    for part in parts:
        if not _is_selector(part):
            raise ValueError(f"{part!r} is not a CSS selector of elements")
    return parts


def _is_selector(selector: str) -> bool:
    """Return whether the core can match a selector: its style sheets support it."""
    from tidings.page import Page  # noqa: PLC0415  # commands start without NumPy

    if "::" in selector or _UNSAFE.search(selector):
        return False
    page = Page(f"<style>@supports selector({selector}){{b{{display:none}}}}</style><b>probe</b><i>other</i>")
    return "probe" not in page.visible.text(page)


# -- checks ---------------------------------------------------------------------------------------------------------


def _flag(spec: OptionSpec, name: str, value: Any) -> bool:  # noqa: ARG001  # checks are called alike
    if not isinstance(value, bool):
        raise BadOption(name, f"must be True or False, not {value!r:.60}")
    return value


def _choice(spec: OptionSpec, name: str, value: Any) -> str:
    if not isinstance(value, str) or value not in spec.choices:
        raise BadOption(name, f"must be one of {', '.join(map(repr, spec.choices))}, not {value!r:.60}")
    return str(value)


def _number(spec: OptionSpec, name: str, value: Any) -> int | None:  # noqa: ARG001
    if value is not None and (isinstance(value, bool) or not isinstance(value, int) or value < 0):
        raise BadOption(name, f"must be a whole number that is not negative, not {value!r:.60}")
    return value


def _seconds(spec: OptionSpec, name: str, value: Any) -> float | None:  # noqa: ARG001
    if value is not None and (isinstance(value, bool) or not isinstance(value, int | float) or not value > 0):
        raise BadOption(name, f"must be a number of seconds above 0, not {value!r:.60}")
    return value


def _text(spec: OptionSpec, name: str, value: Any) -> str | None:  # noqa: ARG001
    if value is not None and not isinstance(value, str):
        raise BadOption(name, f"must be a str, not {type(value).__name__}")
    return value


def _texts(spec: OptionSpec, name: str, value: Any) -> tuple[str, ...]:
    if isinstance(value, str):
        value = (value,)
    if isinstance(value, Mapping | bytes) or not isinstance(value, Iterable):
        raise BadOption(name, f"must be a list of texts, not {type(value).__name__}")
    result: list[str] = []
    for member in value:
        if not isinstance(member, str):
            raise BadOption(name, f"must be a list of texts; {member!r:.60} is none")
        try:
            result += [member.strip()] if spec.normalise is None else spec.normalise(member)
        except ValueError as error:
            raise BadOption(name, str(error)) from None
    return tuple(dict.fromkeys(member for member in result if member))


def _function(spec: OptionSpec, name: str, value: Any) -> Any:  # noqa: ARG001
    if value is not None and not callable(value):
        raise BadOption(name, f"must be a function, not {type(value).__name__}")
    return value


_CHECKS: Final[Mapping[OptionKind, Callable[[OptionSpec, str, Any], Any]]] = {
    OptionKind.FLAG: _flag,
    OptionKind.CHOICE: _choice,
    OptionKind.NUMBER: _number,
    OptionKind.SECONDS: _seconds,
    OptionKind.TEXT: _text,
    OptionKind.TEXTS: _texts,
    OptionKind.FUNCTION: _function,
}
