"""`tidings feed`: write articles of the store as an RSS, Atom or JSON feed."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer

from tidings.cli.output import OldOutput, write_bytes
from tidings_portal.cli.store_options import StoreOption, store_path


class FeedOption(Enum):
    """The formats of feeds."""

    RSS = "rss"
    ATOM = "atom"
    JSON = "json"


def feed(
    source: Annotated[
        str, typer.Option("--source", help="Only articles of this source: number, URL or part of its name.")
    ] = "",
    search: Annotated[str, typer.Option("--search", help="Only articles that this search finds.")] = "",
    story: Annotated[int | None, typer.Option("--story", help="Only articles of the story with this number.")] = None,
    category: Annotated[str, typer.Option("--category", help="Only articles of this category.")] = "",
    form: Annotated[FeedOption, typer.Option("--format", "-f", help="rss, atom or json (JSON Feed).")] = FeedOption.RSS,
    full: Annotated[bool, typer.Option("--full/--summary", help="Full text or summaries.")] = True,
    limit: Annotated[int, typer.Option("--limit", min=1, max=500, help="Number of articles.")] = 50,
    title: Annotated[str, typer.Option("--title", help="Title of the feed.")] = "",
    home: Annotated[str, typer.Option("--home", metavar="URL", help="URL of the web page of the feed.")] = "",
    itself: Annotated[str, typer.Option("--self", metavar="URL", help="URL of the feed itself.")] = "",
    hub: Annotated[
        list[str] | None, typer.Option("--hub", metavar="URL", help="A WebSub hub of the feed; repeatable.")
    ] = None,
    out: OldOutput = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
    where: StoreOption = None,
) -> None:
    """Write the latest articles of the store as a feed; options select articles and can be combined.

    For example:

      tidings feed --category world > world.rss
      tidings feed --search 'title:"grey seal" lang:en' --format atom
      tidings feed --source 3 --format json --self https://news.example/3.json --output 3.json --force
    """
    from tidings_portal import feeds, store
    from tidings_portal.exports.export import new_file
    from tidings_portal.selection import choice
    from tidings_portal.store.quarantine import Quarantine
    from tidings_portal.store.records_of_work import Stage

    with store.open(store_path(where), readonly=True) as opened:
        only = choice(opened, search=search, source=source, story=story, category=category)
        gathered = feeds.gather(
            opened,
            only,
            feeds.FeedAddresses(home=home, itself=itself, hubs=tuple(hub or ())),
            title=title,
            search=search,
            content=feeds.Content.FULL if full else feeds.Content.SUMMARY,
            limit=limit,
        )
        written = feeds.write(gathered.feed, feeds.FeedFormat(form.value), Quarantine(opened, Stage.FEEDS))
    if out is None:
        write_bytes(written.body)
        return
    with new_file(out, force=force) as part:
        part.write_bytes(written.body)
    typer.echo(f"{len(gathered.feed.entries):,} articles in {out}", err=True)
