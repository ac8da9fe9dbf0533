"""`tidings backup`: copy the store into one file while it is in use."""

from __future__ import annotations

from pathlib import Path

import typer

from tidings.errors import InputError
from tidings_portal.cli.store_copies import BackupFile, Replace, copy_to_file
from tidings_portal.cli.store_options import StoreOption, is_file_store, store_path


def backup(file: BackupFile, replace: Replace = False, where: StoreOption = None) -> None:
    """Copy the store to a file. Watchers and the portal can go on.

    The backup is a store: `tidings search --store FILE` reads it.

    For example:

      tidings backup news-2026-03-20.tidings
    """
    from tidings_portal import store

    source = store_path(where)
    if file.exists() and not replace:
        raise InputError(f"{file} exists already; name another file, or add --replace")
    if is_file_store(source) and not Path(source).is_file():
        raise InputError(f"there is no store {source}")
    with store.open(source, readonly=is_file_store(source)) as opened:
        articles = copy_to_file(opened, file)
    typer.echo(f"{articles:,} articles copied to {file}", err=True)
