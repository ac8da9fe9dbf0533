"""`tidings copy`: copy a store to another file or database."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tidings.errors import InputError
from tidings_portal.cli.store_options import StoreOption, display_store, is_file_store, store_path


def copy(
    target: Annotated[str, typer.Argument(metavar="STORE", help="An empty store: a new file or postgresql://….")],
    where: StoreOption = None,
) -> None:
    """Copy the store to another, empty one, for example from a file to a PostgreSQL server.

    For example:

      tidings copy postgresql://localhost/news
      tidings copy news.tidings --store postgresql://localhost/news
    """
    from tidings_portal import store

    source = store_path(where)
    if is_file_store(source) and not Path(source).is_file():
        raise InputError(f"there is no store {source}")
    with store.open(source) as opened, store.open(target) as other:
        articles = opened.copy_to(other)
    typer.echo(f"{articles:,} articles copied to {display_store(target)}", err=True)
