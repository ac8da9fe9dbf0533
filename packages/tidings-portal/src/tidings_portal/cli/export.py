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
    force: Annotated[bool, typer.Option("--force", help="Write over what is there.")] = False,
    go_on: Annotated[bool, typer.Option("--continue", help="Go on with a folder of Markdown files.")] = False,
    search: Annotated[str, typer.Option("--search", help="Only articles that a query finds.")] = "",
    source: Annotated[str, typer.Option("--source", help="Only articles of a source: number, address, name.")] = "",
    story: Annotated[int | None, typer.Option("--story", help="Only articles of a story, by its number.")] = None,
    category: Annotated[str, typer.Option("--category", help="Only articles of a category.")] = "",
    versions: Annotated[bool, typer.Option("--all-versions", help="Every version of each article.")] = False,
    where: StoreOption = None,
) -> None:
    """Write the list of sources as OPML, or articles to a file: the ending of its name tells the form.

    For example:

      tidings export > feeds.opml
      tidings export --output news.parquet
      tidings export --output news.jsonl.gz --all-versions
      tidings export --output notes/ --category world
    """
    some = bool(search or source or story is not None or category)
    with open_store(where) as kept:
        if (some or versions) and (to is None or to.suffix.lower() in _LISTS):
            raise InputError("a list of feeds holds no articles; name a file for them, as in -o news.jsonl")
        if to is None:
            write_bytes(_opml(kept))
        elif to.suffix.lower() in _LISTS:
            _write(to, _opml(kept), force)
        else:
            from tidings_portal import exports
            from tidings_portal.selection import choice
            from tidings_portal.store.quarantine import Quarantine
            from tidings_portal.store.records_of_work import Stage

            chosen = choice(kept, search=search, source=source, story=story, category=category)
            total = kept.count(chosen.query, chosen, most=1_000_000).number if some else kept.totals().articles
            with progress("articles", kept.totals().versions if versions else total) as bar:
                only = chosen if some else None
                aside = Quarantine(kept, Stage.EXPORTS, again=True)
                count = exports.export(
                    kept, to, only=only, all_versions=versions, force=force, go_on=go_on, tell=bar.reach, aside=aside
                )
            typer.echo(f"{count:,} articles in {to}", err=True)
            if left := aside.number + kept.quarantine_counts().get(Stage.STORE, 0):
                what = (
                    "1 article could not be written and is" if left == 1 else f"{left:,} could not be written and are"
                )
                typer.echo(f"{what} set aside; `tidings status` says which and why", err=True)
                raise typer.Exit(1)


def _opml(kept: Store) -> bytes:
    from tidings.sources import write_opml
    from tidings_portal.watch.new_sources import as_subscription

    return write_opml([as_subscription(source.told) for source in kept.sources()], "Tidings")


def _write(path: Path, data: bytes, force: bool) -> None:
    if path.exists() and not force:
        raise InputError(f"{path} is there already; add --force to write over it")
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error}") from error
