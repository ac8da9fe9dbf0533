"""The `tidings` command and how it ends: results on standard output, everything else on standard error.

Each command is in a module that is imported when it is run or when the help is shown.
"""

from __future__ import annotations

import os
import re
import signal
import sys
from collections.abc import Iterator, Mapping, MutableMapping
from enum import Enum
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Final, get_args, get_origin

import typer
from typer.core import TyperGroup
from typer.main import get_command

from tidings.cli.output import Command, guard_terminals, with_records
from tidings.cli.state import HELP_OPTIONS, state, usual_places
from tidings.errors import MissingPackage, TidingsError, shown

#: A whole number as most are written.
_WHOLE: Final = re.compile("0|[1-9][0-9]{0,8}")
EPILOGUE: Final = "Exit codes: 0 all went well, 1 some pages failed, 2 the call is wrong, 3 every page failed."

#: Where each command of this package is, by heading of the help: a function, or a group of commands (a
#: `typer.Typer`). Other packages add theirs (`tidings.plugins`).
TASKS: Final = {
    "Read pages": {
        "extract": "tidings.cli.extract:extract",
        "links": "tidings.cli.links:links",
        "layout": "tidings.cli.layout:layout",
        "bulk": "tidings.cli.bulk:bulk",
        "sites": "tidings.cli.sites:sites",
        "demo": "tidings.cli.demo:demo",
        "config": "tidings.cli.config:config",
    },
    "Look at what was extracted": {
        "extractors": "tidings.cli.extractors:extractors",
        "draw": "tidings.cli.draw:draw",
        "explain": "tidings.cli.explain:explain",
        "compare": "tidings.cli.compare:compare",
        "plot": "tidings.cli.plot:plot",
    },
}


