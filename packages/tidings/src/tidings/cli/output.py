"""What commands write: one `--format`, one `--output`, one kind of table, one progress bar.

Results go to standard output or to the file of `--output`, everything else to standard error. What a stranger wrote
moves no cursor and colours nothing.
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
    """How things are listed."""

    TABLE = "table"
    CSV = "csv"
    JSONL = "jsonl"


Form = Annotated[ListFormat, typer.Option("--format", "-f", help="table, csv or jsonl.")]
Output = Annotated[Path | None, typer.Option("--output", "-o", help="The file to write; else standard output.")]
#: Where it was called --out before.
OldOutput = Annotated[
    Path | None, typer.Option("--output", "-o", "--out", help="The file to write; else standard output.")
]


class Command(TyperCommand):
    """A command that takes the old word for `--output` too, and says so."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Click's own, with a notice where an old word is used."""
        for option in self.params:
            if option.opts[:1] == ["--output"]:
                words = {word.partition("=")[0] for word in args}
                for old in sorted(words.intersection(option.opts[1:])):
                    if old.startswith("--"):
                        typer.echo(f"tidings: {old} is called --output now", err=True)
        return super().parse_args(ctx, args)


def with_records(command: Callable[..., None]) -> Callable[..., None]:
    """A command whose parameters may be records: each field of one that is an option is an option of the command."""
    taken: list[Parameter] = []
    records: dict[str, list[str]] = {}
    hints = get_type_hints(command, include_extras=True)
    for one in signature(command).parameters.values():
        if not is_dataclass(one.default):
            taken.append(one.replace(kind=Parameter.KEYWORD_ONLY, annotation=hints[one.name]))
            continue
        told = get_type_hints(type(one.default), include_extras=True)
        options = [field for field in fields(one.default) if get_origin(told[field.name]) is Annotated]
        records[one.name] = [field.name for field in options]
        taken += [
            Parameter(field.name, Parameter.KEYWORD_ONLY, default=field.default, annotation=told[field.name])
            for field in options
        ]

    @wraps(command)
    def called(**given: Any) -> None:
        for name, names in records.items():
            kind: Callable[..., Any] = hints[name]
            given[name] = kind(**{option: given.pop(option) for option in names})
        command(**given)

    called.__signature__ = Signature(taken)  # type: ignore[attr-defined]  # as `inspect` asks for it
    called.__annotations__ = {one.name: one.annotation for one in taken}
    return called


#: C1 controls, of which some terminals take U+009B for ESC [, and controls that change the direction of text.
_TERMINAL_CONTROLS: Final = dict.fromkeys(
    (*range(0x80, 0xA0), 0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A))
)


def for_terminal(text: str) -> str:
    """Remove C1 and bidirectional control characters from a text."""
    return text if text.isascii() else text.translate(_TERMINAL_CONTROLS)


class TerminalStream(io.TextIOWrapper):
    """A terminal that gets no C1 or bidirectional control characters, whatever is written to it."""

    def write(self, text: str) -> int:
        """Write a text without them."""
        super().write(for_terminal(text))
        return len(text)


