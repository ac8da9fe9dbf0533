"""The `tidings` command: its options, its subcommands, and how it reports errors.

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
from tidings.cli.state import HELP_OPTIONS, default_config_paths, state
from tidings.errors import MissingPackage, TidingsError, printable

#: An integer as it is usually written.
_WHOLE: Final = re.compile("0|[1-9][0-9]{0,8}")
EPILOGUE: Final = "Exit codes: 0 success, 1 some pages failed, 2 wrong options or arguments, 3 every page failed."

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
        """Return the options of `tidings` itself."""
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
    """Return for each command name its heading in `--help` and the import path of its function."""
    return {name: (task, location) for task, commands in tasks.items() for name, location in commands.items()}


def _load(name: str, task: str, location: str) -> Any:
    """Import a command. Without a heading it is a former name, which `--help` does not list."""
    module, _, attribute = location.partition(":")
    function = getattr(import_module(module), attribute)
    alone = typer.Typer(add_completion=False, rich_markup_mode="rich", pretty_exceptions_enable=False)
    if isinstance(function, typer.Typer):
        alone.add_typer(function, name=name, rich_help_panel=task, hidden=not task)
        return get_command(alone).commands[name]  # type: ignore[attr-defined]  # a group, as it has one
    alone.command(name, cls=_TopCommand, epilog=EPILOGUE, rich_help_panel=task)(with_records(function))
    return get_command(alone)


def _sparing_pydantic(parameters: list[Any]) -> list[Any]:
    """Return the parameters, changed so that pydantic is imported only to convert texts.

    Typer 0.29 uses pydantic for every option, even for defaults, and importing it takes half as long as the rest of
    `tidings extract`. Other versions of Typer have no `RuntimeParam`; their parameters are returned unchanged.
    """
    try:
        from typer._coercion import RuntimeParam, build_runtime_param
        from typer._param_types import coerce_cli_path
    except ImportError:
        return parameters

    class LazyParam(RuntimeParam):
        def _coerce_value(self, value: Any, param: Any, ctx: Any) -> Any:
            is_plain = self.parameter_info.parser is None and not param.type_descriptor.is_path
            if is_plain and _is_converted(value, self.annotation, param.default):
                return value
            if isinstance(value, str) and (number := _number(value, self.annotation, self.parameter_info)) is not None:
                return number
            if (
                param.type_descriptor.is_path
                and self.annotation is Path
                and isinstance(value, str)
                and "\0" not in value
            ):
                return coerce_cli_path(Path(value), self.parameter_info, path_type=Path, param=param, ctx=ctx)
            return build_runtime_param(param.type_descriptor)._coerce_value(value, param=param, ctx=ctx)

    for parameter in parameters:
        if getattr(parameter, "_runtime_param", parameter) is None:
            descriptor = parameter.type_descriptor
            parameter._runtime_param = LazyParam(descriptor.parameter_info, descriptor.annotation)
    return parameters


def _number(value: str, annotation: Any, option: Any) -> int | None:
    """Convert the text of a command-line option to an integer; return None if the option does not take integers or does
    not allow this value.
    """
    if annotation is not int or option.parser is not None or not _WHOLE.fullmatch(value):
        return None
    number = int(value)
    fits = (option.min is None or number >= option.min) and (option.max is None or number <= option.max)
    return number if fits else None


def _is_converted(value: object, annotation: Any, default: object = None) -> bool:
    """Return whether a value has the type of the option already, so that pydantic need not convert it."""
    if get_origin(annotation) is list:
        return isinstance(value, list | tuple) and all(_is_converted(item, get_args(annotation)[0]) for item in value)
    if not isinstance(annotation, type) or type(value) is not annotation:
        return False
    return issubclass(annotation, str | Enum) or (annotation in (int, float) and value == default)


app = typer.Typer(
    name="tidings",
    help="Extract articles from news pages, in any language, without templates.",
    epilog=EPILOGUE,
    cls=Commands,
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": HELP_OPTIONS},
)


def _version(requested: bool) -> None:
    if requested:
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
            "--config", metavar="FILE", help="The configuration file; `tidings config` shows the settings in effect."
        ),
    ] = None,
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback when something fails.")] = False,
    version: Annotated[  # noqa: ARG001  # Typer runs its callback
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Extract articles from news pages, in any language, without templates."""
    state.debug = debug
    state.root = context.command
    state.config = None
    if config or context.invoked_subcommand in {"config", "doctor"} or _is_configured():
        from tidings.cli.config import CommandDefaults, ConfigFile, config_file

        state.config = ConfigFile.read(config_file(Path(config) if config else None))
        state.config.check(state.root.commands)
        context.default_map = CommandDefaults(state.root, state.config)  # type: ignore[assignment]  # it looks up only


#: Environment variables that are no defaults of options, or that are read where they are needed.
_NO_OPTIONS: Final = frozenset(f"TIDINGS_{name}" for name in ("STORE", "SITES", "NO_SKIP", "GATE", "PAGES", "EXAMPLES"))


def _is_configured() -> bool:
    """Return whether a configuration file or an environment variable sets an option."""
    has_variable = any(name.startswith("TIDINGS_") and name not in _NO_OPTIONS for name in os.environ)
    return has_variable or any(path.is_file() for path in default_config_paths())


def main() -> None:
    """Run the command line. A traceback is shown only with `--debug`."""
    if os.getpid() == 1:  # the first process of a container ignores signals without a handler
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
    guard_terminals()
    try:
        app()
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as error:
        if state.debug and not isinstance(error, BrokenPipeError):
            raise
        sys.exit(_report(error))


def _report(error: Exception) -> int:
    """Print an error as one sentence, and return the exit code."""
    match error:
        case TidingsError():
            _print_error(str(error))
        case BrokenPipeError():  # the program that reads our output has ended, as in `tidings extract … | head`
            _close_stdout()
            return 141
        case OSError(filename=None):  # a full disk
            _close_stdout()
            _print_error(
                f"the output cannot be written: {error.strerror or error}; free some space, or choose another place"
            )
        case OSError():  # a folder that is not there
            _print_error(
                f"{printable(os.fsdecode(error.filename))} cannot be used: {error.strerror}; choose another place"
            )
        case _:
            reason = printable(f"{type(error).__name__}: {error}", 300)
            _print_error(f"unexpected error ({reason}); run `tidings --debug …` and report the traceback")
            return 70  # EX_SOFTWARE
    return 2


def _print_error(text: str) -> None:
    from rich.console import Console
    from rich.markup import escape

    message = escape(text)  # a URL may have brackets
    Console(stderr=True, soft_wrap=True).print(f"[bold red]tidings:[/] {message}", highlight=False, markup=True)


def _close_stdout() -> None:
    """Discard what is written to standard output from now on; else Python would try again to flush it at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
