"""`tidings config`: show the settings in effect; and the configuration file with defaults of options.

The file has a table for each command and a key for each option, without dashes. Options that all commands share come
before the tables:

    store = "postgresql://localhost/news"

    [serve]
    port = 9000
    trusted-proxy = ["127.0.0.1"]

An option on the command line overrides the environment variable (here TIDINGS_SERVE_PORT), which overrides the file.
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

from tidings.cli.state import HELP_OPTIONS, default_config_paths, state
from tidings.errors import InputError, did_you_mean
from tidings.plugins import missing_package

#: Options before the tables: they have the same meaning in all commands.
COMMON: Final = (
    *("store", "proxy", "allow-host", "ignore-robots", "browser", "jobs"),
    *("log", "log-level", "log-format"),
)
#: The store is no default of an option: the code that opens it reads it (`tidings_portal.cli.store_options`), because
#: for some commands `--store` also means that they use a store at all.
_STORE: Final = "store"
#: Values of options with these words in their names are never shown.
_SECRETS: Final = ("secret", "password")
_HEADER: Final = re.compile(r"\s*\[\s*([A-Za-z0-9_.\-]+)\s*\]")
_YES, _NO = frozenset({"1", "true", "yes", "on"}), frozenset({"0", "false", "no", "off"})
_LARGEST: Final = 1_000_000


def config_file(option: Path | None = None) -> Path | None:
    """Return the configuration file: the option, `TIDINGS_CONFIG`, or the first default path that exists.

    Raises:
        InputError: the option or the variable names a file that does not exist.
    """
    path = option or (Path(os.environ["TIDINGS_CONFIG"]) if os.environ.get("TIDINGS_CONFIG") else None)
    if path is not None:
        if not path.is_file():
            raise InputError(f"there is no configuration file {path}; name another with --config or TIDINGS_CONFIG")
        return path
    return next((path for path in default_config_paths() if path.is_file()), None)


@dataclass(frozen=True, slots=True)
class Setting:
    """The value of an option, and where it was set."""

    command: str
    key: str
    value: Any
    origin: str

    @property
    def display(self) -> str:
        """Return the displayed value of a setting, with secrets replaced."""
        from tidings.urls import without_credentials

        if any(word in self.key for word in _SECRETS):
            return "(not shown)"
        return repr(without_credentials(self.value)) if isinstance(self.value, str) else repr(self.value)


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A configuration file."""

    path: Path | None = None
    values: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[tuple[str, ...], int] = field(default_factory=dict)

    @classmethod
    def read(cls, path: Path | None) -> ConfigFile:
        """Read a file; without a path, return an empty configuration.

        Raises:
            InputError: the file cannot be read, or is not TOML.
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
            raise InputError(f"{path} is not UTF-8 text") from error
        except tomllib.TOMLDecodeError as error:
            raise InputError(f"{path}: {error}; tables are [serve], values key = value") from error
        return cls(path, values, dict(_lines(text)))

    def origin(self, *keys: str) -> str:
        """Return the file and line of a value."""
        line = self.lines.get(keys)
        return f"{self.path}, line {line}" if line else str(self.path)

    def check(self, commands: Mapping[str, Any]) -> None:
        """Check that every table is a command and every other key an option of all commands.

        Raises:
            InputError: a name is unknown.
        """
        for key, value in self.values.items():
            if isinstance(value, dict):
                if key not in commands and missing_package(key) is None:
                    raise InputError(f"{self.origin(key)}: there is no command {key!r}; {_advice(key, list(commands))}")
            elif key not in COMMON:
                raise InputError(
                    f"{self.origin(key)}: {key!r} is not an option of all commands; {_advice(key, COMMON)}, or put a"
                    " table such as [serve] before it"
                )
        if not isinstance(self.values.get(_STORE, ""), str):
            raise InputError(f"{self.origin(_STORE)}: store must be a text: a file name or postgresql://…")


def _lines(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield each table and key of a file with its line number."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        if header := _HEADER.match(line):
            table = tuple(header[1].split("."))
            yield table, number
        elif key := re.match(r"""\s*["']?([A-Za-z0-9_\-]+)["']?\s*=""", line):
            yield (*table, key[1]), number


def _advice(key: str, names: Any) -> str:
    return did_you_mean(key, tuple(names))


@dataclass(frozen=True, slots=True)
class CommandDefaults:
    """Defaults of options from the environment and the configuration file, as Click looks them up."""

    group: Any
    file: ConfigFile
    path: tuple[str, ...] = ()

    def get(self, name: str, default: Any = None) -> Any:
        """Return the defaults of a command by parameter name, or of a group another `CommandDefaults`.

        Raises:
            InputError: a value is not valid for its option.
        """
        command = self.group.commands.get(name)
        if command is None:
            return default
        path = (*self.path, name)
        if hasattr(command, "commands"):
            return CommandDefaults(command, self.file, path)
        return {parameter: setting.value for parameter, setting in settings(command, self.file, path)}


def settings(command: Any, file: ConfigFile, path: tuple[str, ...]) -> list[tuple[str, Setting]]:
    """Return the settings of a command from the environment and the file, each with the name of its parameter.

    Raises:
        InputError: a key or a value is not valid for the command.
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
    result = []
    for key, option in options.items():
        configured = _configured(key, table, file, path)
        if configured is not None:
            value, origin = configured
            result.append((option.name, Setting(" ".join(path), key, _checked(option, context, value, origin), origin)))
    return result


def _configured(key: str, table: Mapping[str, Any], file: ConfigFile, path: tuple[str, ...]) -> tuple[Any, str] | None:
    name = "_".join(("TIDINGS", *path, key)).upper().replace("-", "_")
    shared = f"TIDINGS_{key}".upper().replace("-", "_")
    is_shared = key in COMMON and key != _STORE
    for variable in (name, *((shared,) if is_shared else ())):
        if os.environ.get(variable):
            return os.environ[variable], f"environment, {variable}"
    if key in table:
        return table[key], file.origin(*path, key)
    if is_shared and key in file.values:
        return file.values[key], file.origin(key)
    return None


def _keys(option: Any) -> list[str]:
    """Return the keys of an option in a file: its name, then its former names."""
    long = [one for one in option.opts if one.startswith("--")]
    return [str(one).lstrip("-") for one in long or option.opts[:1]]


def _checked(option: Any, context: Any, value: Any, origin: str) -> Any:
    """Return a value converted for an option.

    Raises:
        InputError: it is not valid for the option.
    """
    if isinstance(value, str) and origin.startswith("environment"):
        if option.is_flag:
            value = True if value.lower() in _YES else False if value.lower() in _NO else value
        elif option.multiple:
            value = [one for one in re.split(r"[\s,]+", value) if one]
    wrong = _type_problem(option, value)
    if not wrong:
        try:
            option.process_value(context, value)
        except Exception as error:
            message = getattr(error, "message", "") or str(error)
            wrong = message[0].lower() + message[1:].rstrip(".")
    if wrong:
        name = f"{context.info_name} --{_keys(option)[0]}"
        raise InputError(f"{origin}: {value!r} is not valid for {name}: {wrong}")
    return value


def _type_problem(option: Any, value: Any) -> str:
    """Return what an option allows if the value has another type, else an empty text."""
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
        list[str] | None,
        typer.Argument(metavar="COMMAND", help="Show only the settings of this command, for example serve."),
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Only check the settings; print nothing if they are valid.")
    ] = False,
) -> None:
    """Show the settings in effect: each option that an environment variable or the configuration file sets, and
    where.

    The file is the one of `--config` or TIDINGS_CONFIG, else tidings.toml in your configuration folder or /etc/tidings.
    Options on the command line override the environment, which overrides the file.

    For example:

      tidings config
      tidings config serve
      TIDINGS_SERVE_PORT=9000 tidings config
    """
    root = state.root
    configured = list(all_settings(root, state.config))
    if command:
        name = " ".join(command)
        names = [name for name, _ in _commands(root, ())]
        if name not in names:
            raise InputError(f"there is no command {name!r}; {_advice(name, names)}")
        configured = [setting for setting in configured if setting.command == name]
    if check:
        return
    paths = ", ".join(map(str, default_config_paths()))
    typer.echo(f"# {state.config.path or f'no configuration file; create one at {paths}'}")
    shared = _store(state.config)
    for setting in (*shared, *configured):
        typer.echo(f"{setting.command} --{setting.key} = {setting.display}  # {setting.origin}")
    if not (configured or shared):
        typer.echo("# nothing is set: every option has its default")


def _store(file: ConfigFile) -> list[Setting]:
    """Return the setting of the store, if there is one."""
    if os.environ.get("TIDINGS_STORE"):
        return [Setting("tidings", _STORE, os.environ["TIDINGS_STORE"], "environment, TIDINGS_STORE")]
    if _STORE in file.values:
        return [Setting("tidings", _STORE, file.values[_STORE], file.origin(_STORE))]
    return []


def _commands(group: Any, path: tuple[str, ...]) -> Iterator[tuple[str, Any]]:
    for name in group.commands:
        command = group.commands[name]
        if hasattr(command, "commands"):
            yield from _commands(command, (*path, name))
        else:
            yield " ".join((*path, name)), command


def all_settings(root: Any, file: ConfigFile) -> Iterator[Setting]:
    """Yield every option that an environment variable or the configuration file sets.

    Raises:
        InputError: a key or a value is not valid for a command.
    """
    for name, command in _commands(root, ()):
        yield from (setting for _, setting in settings(command, file, tuple(name.split())))
