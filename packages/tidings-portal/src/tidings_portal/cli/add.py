"""`tidings add`: add feeds, front pages and sitemaps to the store."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.fetch_options import FetchOptions, is_url
from tidings.cli.output import plain
from tidings.errors import InputError, TidingsError
from tidings.urls import URL
from tidings_portal.cli.source_options import Every, Folder
from tidings_portal.cli.store_options import StoreOption, open_store, parse_duration

if TYPE_CHECKING:
    from tidings_portal.store import Store
    from tidings_portal.store.records_of_work import NewSource
    from tidings_portal.watch.new_sources import AddressSources


class SourceType(Enum):
    """What an address is taken for."""

    AUTO = "auto"
    FEED = "feed"
    FRONT = "front"
    SITEMAP = "sitemap"


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
    where: StoreOption = None,
    web: FetchOptions = FetchOptions(),
) -> None:
    """Add sources to watch: feeds, front pages, sitemaps. What each is, is found out by looking at it.

    For example:

      tidings add https://harbour.example/feed.xml
      tidings add https://harbour.example/ --folder local --every 30m
      tidings add https://harbour.example/ --recipe lbnest
      tidings add --recipe river-papers.toml
      tidings watch
    """
    from tidings_portal.recipes.catalogue import RecipeCatalogue
    from tidings_portal.recipes.recipe import HomePageEntry
    from tidings_portal.store.records_of_work import NewSource
    from tidings_portal.watch.new_sources import KINDS

    for address in filter(is_url, addresses or ()):
        URL.parse(address)
    failed = 0
    with open_store(where) as kept:
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
                interval=parse_duration(every),
                credentials=user,
                recipe=chosen.name if chosen is not None else "",
            )
            if taken_for is not None:
                _put(kept, [told])
                continue
            try:
                found = _look(web, told)
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


def _look(web: FetchOptions, source: NewSource) -> AddressSources:
    from tidings.fetch.live import run
    from tidings_portal.watch.new_sources import look_at

    async def look() -> AddressSources:
        async with web.live() as live:
            return await look_at(live, source)

    return run(look())


def _tell_offers(found: AddressSources) -> None:
    for offer in found.offers[:5]:
        typer.echo(f"it also offers a feed: tidings add {plain(offer.address)}", err=True)
