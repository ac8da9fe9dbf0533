"""`tidings remove`: remove sources from the store."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.cli.output import plain
from tidings_portal.cli.store_options import StoreOption, find_source, open_store


def remove(
    names: Annotated[list[str], typer.Argument(metavar="SOURCE…", help="Numbers of `tidings list`, or URLs.")],
    where: StoreOption = None,
) -> None:
    """Remove sources. Their articles stay."""
    with open_store(where) as store:
        for source in [find_source(store, name) for name in names]:
            store.remove_source(source.id)
            typer.echo(f"removed {source.id}: {plain(source.name)}", err=True)
