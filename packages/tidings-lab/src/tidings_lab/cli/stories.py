"""`tidings lab stories`: measure how articles are grouped into stories."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def stories(
    labelled: Annotated[
        Path, typer.Argument(help="Labelled articles: a JSON object a line with topic, event, title, text.")
    ],
    out: Annotated[
        Path | None, typer.Option("--output", "-o", "--out", help="Also draw the curves into this folder.")
    ] = None,
    form: Annotated[str, typer.Option("--format", "-f", help="markdown, csv or json.")] = "markdown",
) -> None:
    """Measure clustering into stories: LBNEST's single and complete link at 0.38 and at the best distance, and the
    tracker.

    Distances are chosen on every other topic, and measured on the rest.
    """
    from tidings.charts import draw_all
    from tidings.errors import InputError, UnknownFormat
    from tidings_lab.studies import FORMATS, write
    from tidings_lab.studies.stories import read_labelled, study

    if form not in FORMATS:
        raise UnknownFormat(form, FORMATS)
    articles = read_labelled(labelled)
    if len({one.half for one in articles}) < 2:
        raise InputError(f"{labelled} holds fewer than two topics; one half is tuned on, the other measured")
    console = Console(stderr=True)
    with console.status("clustering, cut by cut"):
        tables, charts = study(articles)
    typer.echo(write(tables, form))
    if out is not None:
        files = draw_all(charts, out)
        console.print(f"{len(files)} charts are in {out}", highlight=False)
