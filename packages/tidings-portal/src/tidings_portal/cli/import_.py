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
    """Add the feeds of an OPML file that another feed reader has exported, with their folders.

    A file that ends in .jsonl (or .jsonl.gz, .jsonl.zst) has articles, written by `tidings export`.
    """
    with open_store(where) as store:
        if ".jsonl" in file.suffixes or ".ndjson" in file.suffixes:
            _import_articles(store, file)
        else:
            _import_feeds(store, file, folder, every)


def _import_feeds(store: Store, file: Path, folder: str, every: str | None) -> None:
    from tidings.sources import read_opml
    from tidings_portal.store.records_of_work import NewSource
    from tidings_portal.watch.new_sources import of_list

    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error}") from error
    opml = read_opml(data)
    if not opml.feeds:
        why = "; ".join(map(str, opml.problems)) or "it has no feed"
        raise InputError(f"{file} is not a list of feeds: {why}")
    before = store.totals().sources
    settings = NewSource("", folder=folder, interval=parse_duration(every))
    store.add_sources(of_list(opml.feeds, settings), datetime.now(UTC))
    typer.echo(f"{len(opml.feeds)} feeds in the list, {store.totals().sources - before} of them new", err=True)
    for problem in opml.problems:
        typer.echo(f"{file}: {problem}", err=True)


def _import_articles(store: Store, file: Path) -> None:
    from tidings_portal.exports import import_jsonl

    with progress(file.name, file.stat().st_size if file.is_file() else None, of_bytes=True) as bar:
        report = import_jsonl(store, file, tell=bar.reach)
    fates = ", ".join(f"{number:,} {fate.value}" for fate, number in sorted(report.fates.items()))
    typer.echo(f"{report.lines:,} lines: {fates or 'no article'}", err=True)
    for problem in report.problems:
        typer.echo(problem, err=True)
    if report.unread:
        raise typer.Exit(1)