def guard_terminals() -> None:
    """Filter what goes to standard output and standard error where these are terminals."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and stream.isatty():
            settings = (stream.encoding, stream.errors)
            setattr(sys, name, TerminalStream(stream.detach(), *settings, line_buffering=True))


def write_bytes(data: bytes) -> None:
    """Write a document to standard output: as it is, unless that is a terminal."""
    if sys.stdout.isatty():
        sys.stdout.write(for_terminal(data.decode("utf-8", "replace")))
    else:
        sys.stdout.buffer.write(data)
        sys.stdout.buffer.flush()


def escape_c1(text: str) -> str:
    """Escape C1 control characters in a JSON text."""
    return _C1.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def plain(text: str) -> str:
    """A text from elsewhere for a terminal: nothing in it moves the cursor."""
    return "".join(sign if sign.isprintable() else " " for sign in text)


@contextmanager
def destination(output: Path | None) -> Iterator[TextIO]:
    """Where results go: a file, or standard output."""
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
    none: str = "",
) -> None:
    """Write a list: the records for programs, the rows for people; `none` is what people are told of an empty one."""
    if form is ListFormat.TABLE and not records:
        if none:
            typer.echo(none, err=True)
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
    """The one kind of table: no lines, numbers to the right, no column in which nothing stands.

    A cell is a text, a number, or a text with colours.
    """
    from rich.table import Table
    from rich.text import Text

    cells = [list(row) for row in rows]
    made = Table(box=None, pad_edge=False, header_style="bold")
    used = [at for at in range(len(headings)) if not cells or any(row[at] != "" for row in cells)]
    for at in used:
        is_number = bool(cells) and all(_NUMBER.fullmatch(_shown(row[at])) for row in cells if row[at] != "")
        made.add_column(headings[at], justify="right" if is_number else "left", overflow="fold", no_wrap=is_number)
    for row in cells:
        made.add_row(*(one if isinstance(one, Text) else Text(_shown(one)) for one in (row[at] for at in used)))
    return made


def _shown(cell: object) -> str:
    return f"{cell:,}" if isinstance(cell, int) else plain(str(cell))


def print_table(
    headings: Sequence[str], rows: Iterable[Sequence[Any]], stream: TextIO | None = None, *, least: int = 0
) -> None:
    """Print a table as wide as the terminal, or wide enough where it goes to a file; with `least` never narrower."""
    from rich.console import Console

    stream = stream or sys.stdout
    width = max(Console(file=stream).width, least) if stream is sys.stdout else _WIDE
    Console(file=stream, width=width).print(table(headings, rows))


def coloured(text: str, colour: str) -> Text:
    """A cell in a colour."""
    from rich.text import Text

    return Text(plain(text), style=colour)


class ProgressBar:
    """A bar on a terminal, and nothing where nobody looks. It has no thread, so that workers may be copies."""

    def __init__(self, update: Callable[..., None]) -> None:
        self._update = update
        self._drawn = 0.0

    def advance(self) -> None:
        """One more is done."""
        self._update(advance=1, refresh=self._is_due())

    def reach(self, done: float, total: float | None = None, said: str = "") -> None:
        """So much is done in all, of so much; what else there is to say stands behind the bar."""
        self._update(completed=done, total=total, said=said, refresh=self._is_due())

    def _is_due(self) -> bool:
        """Whether it is to be drawn again: some times a second."""
        now = monotonic()
        if now - self._drawn < _DRAWN_EVERY:
            return False
        self._drawn = now
        return True


@contextmanager
def progress(what: str, total: float | None, *, of_bytes: bool = False) -> Iterator[ProgressBar]:
    """A bar for several things, a word for one."""
    if not (sys.stderr.isatty() or "FORCE_COLOR" in os.environ):
        yield _UNSEEN
        return
    from rich.console import Console

    console = Console(stderr=True)
    if total == 1 and console.is_terminal:
        with console.status(what):
            yield _UNSEEN
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
    """A bar for each name, as wide as what is said beside it leaves; none is seen where the console is no terminal."""
    from rich.console import Console

    console = console or Console(stderr=True)
    if not console.is_terminal:
        yield [_UNSEEN] * len(names)
        return
    from rich.progress import BarColumn, DownloadColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns: list[ProgressColumn] = [TextColumn("{task.description}", markup=False), BarColumn(None)]
    columns += [DownloadColumn() if of_bytes else MofNCompleteColumn()] if counted else []
    columns += [TextColumn("{task.fields[said]}", markup=False), TimeRemainingColumn()]
    with Progress(*columns, console=console, transient=True, auto_refresh=False, expand=True) as shown:
        tasks = [shown.add_task(name, total=total, said="") for name in names]
        yield [ProgressBar(partial(shown.update, task)) for task in tasks]


_UNSEEN: Final = ProgressBar(lambda **_: None)


def tracked(things: Iterable[T], what: str, total: int | None = None) -> Iterator[T]:
    """The same things, with a bar while they go by."""
    length = total if total is not None else len(things) if isinstance(things, Sequence) else None
    with progress(what, length) as bar:
        for one in things:
            yield one
            bar.advance()
