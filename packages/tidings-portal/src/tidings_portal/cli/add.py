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
    """The type of a source."""

    AUTO = "auto"
    FEED = "feed"
    FRONT = "front"
    SITEMAP = "sitemap"


def add(
    addresses: Annotated[
        list[str] | None, typer.Argument(metavar="URL…", help="Feeds, front pages, sitemaps or OPML lists.")
    ] = None,
    folder: Folder = "",
    every: Every = None,
    kind: Annotated[
        SourceType, typer.Option("--as", help="The type of the source; auto detects it.")
    ] = SourceType.AUTO,
    title: Annotated[str, typer.Option(help="A title. Default: the one it declares.")] = "",
    user: Annotated[
        str,
        typer.Option(
            "--user",
            metavar="NAME:PASSWORD",
            help="For a private feed; or the value of the Authorization header: 'Bearer …'.",
        ),
    ] = "",
    recipe: Annotated[
        str,
        typer.Option(
            "--recipe", metavar="NAME|FILE", help="The recipe of the source; home pages of a recipe file are added too."
        ),
    ] = "",
    where: StoreOption = None,
    web: FetchOptions = FetchOptions(),
) -> None:
    """Add sources: feeds, front pages, sitemaps or OPML lists. The type is detected.

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
    with open_store(where) as store:
        named_recipe = RecipeCatalogue(store).named(recipe, datetime.now(UTC)) if recipe else None
        entries = [HomePageEntry(address, kind.value, title, folder) for address in addresses or ()]
        entries += named_recipe.home if named_recipe is not None else ()
        if not entries:
            raise InputError("there is nothing to add; name a URL, or a recipe with home pages")
        for entry in entries:
            kind_of_entry = KINDS.get(entry.kind)
            source = NewSource(
                entry.address,
                kind_of_entry or KINDS["feed"],
                title=entry.title,
                folder=entry.folder or folder,
                interval=parse_duration(every),
                credentials=user,
                recipe=named_recipe.name if named_recipe is not None else "",
            )
            if kind_of_entry is not None:
                _save(store, [source])
                continue
            try:
                result = _look(web, source)
            except TidingsError as error:
                failed += 1
                typer.echo(f"tidings: {plain(str(error))}", err=True)
                continue
            _save(store, result.sources)
            _print_offers(result)
    if failed:
        raise typer.Exit(3 if failed == len(entries) else 1)


def _save(store: Store, sources: Sequence[NewSource]) -> None:
    numbers = store.add_sources(sources, datetime.now(UTC))
    for number, source in zip(numbers, sources, strict=True):
        typer.echo(f"{number}\t{source.kind.value}\t{plain(source.address)}\t{plain(source.title)}")


def _look(web: FetchOptions, source: NewSource) -> AddressSources:
    from tidings.fetch.live import run
    from tidings_portal.watch.new_sources import look_at

    async def look() -> AddressSources:
        async with web.live() as live:
            return await look_at(live, source)

    return run(look())


def _print_offers(result: AddressSources) -> None:
    for offer in result.offers[:5]:
        typer.echo(f"the page also declares a feed: tidings add {plain(offer.address)}", err=True)
