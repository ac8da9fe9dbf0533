"""`tidings check`: check the store for damage."""

from __future__ import annotations

import typer

from tidings.cli.output import plain
from tidings_portal.cli.store_options import StoreOption, open_store


def check(where: StoreOption = None) -> None:
    """Check the store for damage: its file, references between tables, and the search index. Exit code 1 if damaged."""
    with open_store(where) as store:
        problems = store.check()
    for problem in problems:
        typer.echo(plain(problem))
    typer.echo(
        "the store is damaged; restore a backup with `tidings restore`" if problems else "the store is undamaged",
        err=True,
    )
    if problems:
        raise typer.Exit(1)
