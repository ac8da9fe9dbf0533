"""`tidings remove`: remove sources from the store."""

from __future__ import annotations

from typing import Annotated

import typer

from tidings.cli.output import plain
from tidings_portal.cli.store_options import StoreOption, find_source, open_store


def remove(
    named: Annotated[list[str], typer.Argument(metavar="SOURCE…", help="Numbers, as `tidings list` shows them.")],
    where: StoreOption = None,
) -> None:
    """Remove sources by number or address. Their articles stay."""
    with open_store(where) as kept:
        for one in [find_source(kept, name) for name in named]:
            kept.remove_source(one.id)
            typer.echo(f"removed {one.id}: {plain(one.name)}", err=True)