class Commands(TyperGroup):
    """All commands: those of `TASKS`, and those that other packages add."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(**settings)
        self.commands = _LazyCommands()

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """Return the command that the arguments name.

        Raises:
            MissingPackage: it belongs to a package that is not installed.
        """
        if args and args[0] not in self.commands:
            from tidings.plugins import missing_package

            if package := missing_package(args[0]):
                raise MissingPackage(f"`tidings {args[0]}`", package)
        return super().resolve_command(ctx, args)

    def get_params(self, ctx: Any) -> list[Any]:
        """Options of all commands."""
        return _sparing_pydantic(super().get_params(ctx))


class _TopCommand(Command):
    def get_params(self, ctx: Any) -> list[Any]:
        return _sparing_pydantic(super().get_params(ctx))


class _LazyCommands(MutableMapping[str, Any]):
    """Commands by name. Each is imported when it is looked up; other packages are asked only for unknown names."""

    def __init__(self) -> None:
        self._locations = _locations(TASKS)
        self._loaded: dict[str, Any] = {}
        self._is_complete = False

    def __getitem__(self, name: str) -> Any:
        if name not in self._loaded:
            if name not in self:
                raise KeyError(name)
            self._loaded[name] = _load(name, *self._locations[name])
        return self._loaded[name]

    def __contains__(self, name: object) -> bool:
        return name in self._locations or name in self._all()

    def __setitem__(self, name: str, command: Any) -> None:
        self._locations[name], self._loaded[name] = ("", ""), command

    def __delitem__(self, name: str) -> None:
        del self._locations[name]
        self._loaded.pop(name, None)

    def __iter__(self) -> Iterator[str]:
        return iter(self._all())

    def __len__(self) -> int:
        return len(self._all())

    def _all(self) -> dict[str, tuple[str, str]]:
        if not self._is_complete:
            from tidings.plugins import command_tasks

            self._is_complete = True
            for name, location in _locations(command_tasks()).items():
                self._locations.setdefault(name, location)
        return self._locations


def _locations(tasks: Mapping[str, Mapping[str, str]]) -> dict[str, tuple[str, str]]:
    """Return for each command its heading in the help and where it is."""
    return {name: (task, location) for task, commands in tasks.items() for name, location in commands.items()}


def _load(name: str, task: str, location: str) -> Any:
    module, _, attribute = location.partition(":")
    function = getattr(import_module(module), attribute)
    alone = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)
    if isinstance(function, typer.Typer):
        alone.add_typer(function, name=name, rich_help_panel=task)
        return get_command(alone).commands[name]  # type: ignore[attr-defined]  # a group, as it has one
    alone.command(name, cls=_TopCommand, epilog=EPILOGUE, rich_help_panel=task)(with_records(function))
    return get_command(alone)


def _sparing_pydantic(parameters: list[Any]) -> list[Any]:
    """The same parameters; pydantic is asked only for what has to be made out of a text.

    Typer 0.29 asks it for every option, also for those that nobody gave, and to load it takes half as long as all the
    rest of `tidings extract`. Another version of Typer has no `RuntimeParam`, and goes its own way.
    """
    try:
        from typer._coercion import RuntimeParam, build_runtime_param
        from typer._param_types import coerce_cli_path
    except ImportError:
        return parameters

    class AsGiven(RuntimeParam):
        def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
            is_plain = self.parameter_info.parser is None and not param.type_descriptor.is_path
            if is_plain and _is_made(value, self.annotation, param.default):
                return value
            if isinstance(value, str) and (number := _number(value, self.annotation, self.parameter_info)) is not None:
                return number
            if (
                param.type_descriptor.is_path
                and self.annotation is Path
                and isinstance(value, str)
                and "\0" not in value
            ):
                # What is a path already is looked at without pydantic.
                return coerce_cli_path(Path(value), self.parameter_info, path_type=Path, param=param, ctx=ctx)
            return build_runtime_param(param.type_descriptor)._coerce_value(value, param=param, ctx=ctx)

    for one in parameters:
        if getattr(one, "_runtime_param", one) is None:
            one._runtime_param = AsGiven(one.type_descriptor.parameter_info, one.type_descriptor.annotation)
    return parameters


def _number(value: str, declared: Any, asked: Any) -> int | None:
    """The whole number that a text is as most are written, if it is one that may be given; else None."""
    if declared is not int or asked.parser is not None or not _WHOLE.fullmatch(value):
        return None
    number = int(value)
    fits = (asked.min is None or number >= asked.min) and (asked.max is None or number <= asked.max)
    return number if fits else None


def _is_made(value: object, declared: Any, default: object = None) -> bool:
    """Whether a value is already what is declared: a text, texts, a choice or number that is the default."""
    if get_origin(declared) is list:
        return isinstance(value, list | tuple) and all(_is_made(one, get_args(declared)[0]) for one in value)
    if not isinstance(declared, type) or type(value) is not declared:
        return False
    return issubclass(declared, str | Enum) or (declared in (int, float) and value == default)


app = typer.Typer(
    name="tidings",
    help="Takes the story out of any news page, in any language, with no template.",
    epilog=EPILOGUE,
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": HELP_OPTIONS},
)


def _version(wanted: bool) -> None:
    if wanted:
        from tidings import __version__, core

        state = core.state()
        typer.echo(
            f"tidings {__version__} ({'compiled core' if state.is_compiled else f'no compiled core: {state.reason}'})"
        )
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    config: Annotated[
        str | None,
        typer.Option(
            "--config", metavar="FILE", help="The configuration file; `tidings config` shows what is in force."
        ),
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback when something goes wrong.")] = False,
    version: Annotated[  # noqa: ARG001  # Typer runs its callback
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Say the version.")
    ] = False,
) -> None:
    """Takes the story out of any news page, in any language, with no template."""
    state.debug = debug
    state.root = context.command
    state.config = None
    if config or context.invoked_subcommand in {"config", "doctor"} or _is_configured():
        from tidings.cli.config import CommandDefaults, ConfigFile, config_file

        state.config = ConfigFile.read(config_file(Path(config) if config else None))
        state.config.check(state.root.commands)
        context.default_map = CommandDefaults(state.root, state.config)  # type: ignore[assignment]  # it looks up only


#: Variables that stand for no option of a command, or are asked for where they are needed.
_NO_OPTIONS: Final = frozenset(
    f"TIDINGS_{name}" for name in ("STORE", "SITES", "NO_SKIP", "GATE", "LAB", "PAGES", "EXAMPLES")
)


def _is_configured() -> bool:
    """Whether there is a file or a variable: else nothing need be loaded."""
    has_variable = any(name.startswith("TIDINGS_") and name not in _NO_OPTIONS for name in os.environ)
    return has_variable or any(one.is_file() for one in usual_places())


def main() -> None:
    """Run the command line; a person never sees a traceback unless `--debug` asks for it."""
    if os.getpid() == 1:  # the first process of a container: what it does not listen to passes it by
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    guard_terminals()
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if state.debug and not isinstance(error, BrokenPipeError):
            raise
        sys.exit(_told(error))


def _told(error: Exception) -> int:
    """Say what went wrong in a sentence; the exit code."""
    match error:
        case TidingsError():
            _say(str(error))
        case BrokenPipeError():  # the reader of our output has gone, as in `tidings extract … | head`
            _say_no_more()
            return 141
        case OSError(filename=None):  # a full disk
            _say_no_more()
            _say(f"the output cannot be written: {error.strerror or error}; make room, or choose another place")
        case OSError():  # a folder that is not there
            _say(f"{shown(os.fsdecode(error.filename))} cannot be used: {error.strerror}; choose another place")
        case _:
            told = shown(f"{type(error).__name__}: {error}", 300)
            _say(f"this should not have happened ({told}); run it as `tidings --debug …` and report what it shows")
            return 70  # EX_SOFTWARE
    return 2


def _say(text: str) -> None:
    from rich.console import Console
    from rich.markup import escape

    said = escape(text)  # it may hold an address with brackets in it
    Console(stderr=True, soft_wrap=True).print(f"[bold red]tidings:[/] {said}", highlight=False, markup=True)


def _say_no_more() -> None:
    """Standard output leads nowhere from here on, or what is left to be written would be tried again at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
