"""Copies between a store and a backup file, for `tidings backup` and `tidings restore`."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.errors import InputError

if TYPE_CHECKING:
    from tidings_portal.store import Store


BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup file.")]


Replace = Annotated[bool, typer.Option("--replace", help="Overwrite what exists.")]


def copy_to_file(opened: Store, file: Path) -> int:
    """Copy a store to a file, written under a temporary name until it is complete; return the number of articles."""
    from tidings_portal import store

    part = file.with_name(file.name + ".part")
    remove_partial(part)
    try:
        articles = opened.backup_to(part)
        if articles is None:
            with store.open(part) as other:
                articles = opened.copy_to(other)
        part.replace(file)
    finally:
        remove_partial(part)
    return articles


def copy_from_file(opened: Store, target: Path, replace: bool) -> int:
    """Replace the file of a store by a backup; the old file is renamed first. Return the number of articles."""
    from tidings_portal import store
    from tidings_portal.watch.presence import watchers

    if target.exists():
        now = datetime.now(UTC)
        with store.open(target) as other:
            if other.totals().articles and not replace:
                raise InputError(
                    f"{target} has {other.totals().articles:,} articles; add --replace to move them to another file"
                )
            if any(watcher.is_alive(beat, now) for watcher, beat in watchers(other)):
                raise InputError(f"{target} is in use; stop `tidings watch` and `tidings serve` first")
            aside = target.with_name(f"{target.name}.before-{now:%Y%m%d-%H%M%S}")
            copy_to_file(other, aside)
        remove_partial(target)
        typer.echo(f"the former store is now {aside}", err=True)
    return copy_to_file(opened, target)


def remove_partial(file: Path) -> None:
    """Delete the file of an incomplete store, and the files that SQLite creates beside it."""
    for ending in ("", "-wal", "-shm", "-journal"):
        file.with_name(file.name + ending).unlink(missing_ok=True)
