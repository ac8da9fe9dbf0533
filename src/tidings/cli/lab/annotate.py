"""`tidings lab annotate` and `lab agreement`: gold by hand, and how far two hands agree."""

from __future__ import annotations

import json
import signal
import threading
import webbrowser
from contextlib import suppress
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from tidings.cli.lab.corpus import list_problems

if TYPE_CHECKING:
    from tidings.lab.agreement import Agreement

_MOST_SHOWN = 20


class Unit(StrEnum):
    """What is counted; as `tidings.lab.agreement.AgreementUnit`, which is slow to import."""

    BLOCKS = "blocks"
    ELEMENTS = "elements"


class AnnotationFormat(StrEnum):
    """How the comparison is printed."""

    TABLE = "table"
    JSON = "json"


def annotate(
    pages: Annotated[list[Path], typer.Argument(metavar="PAGE|DIR…", help="Pages, a folder of pages, or a corpus.")],
    out: Annotated[Path, typer.Option("--out", help="Folder for the gold and the journal.")] = Path("annotations"),
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="Port to listen on; 0 takes a free one.")] = 0,
    open_: Annotated[bool, typer.Option("--open/--no-open", help="Open the browser.")] = True,
    differences: Annotated[
        bool, typer.Option("--differences", help="Given two annotated folders, decide where the two differ.")
    ] = False,
) -> None:
    """Mark title, headings, body, author, date, captions and comments of pages in the browser, by key or click.

    The page is shown as it is; no script of it runs and nothing is fetched. Marks begin as a prediction. Every change
    is on disk at once: after a crash, the same command goes on where it was. Saving writes --out as a corpus
    (pages.jsonl and the gzipped pages) with a .hra file for each page.
    """
    from tidings.errors import InputError
    from tidings.lab.agreement import Opinions, read_twice
    from tidings.lab.annotate.pages import find_pages
    from tidings.lab.annotate.project import Project
    from tidings.lab.annotate.server import AnnotationServer

    console = Console(stderr=True)
    opinions = None
    if differences:
        if len(pages) != 2:
            raise InputError(f"--differences needs two annotated folders, and {len(pages)} were named")
        twice, problems = read_twice(*pages)
        opinions = Opinions.of(twice)
        samples = [one.sample for one in opinions.pages.values()]
        if not samples:
            console.print(f"the two agree on all {len(twice)} pages: there is nothing to decide", highlight=False)
            raise typer.Exit
    else:
        samples, problems = find_pages(pages)
    list_problems(problems, console)
    project = Project(samples, out, opinions)
    for said in project.messages:
        console.print(said, highlight=False, markup=False, soft_wrap=True)
    try:
        server = AnnotationServer(project, port)
    except OSError as error:
        project.close()
        raise InputError(f"port {port} cannot be used: {error.strerror or error}; --port 0 takes a free one") from error
    with server:
        typer.echo(server.url)
        console.print("Ctrl+C ends it; every change is on disk.", highlight=False)
        if open_:
            webbrowser.open(server.url)
        if threading.current_thread() is threading.main_thread():
            # A shell has its background jobs ignore Ctrl+C; this one is ended by it wherever it runs.
            signal.signal(signal.SIGINT, signal.default_int_handler)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    project.close()
    saved = sum(project.state(number) == "saved" for number in range(len(samples)))
    console.print(f"{saved} of {len(samples)} pages saved in {out}", highlight=False, markup=False)


def agreement(
    first: Annotated[Path, typer.Argument(metavar="DIR_A", help="A folder annotated by one person.")],
    second: Annotated[Path, typer.Argument(metavar="DIR_B", help="The same pages annotated by another.")],
    unit: Annotated[Unit, typer.Option("--unit", help="What is counted: blocks, or texts and tails.")] = Unit.BLOCKS,
    format_: Annotated[
        AnnotationFormat, typer.Option("--format", "-f", help="table or json.")
    ] = AnnotationFormat.TABLE,
) -> None:
    """Say how far two annotators agree: Cohen's kappa, a table by class, and every difference."""
    from tidings.lab import agreement as measures
    from tidings.lab.agreement import read_twice

    twice, problems = read_twice(first, second)
    list_problems(problems, Console(stderr=True))
    found = measures.agreement(twice, measures.AgreementUnit(unit.value))
    if format_ is AnnotationFormat.JSON:
        typer.echo(json.dumps(_plain(found), ensure_ascii=False, indent=1))
    else:
        _print(found, unit)


def _plain(found: Agreement) -> dict[str, object]:
    return {
        "kappa": found.kappa,
        "observed": found.observed,
        "pages": found.pages,
        "names": found.names,
        "confusion": found.confusion.tolist(),
        "classes": [
            {"class": it.name, "first": it.first, "second": it.second, "both": it.both, "f1": it.f1, "kappa": it.kappa}
            for it in found.classes
        ],
        "differences": [
            {"page": it.page, "unit": it.unit, "first": it.first, "second": it.second, "text": it.text}
            for it in found.differences
        ],
    }


def _print(found: Agreement, unit: Unit) -> None:
    console = Console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("class", "first", "second", "both", "F1", "κ"):
        table.add_column(column, justify="left" if column == "class" else "right", no_wrap=True)
    for it in found.classes:
        if it.first or it.second:
            table.add_row(it.name, str(it.first), str(it.second), str(it.both), f"{it.f1:.3f}", f"{it.kappa:.3f}")
    total = int(found.confusion.sum())
    console.print(table)
    console.print(
        f"\nκ [bold]{found.kappa:.3f}[/] over {total} {unit} of {found.pages} pages; the same on {found.observed:.1%}.",
        highlight=False,
    )
    if not found.differences:
        return
    listed = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("page", "unit", "first", "second", "text"):
        listed.add_column(column, no_wrap=True, overflow="ellipsis")
    for one in found.differences[:_MOST_SHOWN]:
        listed.add_row(*map(escape, (one.page, str(one.unit), one.first, one.second, one.text[:80])))
    console.print(listed)
    rest = len(found.differences) - _MOST_SHOWN
    console.print(
        (f"… and {rest} more; --format json lists all. " if rest > 0 else "")
        + "A third annotator decides: tidings lab annotate --differences DIR_A DIR_B",
        highlight=False,
    )
