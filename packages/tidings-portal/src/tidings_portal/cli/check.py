"""`tidings check`: check the store for damage."""

from __future__ import annotations

import typer

from tidings.cli.output import plain
from tidings_portal.cli.store_options import StoreOption, open_store


def check(where: StoreOption = None) -> None:
    """Check the store: its file, what belongs together, what can be found. Exit code 1 if something is wrong."""
    with open_store(where) as kept:
        wrong = kept.check()
    for one in wrong:
        typer.echo(plain(one))
    typer.echo(
        "the store is damaged; `tidings restore` brings a backup back" if wrong else "the store is whole", err=True
    )
    if wrong:
        raise typer.Exit(1)
