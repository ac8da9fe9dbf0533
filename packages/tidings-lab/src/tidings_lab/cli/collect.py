"""`tidings lab collect`: copy pages of a store into a corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tidings_portal.cli.store_options import StoreOption, open_store


def collect(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder that is not there yet.")],
    where: StoreOption = None,
    query: Annotated[str, typer.Option("--query", "-q", help="Only what a search finds.")] = "",
    each: Annotated[int, typer.Option("--each", min=1, help="At most so many pages of a site.")] = 20,
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, help="At most so many pages.")] = 200,
) -> None:
    """Write the saved pages of a store into a folder for annotation, site by site.

    Every page is written as received, with its URL, site and language, and without ground truth. List the pages with
    `tidings lab queue DIR`, and annotate them with `tidings lab annotate DIR`.

    For example:

      tidings lab collect mine --query 'lang:tr' --each 5
    """
    from tidings_lab.annotate.collected_pages import collect_pages
    from tidings_portal.store.query import parse

    with open_store(where) as kept:
        found = collect_pages(kept, folder, parse(query) if query.strip() else None, each=each, limit=limit)
    sites = ", ".join(f"{site} {number}" for site, number in found.most_common(8))
    typer.echo(f"{found.total()} pages in {folder}: {sites}", err=True)
    if not found:
        raise typer.Exit(1)
