"""`tidings add`, `list`, `remove`: the sources of a store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.output import Form, ListFormat, Output, plain, write_list
from tidings.cli.stored import AllowHost, IgnoreRobots, Proxy, Web, Where, length, opened, source
from tidings.errors import InputError, TidingsError

if TYPE_CHECKING:
    from tidings.news.store import Store
    from tidings.news.store.records_of_work import NewSource
    from tidings.news.watch.adding import AddressSources


class SourceType(Enum):
    """What an address is taken for."""

    AUTO = "auto"
    FEED = "feed"
    FRONT = "front"
    SITEMAP = "sitemap"


Folder = Annotated[
    str,
    typer.Option("--folder", "--category", help="A folder for it; also the category of articles that name none."),
]
Every = Annotated[
    str | None, typer.Option("--every", metavar="TIME", help="Poll it this often: 30m, 2h, 1d. Else as it has news.")
]


def add(
    addresses: Annotated[
        list[str] | None, typer.Argument(metavar="URL…", help="Feeds, front pages, sitemaps, or lists of feeds.")
    ] = None,
    folder: Folder = "",
    every: Every = None,
    kind: Annotated[SourceType, typer.Option("--as", help="What it is; auto looks.")] = SourceType.AUTO,
    title: Annotated[str, typer.Option(help="What to call it; else as it calls itself.")] = "",
    user: Annotated[
        str, typer.Option("--user", metavar="NAME:PASSWORD", help="For a private feed; or the header: 'Bearer …'.")
    ] = "",
    recipe: Annotated[
        str,
        typer.Option("--recipe", metavar="NAME|FILE", help="How it is read; the home pages of a file are added too."),
    ] = "",
    where: Where = None,
    allow_host: AllowHost = None,
    ignore_robots: IgnoreRobots = False,
    proxy: Proxy = None,
) -> None:
    """Add sources to watch: feeds, front pages, sitemaps. What each is, is found out by looking at it.

    For example:

      tidings add https://harbour.example/feed.xml
      tidings add https://harbour.example/ --folder local --every 30m
      tidings add https://harbour.example/ --recipe lbnest
      tidings add --recipe river-papers.toml
      tidings watch
    """
    from tidings.news.recipes import HomePageEntry, RecipeCatalogue
    from tidings.news.store.records_of_work import NewSource
    from tidings.news.watch.adding import KINDS

    web = Web(tuple(allow_host or ()), not ignore_robots, False, proxy)
    failed = 0
    with opened(where) as kept:
        chosen = RecipeCatalogue(kept).named(recipe, datetime.now(UTC)) if recipe else None
        entries = [HomePageEntry(address, kind.value, title, folder) for address in addresses or ()]
        entries += chosen.home if chosen is not None else ()
        if not entries:
            raise InputError("there is no address to add; name one, or a recipe with home pages")
        for entry in entries:
            taken_for = KINDS.get(entry.kind)
            told = NewSource(
                entry.address,
                taken_for or KINDS["feed"],
                title=entry.title,
                folder=entry.folder or folder,
                interval=length(every),
                credentials=user,
                recipe=chosen.name if chosen is not None else "",
            )
            if taken_for is not None:
                _put(kept, [told])
                continue
            try:
                found = web.look(told)
            except TidingsError as error:
                failed += 1
                typer.echo(f"tidings: {plain(str(error))}", err=True)
                continue
            _put(kept, found.sources)
            _tell_offers(found)
    if failed:
        raise typer.Exit(3 if failed == len(entries) else 1)


def _put(kept: Store, sources: Sequence[NewSource]) -> None:
    numbers = kept.add_sources(sources, datetime.now(UTC))
    for number, one in zip(numbers, sources, strict=True):
        typer.echo(f"{number}\t{one.kind.value}\t{plain(one.address)}\t{plain(one.title)}")


def _tell_offers(found: AddressSources) -> None:
    for offer in found.offers[:5]:
        typer.echo(f"it also offers a feed: tidings add {plain(offer.address)}", err=True)


def list_(form: Form = ListFormat.TABLE, output: Output = None, where: Where = None) -> None:
    """List the sources, by folder: their numbers, kinds and addresses. `tidings status` tells how they are."""
    with opened(where) as kept:
        sources, brought = kept.sources(), kept.articles_by_source()
    records = [
        {
            "number": one.id,
            "kind": one.told.kind.value,
            "address": one.told.address,
            "title": one.told.title,
            "folder": one.told.folder,
            "recipe": one.told.recipe,
            "articles": brought.get(one.id, 0),
        }
        for one in sources
    ]
    rows = (
        (str(one.id), told.folder, one.name, told.kind.value, told.recipe, told.address, brought.get(one.id, 0))
        for one, told in ((one, one.told) for one in sources)
    )
    headings = ("", "folder", "name", "kind", "recipe", "address", "articles")
    write_list(records, form, output, headings, rows, "there are no sources yet; `tidings add URL` adds one")


def remove(
    named: Annotated[list[str], typer.Argument(metavar="SOURCE…", help="Numbers, as `tidings list` shows them.")],
    where: Where = None,
) -> None:
    """Remove sources by number or address. Their articles stay."""
    with opened(where) as kept:
        for one in [source(kept, name) for name in named]:
            kept.remove_source(one.id)
            typer.echo(f"removed {one.id}: {plain(one.name)}", err=True)
