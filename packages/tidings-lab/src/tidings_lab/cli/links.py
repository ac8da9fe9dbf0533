"""`tidings lab links`: measure or train the model that classifies links on front pages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console


def links(
    labelled: Annotated[
        Path, typer.Argument(help="Labelled links: a JSON object a line with url, site, text, is_story.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--output", "-o", "--out", help="Also write the weights learned from all of them, as JSON."),
    ] = None,
    form: Annotated[str, typer.Option("--format", "-f", help="markdown, csv or json.")] = "markdown",
) -> None:
    """Measure how links to articles are recognised: by four words, by LBNEST's filters, and by the trained model with
    folds of sites.
    """
    from tidings.errors import InputError, UnknownFormat
    from tidings_lab.studies import FORMATS, write
    from tidings_lab.studies.links import read_links, study, train, written

    if form not in FORMATS:
        raise UnknownFormat(form, FORMATS)
    read = read_links(labelled)
    if len({link.site for link in read}) < 2:
        raise InputError(f"{labelled} holds links of fewer than two sites; what is learned is measured on other sites")
    console = Console(stderr=True)
    with console.status("learning, fold by fold"):
        tables = study(read)
    typer.echo(write(tables, form))
    if out is not None:
        out.write_text(written(train(read)), encoding="utf-8")
        console.print(f"{out}: weights learned from {len(read)} links", highlight=False, markup=False)
