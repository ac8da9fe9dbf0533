"""`tidings export`: write the list of sources as OPML, or articles to a file or folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tidings.cli.output import progress, write_bytes
from tidings.errors import InputError
from tidings_portal.cli.store_options import StoreOption, open_store

if TYPE_CHECKING:
    from tidings_portal.store import Store


_LISTS: Final = (".opml", ".xml")


def export(
    to: Annotated[
        Path | None,
        typer.Option(
            "--output", "-o", "--to", help="A file (.opml, .jsonl, .parquet, .sqlite), or a folder for Markdown files."
        ),
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    go_on: Annotated[
        bool, typer.Option("--continue", help="Continue an export to a folder of Markdown files.")
    ] = False,
    search: Annotated[str, typer.Option("--search", help="Only articles that this search finds.")] = "",
    source: Annotated[str, typer.Option("--source", help="Only articles of this source: number, URL or name.")] = "",
    story: Annotated[int | None, typer.Option("--story", help="Only articles of the story with this number.")] = None,
    category: Annotated[str, typer.Option("--category", help="Only articles of this category.")] = "",
    versions: Annotated[bool, typer.Option("--all-versions", help="Export all versions of each article.")] = False,
    where: StoreOption = None,
) -> None:
    """Write the list of sources as OPML, or articles to a file or folder. The file ending selects the format.

    For example:

      tidings export > feeds.opml
      tidings export --output news.parquet
      tidings export --output news.jsonl.gz --all-versions
      tidings export --output notes/ --category world
    """
    some = bool(search or source or story is not None or category)
    with open_store(where) as store:
        if (some or versions) and (to is None or to.suffix.lower() in _LISTS):
            raise InputError("OPML has no articles; name a file for them, for example -o news.jsonl")
        if to is None:
            write_bytes(_opml(store))
        elif to.suffix.lower() in _LISTS:
            _write(to, _opml(store), force)
        else:
            from tidings_portal import exports
            from tidings_portal.selection import choice
            from tidings_portal.store.quarantine import Quarantine
            from tidings_portal.store.records_of_work import Stage

            selection = choice(store, search=search, source=source, story=story, category=category)
            total = store.count(selection.query, selection, most=1_000_000).number if some else store.totals().articles
            with progress("articles", store.totals().versions if versions else total) as bar:
                only = selection if some else None
                aside = Quarantine(store, Stage.EXPORTS, again=True)
                count = exports.export(
                    store, to, only=only, all_versions=versions, force=force, go_on=go_on, tell=bar.reach, aside=aside
                )
            typer.echo(f"{count:,} articles in {to}", err=True)
            if left := aside.number + store.quarantine_counts().get(Stage.STORE, 0):
                articles = "1 article" if left == 1 else f"{left:,} articles"
                typer.echo(f"{articles} could not be written; `tidings status` lists the reasons", err=True)
                raise typer.Exit(1)


def _opml(store: Store) -> bytes:
    from tidings.sources import write_opml
    from tidings_portal.watch.new_sources import as_subscription

    return write_opml([as_subscription(source.settings) for source in store.sources()], "Tidings")


def _write(path: Path, data: bytes, force: bool) -> None:
    if path.exists() and not force:
        raise InputError(f"{path} exists already; add --force to overwrite it")
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error}") from error
