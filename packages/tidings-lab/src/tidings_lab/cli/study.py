"""`tidings lab study`: run an experiment and write its tables and charts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from tidings.cli.output import print_table
from tidings.processes import cores
from tidings_lab.cli.worker_bar import WorkerBar


def study(
    name: Annotated[str | None, typer.Argument(help="The study; --list names them.", show_default=False)] = None,
    corpus: Annotated[
        list[Path] | None,
        typer.Option(
            "--corpus", "-c", metavar="DIR", help="A folder of pages with gold, or `newspaper`; may be repeated."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", "--out", help="Write tables (.md, .csv, .json) and charts (.svg) here."),
    ] = None,
    page_type: Annotated[str | None, typer.Option("--type", help="Only pages of this type, as in article.")] = None,
    limit: Annotated[
        int | None, typer.Option(help="At most so many pages of each corpus, the same ones each time.", min=1)
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", "-j", min=0, help="Processes; 0 takes all cores.")] = 0,
    form: Annotated[str, typer.Option("--format", "-f", help="markdown, csv or json.")] = "markdown",
    listed: Annotated[bool, typer.Option("--list", help="Say which studies there are.")] = False,
) -> None:
    """Repeat an experiment of the publications: tables on standard output, charts with --output."""
    from tidings.charts import draw_all
    from tidings.errors import InputError, UnknownFormat
    from tidings_lab.corpora import load
    from tidings_lab.studies import FORMATS, STUDIES, sample_subset, write
    from tidings_lab.studies import study as find

    if listed:
        rows = ((one.name, one.title, one.citation) for one in map(find, STUDIES))
        print_table(("study", "what it repeats", "where it is from"), rows, least=160)
        return
    if name is None:
        raise InputError("name a study; `tidings lab study --list` says which there are")
    wanted = find(name)
    if form not in FORMATS:
        raise UnknownFormat(form, FORMATS)
    if not corpus:
        raise InputError(f"the study {name} needs pages with gold: name their folder with --corpus")
    samples = [sample for folder in corpus for sample in sample_subset(load(folder, page_type), limit)]
    if not samples:
        raise InputError("there are no pages with gold text" + (f" of type {page_type}" if page_type else ""))
    console = Console(stderr=True)
    figures = wanted.run(samples, WorkerBar(jobs or cores(), console))
    tables = figures.tables()
    typer.echo(write(tables, form))
    if out is not None:
        files = draw_all(figures.charts(), out)
        for ending, kind in ((".md", "markdown"), (".csv", "csv"), (".json", "json")):
            out.joinpath(name + ending).write_text(write(tables, kind) + "\n", encoding="utf-8")
        console.print(f"{len(files)} charts and three files of tables are in {out}", highlight=False)
