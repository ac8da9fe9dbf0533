"""Output of commands: `--format`, `--output`, tables, lists and progress bars.

Results go to standard output or to the file of `--output`, everything else to standard error. Control characters in
texts from the web never reach a terminal.
"""

from __future__ import annotations

import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields, is_dataclass
from enum import StrEnum
from functools import partial, wraps
from inspect import Parameter, Signature, signature
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Annotated, Any, Final, TextIO, TypeVar, get_origin, get_type_hints

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import ProgressColumn
    from rich.table import Table
    from rich.text import Text

T = TypeVar("T")
_DRAWN_EVERY: Final = 0.1  # seconds

#: The columns of a table that goes to a file.
_WIDE: Final = 200
_C1: Final = re.compile(r"[\x80-\x9f]")
_NUMBER: Final = re.compile(r"[-–]?[\d.,]+ ?[%×]?")


class ListFormat(StrEnum):
    """Output formats of commands that list records."""

    TABLE = "table"
    CSV = "csv"
    JSONL = "jsonl"


Form = Annotated[ListFormat, typer.Option("--format", "-f", help="table, csv or jsonl.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="Output file. Default: standard output.")]
#: The same for commands whose option was called --out before 0.2.
OldOutput = Annotated[
    Path | None, typer.Option("--output", "-o", "--out", help="Output file. Default: standard output.")
]


class Command(TyperCommand):
    """A command that also accepts the former name of `--output`, with a notice."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Parse the arguments; print a notice if the former name is used."""
        for option in self.params:
            if option.opts[:1] == ["--output"]:
                words = {word.partition("=")[0] for word in args}
                for old in sorted(words.intersection(option.opts[1:])):
                    if old.startswith("--"):
                        typer.echo(f"tidings: {old} is called --output now", err=True)
        return super().parse_args(ctx, args)


def with_records(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command for Typer: each parameter that is a dataclass is replaced by its fields, which are options."""
    parameters: list[Parameter] = []
    records: dict[str, list[str]] = {}
    hints = get_type_hints(command, include_extras=True)
    for parameter in signature(command).parameters.values():
        if not is_dataclass(parameter.default):
            parameters.append(parameter.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[parameter.name]))
            continue
        field_hints = get_type_hints(type(parameter.default), include_extras=True)
        options = [field for field in fields(parameter.default) if get_origin(field_hints[field.name]) is Annotated]
        records[parameter.name] = [field.name for field in options]
        parameters += [
            Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=field_hints[field.name])
            for field in options
        ]

    @wraps(command)
    def flat_command(**arguments: Any) -> None:
        for name, names in records.items():
            record: Callable[..., Any] = hints[name]
            arguments[name] = record(**{option: arguments.pop(option) for option in names})
        command(**arguments)

    flat_command.__signature__ = Signature(parameters)  # type: ignore[attr-defined]  # read by `inspect.signature`
    flat_command.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
    return flat_command


#: C1 controls (some terminals read U+009B as ESC [) and controls that change the direction of text.
_TERMINAL_CONTROLS: Final = dict.fromkeys(
    (*range(0x80, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)


def for_terminal(text: str) -> str:
    """Remove C1 and bidirectional control characters from a text."""
    return text if text.isascii() else text.translate(_TERMINAL_CONTROLS)


class TerminalStream(io.TextIOWrapper):
    """A stream to a terminal that removes C1 and bidirectional control characters."""

    def write(self, text: str) -> int:
        """Write a text without C1 and bidirectional control characters."""
        super().write(for_terminal(text))
        return len(text)


def guard_terminals() -> None:
    """Filter control characters on standard output and standard error if they are terminals."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and stream.isatty():
            settings = (stream.encoding, stream.errors)
            setattr(sys, name, TerminalStream(stream.detach(), *settings, line_buffering=True))


def write_bytes(data: bytes) -> None:
    """Write a document to standard output; for a terminal, without control characters."""
    if sys.stdout.isatty():
        sys.stdout.write(for_terminal(data.decode("utf-8", "replace")))
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def escape_c1(text: str) -> str:
    """Escape C1 control characters in a JSON text."""
    return _C1.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def plain(text: str) -> str:
    """Return a text with control characters replaced by spaces."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


@contextmanager
def destination(output: Path | None) -> Iterator[TextIO]:
    """Open the file for results, or yield standard output."""
    if output is None:
        yield sys.stdout
        sys.stdout.flush()
    else:
        with output.open("w", encoding="utf-8") as stream:
            yield stream


def write_list(
    records: Sequence[Mapping[str, object]],
    form: ListFormat,
    output: Path | None,
    headings: Sequence[str],
    rows: Iterable[Sequence[Any]],
    if_empty: str = "",
) -> None:
    """Write a list as a table, CSV or JSON lines.

    Args:
        records: the entries for CSV and JSON lines.
        form: the format.
        output: the file, or None for standard output.
        headings: the headings of the table.
        rows: the rows of the table.
        if_empty: the message for an empty list, instead of an empty table.
    """
    if form is ListFormat.TABLE and not records:
        if if_empty:
            typer.echo(if_empty, err=True)
        return
    with destination(output) as stream:
        if form is ListFormat.TABLE:
            print_table(headings, rows, stream)
        for line in _lines(records, form) if form is not ListFormat.TABLE else ():
            stream.write(line + "\n")


def _lines(records: Sequence[Mapping[str, object]], form: ListFormat) -> Iterator[str]:
    if form is ListFormat.JSONL:
        for record in records:
            yield escape_c1(json.dumps(record, ensure_ascii=False))
        return
    from tidings.article.formats.as_csv import csv_line

    names = list(dict.fromkeys(name for record in records for name in record))
    if names:
        yield csv_line(names)
    for record in records:
        yield csv_line(map(_csv_cell, (record.get(name) for name in names)), guard_formulas=True)


def _csv_cell(value: object) -> str:
    if isinstance(value, list | tuple):
        return "; ".join(map(str, value))
    return "" if value is None else str(value)


def table(headings: Sequence[str], rows: Iterable[Sequence[Any]]) -> Table:
    """Return a table without lines: numbers are right-aligned, and empty columns are left out.

    A cell is a text, a number, or a `rich` text with colours.
    """
    from rich.table import Table
    from rich.text import Text

    cells = [list(row) for row in rows]
    result = Table(box=None, pad_edge=False, header_style="bold")
    used = [at for at in range(len(headings)) if not cells or any(row[at] != "" for row in cells)]
    for at in used:
        is_number = bool(cells) and all(_NUMBER.fullmatch(_cell_text(row[at])) for row in cells if row[at] != "")
        result.add_column(headings[at], justify="right" if is_number else "left", overflow="fold", no_wrap=is_number)
    for row in cells:
        result.add_row(
            *(cell if isinstance(cell, Text) else Text(_cell_text(cell)) for cell in (row[at] for at in used))
        )
    return result


def _cell_text(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, int) else plain(str(cell))


def print_table(
    headings: Sequence[str], rows: Iterable[Sequence[Any]], stream: TextIO | None = None, *, least: int = 0
) -> None:
    """Print a table as wide as the terminal and at least `least` columns; a table in a file has 200 columns."""
    from rich.console import Console

    stream = stream or sys.stdout
    width = max(Console(file=stream).width, least) if stream is sys.stdout else _WIDE
    Console(file=stream, width=width).print(table(headings, rows))


def coloured(text: str, colour: str) -> Text:
    """Return a table cell in a colour."""
    from rich.text import Text

    return Text(plain(text), style=colour)


class ProgressBar:
    """A progress bar on a terminal, otherwise invisible. It has no thread, so that worker processes can be forked."""

    def __init__(self, update: Callable[..., None]) -> None:
        self._update = update
        self._drawn = 0.0

    def advance(self) -> None:
        """Count one more step."""
        self._update(advance=1, refresh=self._is_due())

    def reach(self, done: float, total: float | None = None, note: str = "") -> None:
        """Set the number of completed steps, the total, and the text beside the bar."""
        self._update(completed=done, total=total, note=note, refresh=self._is_due())

    def _is_due(self) -> bool:
        """Return whether the bar is to be drawn again; at most ten times a second."""
        now = monotonic()
        if now - self._drawn < _DRAWN_EVERY:
            return False
        self._drawn = now
        return True


@contextmanager
def progress(what: str, total: float | None, *, of_bytes: bool = False) -> Iterator[ProgressBar]:
    """Show a progress bar for several steps, a spinner for one."""
    if not (sys.stderr.isatty() or "FORCE_COLOR" in os.environ):
        yield _INVISIBLE
        return
    from rich.console import Console

    console = Console(stderr=True)
    if total == 1 and console.is_terminal:
        with console.status(what):
            yield _INVISIBLE
        return
    with progress_bars(what, total=total, of_bytes=of_bytes, console=console) as (bar,):
        yield bar


@contextmanager
def progress_bars(
    *names: str,
    total: float | None = None,
    of_bytes: bool = False,
    counted: bool = True,
    console: Console | None = None,
) -> Iterator[list[ProgressBar]]:
    """Show a progress bar for each name, as wide as the terminal; nothing is shown if the console is not a terminal."""
    from rich.console import Console

    console = console or Console(stderr=True)
    if not console.is_terminal:
        yield [_INVISIBLE] * len(names)
        return
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns: list[ProgressColumn] = [TextColumn("{task.description}", markup=False), BarColumn(None)]
    columns += [DownloadColumn() if of_bytes else MofNCompleteColumn()] if counted else []
    columns += [TextColumn("{task.fields[note]}", markup=False), TimeRemainingColumn()]
    with Progress(*columns, console=console, transient=True, auto_refresh=False, expand=True) as bars:
        tasks = [bars.add_task(name, total=total, note="") for name in names]
        yield [ProgressBar(partial(bars.update, task)) for task in tasks]


_INVISIBLE: Final = ProgressBar(lambda **_: None)


def tracked(items: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """Yield the items and show a progress bar."""
    length = total if total is not None else len(items) if isinstance(items, Sequence) else None
    with progress(what, length) as bar:
        for item in items:
            yield item
            bar.advance()
