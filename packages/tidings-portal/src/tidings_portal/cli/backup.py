"""`tidings backup`: copy the store into one file while it is in use."""

from __future__ import annotations

from pathlib import Path

import typer

from tidings.errors import InputError
from tidings_portal.cli.store_copies import BackupFile, Replace, copy_to_file
from tidings_portal.cli.store_options import StoreOption, is_file_store, store_path


def backup(file: BackupFile, replace: Replace = False, where: StoreOption = None) -> None:
    """Copy the store into a file, as it is at this moment, while others read and write it.

    A backup is a store like any other: `tidings search --store FILE` reads it.

    For example:

      tidings backup news-2026-03-20.tidings
    """
    from tidings_portal import store

    source = store_path(where)
    if file.exists() and not replace:
        raise InputError(f"{file} is there already; name another file, or say --replace")
    if is_file_store(source) and not Path(source).is_file():
        raise InputError(f"there is no store {source}")
    with store.open(source, readonly=is_file_store(source)) as kept:
        articles = copy_to_file(kept, file)
    typer.echo(f"{articles:,} articles are in {file}", err=True)
