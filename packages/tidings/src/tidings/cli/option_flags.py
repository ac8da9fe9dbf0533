"""Command line options made from `ExtractOptions`, so that each is declared once."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import field, fields, make_dataclass
from enum import StrEnum
from typing import Annotated, Any, Final

import typer

from tidings.options import ExtractOptions
from tidings.options.fields import OptionKind, OptionSpec
from tidings.options.model import specs

#: Options without a switch: a function has its own options on the command line (`--second-opinion`).
WITHOUT_SWITCH: Final = tuple(name for name, (spec, _) in specs().items() if spec.kind is OptionKind.FUNCTION)


class OptionFlags:
    """The base of records of switches (`option_flags`)."""

    def options(self, **more: Any) -> ExtractOptions:
        """Return the options; `more` are further ones.

        Raises:
            BadOption: an option has a wrong value.
        """
        values: dict[str, Any] = dict(more)
        for switch in fields(self):  # type: ignore[arg-type]  # subclasses are dataclasses
            value = getattr(self, switch.name)
            if value is not None:
                values[switch.name] = str(value) if isinstance(value, StrEnum) else value
        return ExtractOptions(**values)


def option_flags(without: Collection[str] = ()) -> Any:
    """Return a record class with a switch for each option, to be the default of a command's parameter
    (`tidings.cli.output.with_records`).

    Args:
        without: options for which the command has switches of its own.
    """
    switches = [
        _switch(name, spec, default)
        for name, (spec, default) in specs().items()
        if name not in without and name not in WITHOUT_SWITCH
    ]
    return make_dataclass("Flags", switches, bases=(OptionFlags,), frozen=True)


def option_help(name: str) -> str:
    """Return the description of an option."""
    return specs()[name][0].help


def _switch(name: str, spec: OptionSpec, default: Any) -> tuple[str, Any, Any]:
    """Return name, annotation and default of a switch."""
    switch = f"--{name.replace('_', '-')}"
    if spec.kind is OptionKind.FLAG:
        names = [f"{switch}/--no-{switch[2:]}"] if default else [switch]
        return name, Annotated[bool, typer.Option(*names, help=spec.help)], field(default=default)
    if spec.kind is OptionKind.CHOICE:
        values: Any = StrEnum(name, [(value.upper(), value) for value in spec.choices])  # type: ignore[misc]
        return name, Annotated[values, typer.Option(switch, help=spec.help)], field(default=values(default))
    kinds: dict[OptionKind, Any] = {
        OptionKind.NUMBER: int if default is not None else int | None,
        OptionKind.SECONDS: float | None,
        OptionKind.TEXT: str | None,
        OptionKind.TEXTS: list[str] | None,
    }
    usual = None if spec.kind is OptionKind.TEXTS else default
    about = typer.Option(switch, metavar=spec.metavar or None, help=spec.help)
    return name, Annotated[kinds[spec.kind], about], field(default=usual)
