"""`tidings import`: import a list of feeds (OPML) or articles (JSON lines)."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.output import progress
from tidings.errors import InputError
from tidings_portal.cli.source_options import Every, Folder
from tidings_portal.cli.store_options import StoreOption, open_store, parse_duration

if TYPE_CHECKING:
    from tidings_portal.store import Store


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A list of feeds (OPML), or articles (JSON lines).")],
    folder: Folder = "",
    every: Every = None,
    where: StoreOption = None,
) -> None:
    """Add all feeds of an OPML list, as other feed readers write them; folders are kept.

    A file that ends in .jsonl (or .jsonl.gz, .jsonl.zst) holds articles, as `tidings export` writes them.
    """
    with open_store(where) as kept:
        if ".jsonl" in file.suffixes or ".ndjson" in file.suffixes:
            _import_articles(kept, file)
        else:
            _import_feeds(kept, file, folder, every)


def _import_feeds(kept: Store, file: Path, folder: str, every: str | None) -> None:
    from tidings.sources import read_opml
    from tidings_portal.store.records_of_work import NewSource
    from tidings_portal.watch.new_sources import of_list

    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error}") from error
    listed = read_opml(data)
    if not listed.feeds:
        why = "; ".join(map(str, listed.problems)) or "it names no feed"
        raise InputError(f"{file} is no list of feeds: {why}")
    before = kept.totals().sources
    told = NewSource("", folder=folder, interval=parse_duration(every))
    kept.add_sources(of_list(listed.feeds, told), datetime.now(UTC))
    typer.echo(f"{len(listed.feeds)} feeds in the list, {kept.totals().sources - before} of them new", err=True)
    for problem in listed.problems:
        typer.echo(f"{file}: {problem}", err=True)


def _import_articles(kept: Store, file: Path) -> None:
    from tidings_portal.exports import import_jsonl

    with progress(file.name, file.stat().st_size if file.is_file() else None, of_bytes=True) as bar:
        found = import_jsonl(kept, file, tell=bar.reach)
    told = ", ".join(f"{number:,} {fate.value}" for fate, number in sorted(found.fates.items()))
    typer.echo(f"{found.lines:,} lines: {told or 'no article'}", err=True)
    for problem in found.problems:
        typer.echo(problem, err=True)
    if found.unread:
        raise typer.Exit(1)
