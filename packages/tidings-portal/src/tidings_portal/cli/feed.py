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
        str, typer.Option("--source", help="Articles of a source: its number, address or a part of its name.")
    ] = "",
    search: Annotated[str, typer.Option("--search", help="Articles that a query finds, as in `tidings search`.")] = "",
    story: Annotated[int | None, typer.Option("--story", help="Articles of a story, by its number.")] = None,
    category: Annotated[str, typer.Option("--category", help="Articles of a category.")] = "",
    form: Annotated[FeedOption, typer.Option("--format", "-f", help="rss, atom or json (JSON Feed).")] = FeedOption.RSS,
    full: Annotated[bool, typer.Option("--full/--summary", help="Whole articles, or their summaries.")] = True,
    limit: Annotated[int, typer.Option("--limit", min=1, max=500, help="How many articles.")] = 50,
    title: Annotated[str, typer.Option("--title", help="What to call the feed.")] = "",
    home: Annotated[str, typer.Option("--home", metavar="URL", help="The page for people that it belongs to.")] = "",
    itself: Annotated[str, typer.Option("--self", metavar="URL", help="Where the feed will be found.")] = "",
    hub: Annotated[
        list[str] | None, typer.Option("--hub", metavar="URL", help="A WebSub hub that tells of news.")
    ] = None,
    out: OldOutput = None,
    force: Annotated[bool, typer.Option("--force", help="Write over the file.")] = False,
    where: StoreOption = None,
) -> None:
    """Write a feed: the latest articles of the store, or those of a source, a search, a story, a category.

    What is given must all be true: --source and --search together search in one source.

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

    with store.open(store_path(where), readonly=True) as kept:
        only = choice(kept, search=search, source=source, story=story, category=category)
        gathered = feeds.gather(
            kept,
            only,
            feeds.FeedAddresses(home=home, itself=itself, hubs=tuple(hub or ())),
            title=title,
            search=search,
            content=feeds.Content.FULL if full else feeds.Content.SUMMARY,
            limit=limit,
        )
        written = feeds.write(gathered.feed, feeds.FeedFormat(form.value), Quarantine(kept, Stage.FEEDS))
    if out is None:
        write_bytes(written.body)
        return
    with new_file(out, force=force) as part:
        part.write_bytes(written.body)
    typer.echo(f"{len(gathered.feed.entries):,} articles in {out}", err=True)
