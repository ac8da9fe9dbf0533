"""The `tidings` command and how it ends: results on standard output, everything else on standard error."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from tidings.cli.commands import EPILOGUE, Commands
from tidings.cli.state import state, usual_places
from tidings.errors import TidingsError, shown

app = typer.Typer(
    name="tidings",
    help="Takes the story out of any news page, in any language, with no template.",
    epilog=EPILOGUE,
    cls=Commands,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        from tidings import __version__, core

        state = core.state()
        typer.echo(f"tidings {__version__} ({'compiled core' if state.is_compiled else f'in Python: {state.reason}'})")
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


def _is_configured() -> bool:
    """Whether there is a file or a variable: else nothing need be loaded."""
    has_variable = any(name.startswith("TIDINGS_") for name in os.environ)
    return has_variable or any(one.is_file() for one in usual_places())


def main() -> None:
    """Run the command line; a person never sees a traceback unless `--debug` asks for it."""
    if os.getpid() == 1:  # the first process of a container: what it does not listen to passes it by
        signal.signal(signal.SIGTERM, lambda number, _: sys.exit(128 + number))
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
