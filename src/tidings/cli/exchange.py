"""`tidings add`, `list`, `remove`: the sources of a store; `import`, `export`: lists of feeds and articles, in and out.

`tidings feed`: articles of the store as a feed, with their full text.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from tidings.cli.output import Form, ListFormat, OldOutput, Output, plain, progress, write_bytes, write_list
from tidings.cli.stored import Web, Where, is_address, length, opened, place, source
from tidings.errors import InputError, TidingsError
from tidings.urls import URL

if TYPE_CHECKING:
    from tidings.news.store import Store
    from tidings.news.store.records_of_work import NewSource
    from tidings.news.watch.new_sources import AddressSources


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
    web: Web = Web(),
) -> None:
    """Add sources to watch: feeds, front pages, sitemaps. What each is, is found out by looking at it.

    For example:

      tidings add https://harbour.example/feed.xml
      tidings add https://harbour.example/ --folder local --every 30m
      tidings add https://harbour.example/ --recipe lbnest
      tidings add --recipe river-papers.toml
      tidings watch
    """
    from tidings.news.recipes.catalogue import RecipeCatalogue
    from tidings.news.recipes.recipe import HomePageEntry
    from tidings.news.store.records_of_work import NewSource
    from tidings.news.watch.new_sources import KINDS

    for address in filter(is_address, addresses or ()):
        URL.parse(address)
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


_LISTS: Final = (".opml", ".xml")


def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A list of feeds (OPML), or articles (JSON lines).")],
    folder: Folder = "",
    every: Every = None,
    where: Where = None,
) -> None:
    """Add all feeds of an OPML list, as other feed readers write them; folders are kept.

    A file that ends in .jsonl (or .jsonl.gz, .jsonl.zst) holds articles, as `tidings export` writes them.
    """
    with opened(where) as kept:
        if ".jsonl" in file.suffixes or ".ndjson" in file.suffixes:
            _import_articles(kept, file)
        else:
            _import_feeds(kept, file, folder, every)


def _import_feeds(kept: Store, file: Path, folder: str, every: str | None) -> None:
    from tidings.news.store.records_of_work import NewSource
    from tidings.news.watch.new_sources import of_list
    from tidings.sources import read_opml

    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file} cannot be read: {error}") from error
    listed = read_opml(data)
    if not listed.feeds:
        why = "; ".join(map(str, listed.problems)) or "it names no feed"
        raise InputError(f"{file} is no list of feeds: {why}")
    before = kept.totals().sources
    told = NewSource("", folder=folder, interval=length(every))
    kept.add_sources(of_list(listed.feeds, told), datetime.now(UTC))
    typer.echo(f"{len(listed.feeds)} feeds in the list, {kept.totals().sources - before} of them new", err=True)
    for problem in listed.problems:
        typer.echo(f"{file}: {problem}", err=True)


def _import_articles(kept: Store, file: Path) -> None:
    from tidings.news.exports import import_jsonl

    with progress(file.name, file.stat().st_size if file.is_file() else None, of_bytes=True) as bar:
        found = import_jsonl(kept, file, tell=bar.reach)
    told = ", ".join(f"{number:,} {fate.value}" for fate, number in sorted(found.fates.items()))
    typer.echo(f"{found.lines:,} lines: {told or 'no article'}", err=True)
    for problem in found.problems:
        typer.echo(problem, err=True)
    if found.unread:
        raise typer.Exit(1)


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
    where: Where = None,
) -> None:
    """Write the list of sources as OPML, or articles to a file: the ending of its name tells the form.

    For example:

      tidings export > feeds.opml
      tidings export --output news.parquet
      tidings export --output news.jsonl.gz --all-versions
      tidings export --output notes/ --category world
    """
    some = bool(search or source or story is not None or category)
    with opened(where) as kept:
        if (some or versions) and (to is None or to.suffix.lower() in _LISTS):
            raise InputError("a list of feeds holds no articles; name a file for them, as in -o news.jsonl")
        if to is None:
            write_bytes(_opml(kept))
        elif to.suffix.lower() in _LISTS:
            _write(to, _opml(kept), force)
        else:
            from tidings.news import exports
            from tidings.news.selection import choice
            from tidings.news.store.quarantine import Quarantine
            from tidings.news.store.records_of_work import Stage

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
    from tidings.news.watch.new_sources import as_subscription
    from tidings.sources import write_opml

    return write_opml([as_subscription(source.told) for source in kept.sources()], "Tidings")


def _write(path: Path, data: bytes, force: bool) -> None:
    if path.exists() and not force:
        raise InputError(f"{path} is there already; add --force to write over it")
    try:
        path.write_bytes(data)
    except OSError as error:
        raise InputError(f"{path} cannot be written: {error}") from error


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
    where: Where = None,
) -> None:
    """Write a feed: the latest articles of the store, or those of a source, a search, a story, a category.

    What is given must all be true: --source and --search together search in one source.

    For example:

      tidings feed --category world > world.rss
      tidings feed --search 'title:"grey seal" lang:en' --format atom
      tidings feed --source 3 --format json --self https://news.example/3.json --output 3.json --force
    """
    from tidings.news import feeds, store
    from tidings.news.exports.export import new_file
    from tidings.news.selection import choice
    from tidings.news.store.quarantine import Quarantine
    from tidings.news.store.records_of_work import Stage

    with store.open(place(where), readonly=True) as kept:
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
