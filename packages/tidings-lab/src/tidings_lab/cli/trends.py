"""`tidings lab trends`: repeat the TrendFinder experiment on abstracts."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def trends(
    documents: Annotated[list[Path], typer.Argument(help="Abstracts with years: RIS, XML or JSON lines; .gz too.")],
    out: Annotated[
        Path | None, typer.Option("--output", "-o", "--out", help="Also draw the chart into this folder.")
    ] = None,
    form: Annotated[str, typer.Option("--format", "-f", help="markdown, csv or json.")] = "markdown",
) -> None:
    """Repeat TrendFinder's experiment: six queries about language processing, year by year, in abstracts of that field.

    For your own queries, on files or a store, use `tidings trends`.
    """
    from tidings.charts import draw_all
    from tidings.errors import InputError, UnknownFormat
    from tidings_lab.studies import FORMATS, write
    from tidings_lab.studies.stories import language_queries, tables
    from tidings_portal.cli.trends import TrendFile, gather, records
    from tidings_portal.stories.trends.chart import chart
    from tidings_portal.stories.trends.finder import PeriodLength, TrendFinder

    if form not in FORMATS:
        raise UnknownFormat(form, FORMATS)
    finder = TrendFinder(language_queries(), PeriodLength.YEAR)
    console = Console(stderr=True)
    unusable = gather(finder, [(file.name, records(file, TrendFile.AUTO), None) for file in documents])
    if unusable:
        console.print(f"{len(unusable):,} records have no date or no text and are left out", highlight=False)
    found = finder.trends()
    if not found.documents:
        raise InputError("there is no document with a date and a text; a line of JSON has year and abstract")
    typer.echo(write(tables(found), form))
    if out is not None:
        (file,) = draw_all([chart(found, "trends-language", "year", fewest=100)], out)
        console.print(f"the chart is {file}", highlight=False)
