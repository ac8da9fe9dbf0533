"""The configuration file: options of commands written down once, and what is in force, with where it came from.

A table a command, a key an option without its dashes; what several commands share stands above the tables:

    store = "postgresql://localhost/news"

    [serve]
    port = 9000
    trusted-proxy = ["127.0.0.1"]

An option on the command line goes before the environment (`TIDINGS_SERVE_PORT`), which goes before the file.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from tidings.cli.state import HELP_OPTIONS, state, usual_places
from tidings.errors import InputError, did_you_mean

#: What stands above the tables: options of the same meaning in all commands that have them.
COMMON: Final = (
    *("store", "proxy", "allow-host", "ignore-robots", "browser", "jobs"),
    *("log", "log-level", "log-format"),
)
#: Of these, where the store is is asked for by whoever opens it (`tidings.cli.stored`): to some commands `--store` says
#: that they are to use one at all.
_ASKED_FOR: Final = "store"
#: Words of which the values are never shown.
_SECRETS: Final = ("secret", "password")
_HEADER: Final = re.compile(r"\s*\[\s*([A-Za-z0-9_.\-]+)\s*\]")
_YES, _NO = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off"})
_LARGEST: Final = 1_000_000


def config_file(named: Path | None = None) -> Path | None:
    """The configuration file: the one that is named, `TIDINGS_CONFIG`, or the one in the usual place if there is one.

    Raises:
        InputError: one is named and not there.
    """
    told = named or (Path(os.environ["TIDINGS_CONFIG"]) if os.environ.get("TIDINGS_CONFIG") else None)
    if told is not None:
        if not told.is_file():
            raise InputError(f"there is no configuration file {told}; name another with --config or TIDINGS_CONFIG")
        return told
    return next((one for one in usual_places() if one.is_file()), None)


@dataclass(frozen=True, slots=True)
class Setting:
    """A value that is in force for an option, and where it came from."""

    command: str
    key: str
    value: Any
    origin: str

    @property
    def shown(self) -> str:
        """The value for people; of what is secret nothing."""
        from tidings.urls import without_credentials

        if any(word in self.key for word in _SECRETS):
            return "(not shown)"
        return repr(without_credentials(self.value)) if isinstance(self.value, str) else repr(self.value)


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A configuration file that was read."""

    path: Path | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[tuple[str, ...], int] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path | None) -> ConfigFile:
        """Read a file; None is none.

        Raises:
            InputError: it cannot be read, or is no TOML.
        """
        if path is None:
            return cls()
        try:
            data = path.read_bytes()
            if len(data) > _LARGEST:
                raise InputError(f"{path} is too large for a configuration file")
            text = data.decode("utf-8-sig")
            values = tomllib.loads(text)
        except OSError as error:
            raise InputError(f"{path} cannot be read: {error.strerror}") from error
        except UnicodeDecodeError as error:
            raise InputError(f"{path} is no text in UTF-8") from error
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"{path}: {error}; tables are [serve], values key = value") from error
        return cls(path, values, dict(_lines(text)))

    def origin(self, *keys: str) -> str:
        """Where a value stands."""
        line = self.lines.get(keys)
        return f"{self.path}, line {line}" if line else str(self.path)

    def check(self, commands: Mapping[str, Any]) -> None:
        """See that the file names commands and shared options only.

        Raises:
            InputError: it does not.
        """
        for key, value in self.values.items():
            if isinstance(value, dict):
                if key not in commands:
                    raise InputError(f"{self.origin(key)}: there is no command {key!r}; {_advice(key, list(commands))}")
            elif key not in COMMON:
                raise InputError(
                    f"{self.origin(key)}: {key!r} is no option of all commands; {_advice(key, COMMON)}, or a table as"
                    " [serve] above it"
                )
        if not isinstance(self.values.get(_ASKED_FOR, ""), str):
            raise InputError(f"{self.origin(_ASKED_FOR)}: a store is a file, or postgresql://…, as a text")


