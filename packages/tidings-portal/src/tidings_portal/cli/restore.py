"""`tidings restore`: replace the store by a backup."""

from __future__ import annotations

from pathlib import Path

import typer

from tidings.errors import InputError, StoreError
from tidings_portal.cli.store_copies import BackupFile, Replace, copy_from_file
from tidings_portal.cli.store_options import StoreOption, display_store, is_file_store, store_path


def restore(file: BackupFile, replace: Replace = False, where: StoreOption = None) -> None:
    """Replace the store by a backup. Stop `tidings watch` and `tidings serve` first.

    For example:

      tidings restore news-2026-03-20.tidings --replace
    """
    from tidings_portal import store

    if not file.is_file():
        raise InputError(f"there is no backup {file}")
    target = store_path(where)
    with store.open(file, readonly=True) as opened:
        wrong = opened.check()
        if wrong:
            raise StoreError(f"{file} is damaged and was not restored: {wrong[0]}")
        if not is_file_store(target):
            with store.open(target) as other:
                articles = opened.copy_to(other)
        else:
            articles = copy_from_file(opened, Path(target), replace)
    typer.echo(f"{articles:,} articles restored to {display_store(target)}", err=True)
