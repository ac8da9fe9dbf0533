"""API parameters made from `ExtractOptions`, so that each is declared once."""

from __future__ import annotations

from dataclasses import field, fields, make_dataclass
from enum import StrEnum
from typing import Annotated, Any, Final

from tidings.extractors.learned.choice import Preference
from tidings.options import DEFAULT, ExtractOptions
from tidings.options.fields import OptionKind, OptionSpec
from tidings.options.model import specs
from tidings_portal.responses import FieldDoc

#: Options that a request cannot have: functions, which exist in Python only.
WITHOUT_PARAMETER: Final = tuple(name for name, (spec, _) in specs().items() if spec.kind is OptionKind.FUNCTION)
#: Limits of a parameter: characters of a text, members of a list, and the largest number.
_LONGEST, _MOST, _LARGEST = 2000, 100, 1_000_000_000


class OptionFields:
    """The base of records with the options as fields (`option_fields`); a field that is None was not passed."""

    __slots__ = ()

    def options(self, base: ExtractOptions = DEFAULT) -> ExtractOptions:
        """Return the options of a request.

        Args:
            base: values of options that the request does not have.

        Raises:
            BadOption: an option has a wrong value.
        """
        changes: dict[str, Any] = {}
        for field_ in fields(self):  # type: ignore[arg-type]  # subclasses are dataclasses
            value = getattr(self, field_.name) if field_.name in specs() else None
            if value is not None:
                changes[field_.name] = str(value) if isinstance(value, StrEnum) else value
        return base.replace(**changes) if changes else base


def option_fields() -> type[OptionFields]:
    """Return a record class with an optional field for each option."""
    parameters = [
        (name, _annotation(name, spec), field(default=None))
        for name, (spec, _) in specs().items()
        if name not in WITHOUT_PARAMETER
    ]
    return make_dataclass("OptionRecord", parameters, bases=(OptionFields,), frozen=True, slots=True, kw_only=True)


def preference_of(options: ExtractOptions, *records: OptionFields) -> Preference | None:
    """Return the preference of a request; None if no record has it, because it excludes another extractor."""
    is_passed = any(getattr(record, "prefer", None) is not None for record in records)
    return Preference(options.prefer) if is_passed else None


def _choices(name: str, spec: OptionSpec) -> Any:
    if name == "prefer":
        return Preference
    return StrEnum(f"{name}_option", [(value.upper(), value) for value in spec.choices])


def _annotation(name: str, spec: OptionSpec) -> Any:
    about = FieldDoc(spec.help, longest=_LONGEST if spec.kind is OptionKind.TEXT else None)
    kind: Any
    if spec.kind is OptionKind.CHOICE:
        kind = _choices(name, spec)
    elif spec.kind is OptionKind.TEXTS:
        kind, about = tuple[str, ...], FieldDoc(spec.help, most=_MOST)
    elif spec.kind is OptionKind.NUMBER:
        kind, about = int, FieldDoc(spec.help, least=0, most=_LARGEST)
    else:
        kind = {OptionKind.FLAG: bool, OptionKind.SECONDS: float, OptionKind.TEXT: str}[spec.kind]
    return Annotated[kind | None, about]
