"""The commands by name, each in a module that is imported when somebody runs it or asks for help."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from enum import Enum
from importlib import import_module
from typing import Any, Final, get_args, get_origin

import typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

EPILOGUE: Final = "Exit codes: 0 all went well, 1 some pages failed, 2 the call is wrong, 3 every page failed."

#: Where each command is: a function, or a group of commands (a `typer.Typer`). In the order in which help lists them.
PLACES: Final = {
    "extract": "extract:extract",
    "extractors": "extractors:extractors",
    "draw": "draw:draw",
    "compare": "compare:compare",
    "explain": "compare:explain",
    "plot": "plot:plot",
    "layout": "layout:layout",
    "bulk": "bulk:bulk",
    "links": "links:links",
    "trends": "trends:trends",
    "add": "sources:add",
    "remove": "sources:remove",
    "recipes": "recipes:recipes",
    "reread": "recipes:reread",
    "watch": "watch:watch",
    "crawl": "watch:crawl",
    "status": "status:status",
    "search": "search:search",
    "read": "search:read",
    "mute": "search:mute",
    "export": "exchange:export",
    "feed": "feed:feed",
    "mcp": "mcp:mcp",
    "edition": "edition:edition",
    "demo": "demo:demo",
    "serve": "serve:serve",
    "list": "sources:list_",
    "config": "config:config",
    "backup": "upkeep:backup",
    "restore": "upkeep:restore",
    "copy": "upkeep:copy",
    "check": "upkeep:check",
    "prune": "upkeep:prune",
    "doctor": "upkeep:doctor",
    "import": "exchange:import_",
    "lab": "lab:lab",
    "person": "people:person",
    "sites": "sites:sites",
    "token": "tokens:token",
}


class Commands(TyperGroup):
    """The commands of `PLACES` under one name."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _LazyCommands()

    def get_params(self, ctx: Any) -> list[Any]:
        """Options of all commands."""
        return _sparing_pydantic(super().get_params(ctx))


class _Command(TyperCommand):
    def get_params(self, ctx: Any) -> list[Any]:
        return _sparing_pydantic(super().get_params(ctx))


class _LazyCommands(MutableMapping[str, Any]):
    """Commands that are imported when they are taken out."""

    def __init__(self) -> None:
        self._places: dict[str, str] = dict(PLACES)
        self._loaded: dict[str, Any] = {}

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            self._loaded[name] = _command(name, self._places[name])
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._places

    def __setitem__(self, name: str, command: Any) -> None:
        self._places[name], self._loaded[name] = "", command

    def __delitem__(self, name: str) -> None:
        del self._places[name]
        self._loaded.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)


def _command(name: str, place: str) -> Any:
    module, _, attribute = place.partition(":")
    found = getattr(import_module(f"{__package__}.{module}"), attribute)
    alone = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)
    if isinstance(found, typer.Typer):
        alone.add_typer(found, name=name)
        return get_command(alone).commands[name]  # type: ignore[attr-defined]  # a group, as it has one
    alone.command(name, cls=_Command, epilog=EPILOGUE)(found)
    return get_command(alone)


def _sparing_pydantic(parameters: list[Any]) -> list[Any]:
    """The same parameters; pydantic is asked only for what has to be made out of a text.

    Typer 0.29 asks it for every option, also for those that nobody gave, and to load it takes half as long as all the
    rest of `tidings extract`. Another version of Typer has no `RuntimeParam`, and goes its own way.
    """
    try:
        from typer._coercion import RuntimeParam, build_runtime_param
    except ImportError:
        return parameters

    class AsGiven(RuntimeParam):
        def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
            is_plain = self.parameter_info.parser is None and not param.type_descriptor.is_path
            if is_plain and _is_made(value, self.annotation, param.default):
                return value
            return build_runtime_param(param.type_descriptor)._coerce_value(value, param=param, ctx=ctx)

    for one in parameters:
        if getattr(one, "_runtime_param", one) is None:
            one._runtime_param = AsGiven(one.type_descriptor.parameter_info, one.type_descriptor.annotation)
    return parameters


def _is_made(value: object, declared: Any, default: object = None) -> bool:
    """Whether a value is already what is declared: a text, texts, a choice or number that is the default."""
    if get_origin(declared) is list:
        return isinstance(value, list | tuple) and all(_is_made(one, get_args(declared)[0]) for one in value)
    if not isinstance(declared, type) or type(value) is not declared:
        return False
    return issubclass(declared, str | Enum) or (declared in (int, float) and value == default)