def _lines(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """On which line each table and key of a file stands."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = tuple(header[1].split("."))
            yield table, number
        elif key := re.match(r"""\s*["']?([A-Za-z0-9_\-]+)["']?\s*=""", line):
            yield (*table, key[1]), number


def _advice(key: str, known: Any) -> str:
    return did_you_mean(key, tuple(known))


@dataclass(frozen=True, slots=True)
class CommandDefaults:
    """What the environment and a file say of the options of commands: what Click looks defaults up in."""

    group: Any
    file: ConfigFile
    path: tuple[str, ...] = ()

    def get(self, name: str, default: Any = None) -> Any:
        """The defaults of a command, by the names of its parameters; of a group of commands, another one like this.

        Raises:
            InputError: there is a value that the option does not take.
        """
        command = self.group.commands.get(name)
        if command is None:
            return default
        path = (*self.path, name)
        if hasattr(command, "commands"):
            return CommandDefaults(command, self.file, path)
        return {parameter: one.value for parameter, one in settings(command, self.file, path)}


def settings(command: Any, file: ConfigFile, path: tuple[str, ...]) -> list[tuple[str, Setting]]:
    """What is in force for a command besides its own defaults: the name of each parameter, and its setting.

    Raises:
        InputError: there is a key or a value that the command does not take.
    """
    # A command caches its help option when its parameters are first listed: without the names here, `-h` is lost.
    context = command.context_class(command, info_name=path[-1], help_option_names=list(HELP_OPTIONS))
    options = {key: one for one in command.get_params(context) if one.param_type_name == "option" for key in _keys(one)}
    options.pop("help", None)
    table: Any = file.values
    for part in path:
        table = table.get(part, {}) if isinstance(table, dict) else {}
    if not isinstance(table, dict):
        table = {}
    for key in table:
        if key not in options:
            raise InputError(
                f"{file.origin(*path, key)}: {' '.join(path)} has no option {key!r}; {_advice(key, list(options))}"
            )
    found = []
    for key, option in options.items():
        told = _told(key, table, file, path)
        if told is not None:
            value, origin = told
            found.append((option.name, Setting(" ".join(path), key, _checked(option, context, value, origin), origin)))
    return found


def _told(key: str, table: Mapping[str, Any], file: ConfigFile, path: tuple[str, ...]) -> tuple[Any, str] | None:
    name = "_".join(("TIDINGS", *path, key)).upper().replace("-", "_")
    shared = f"TIDINGS_{key}".upper().replace("-", "_")
    is_shared = key in COMMON and key != _ASKED_FOR
    for variable in (name, *((shared,) if is_shared else ())):
        if os.environ.get(variable):
            return os.environ[variable], f"environment, {variable}"
    if key in table:
        return table[key], file.origin(*path, key)
    if is_shared and key in file.values:
        return file.values[key], file.origin(key)
    return None


def _keys(option: Any) -> list[str]:
    """What an option is called in a file: its name, then names that it had."""
    long = [one for one in option.opts if one.startswith("--")]
    return [str(one).lstrip("-") for one in long or option.opts[:1]]


def _checked(option: Any, context: Any, value: Any, origin: str) -> Any:
    """A value as the option takes it."""
    if isinstance(value, str) and origin.startswith("environment"):
        if option.is_flag:
            value = True if value.lower() in _YES else False if value.lower() in _NO else value
        elif option.multiple:
            value = [one for one in re.split(r"[\s,]+", value) if one]
    wrong = _kind_wanted(option, value)
    if not wrong:
        try:
            option.process_value(context, value)
        except Exception as error:
            message = getattr(error, "message", "") or str(error)
            wrong = message[0].lower() + message[1:].rstrip(".")
    if wrong:
        name = f"{context.info_name} --{_keys(option)[0]}"
        raise InputError(f"{origin}: {value!r} is nothing for {name}: {wrong}")
    return value


def _kind_wanted(option: Any, value: Any) -> str:
    """What is allowed, where a value is of another kind."""
    if option.is_flag:
        return "" if isinstance(value, bool) else "true or false is allowed"
    if option.multiple:
        is_list = isinstance(value, list) and all(isinstance(one, str | int | float) for one in value)
        return "" if is_list else 'a list is allowed, as ["one", "two"]'
    if isinstance(value, bool | list | dict):
        return f"one value is allowed: {option.metavar or 'a text or a number'}"
    return ""


def config(
    command: Annotated[
        list[str] | None, typer.Argument(metavar="COMMAND", help="Only what is in force for this command: serve.")
    ] = None,
    check: Annotated[bool, typer.Option("--check", help="Say nothing where all is well.")] = False,
) -> None:
    """Show what is in force: each option that the environment or the configuration file sets, and where that stands.

    The file is that of `--config` or TIDINGS_CONFIG, or tidings.toml in your configuration folder or in /etc/tidings.
    Options on the command line go before the environment, which goes before the file.

    For example:

      tidings config
      tidings config serve
      TIDINGS_SERVE_PORT=9000 tidings config
    """
    root = state.root
    found = list(in_force(root, state.config))
    if command:
        wanted = " ".join(command)
        if wanted not in {name for name, _ in _commands(root, ())}:
            raise InputError(f"there is no command {wanted!r}; {_advice(wanted, [n for n, _ in _commands(root, ())])}")
        found = [one for one in found if one.command == wanted]
    if check:
        return
    places = ", ".join(map(str, usual_places()))
    typer.echo(f"# {state.config.path or f'no configuration file; one would be {places}'}")
    everywhere = _store(state.config)
    for one in (*everywhere, *found):
        typer.echo(f"{one.command} --{one.key} = {one.shown}  # {one.origin}")
    if not (found or everywhere):
        typer.echo("# nothing is set: every option has its default")


def _store(file: ConfigFile) -> list[Setting]:
    """The store that all commands use."""
    if os.environ.get("TIDINGS_STORE"):
        return [Setting("tidings", _ASKED_FOR, os.environ["TIDINGS_STORE"], "environment, TIDINGS_STORE")]
    if _ASKED_FOR in file.values:
        return [Setting("tidings", _ASKED_FOR, file.values[_ASKED_FOR], file.origin(_ASKED_FOR))]
    return []


def _commands(group: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for name in group.commands:
        command = group.commands[name]
        if hasattr(command, "commands"):
            yield from _commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def in_force(root: Any, file: ConfigFile) -> Iterator[Setting]:
    """Every option that the environment or a file sets.

    Raises:
        InputError: there is a key or a value that a command does not take.
    """
    for name, command in _commands(root, ()):
        yield from (one for _, one in settings(command, file, tuple(name.split())))
