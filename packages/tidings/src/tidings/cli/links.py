"""`tidings links`: what a feed, a sitemap, a list of feeds or a front page leads to."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from tidings.cli.fetch_options import BrowserFetchOptions, FetchOptions, is_url
from tidings.cli.inputs import Input
from tidings.cli.output import ListFormat, Output, destination, plain, write_list

if TYPE_CHECKING:
    from tidings.sources import Link
    from tidings.sources.any_document import SourceLinks


class LinksFormat(Enum):
    """How links are written: one a line with tabs between, or as any list."""

    TEXT = "text"
    TABLE = "table"
    CSV = "csv"
    JSONL = "jsonl"


class LinkSource(Enum):
    """What the source is taken for."""

    AUTO = "auto"
    FEED = "feed"
    SITEMAP = "sitemap"
    OPML = "opml"
    FRONT = "front"


def links(
    source: Annotated[str, typer.Argument(help="A file, an address, or - for standard input.")],
    kind: Annotated[LinkSource, typer.Option("--as", help="What it is; auto looks.")] = LinkSource.AUTO,
    chain: Annotated[
        Path | None, typer.Option("--chain", help="Filters for a front page, in TOML or XML; see the documentation.")
    ] = None,
    lbnest: Annotated[bool, typer.Option("--lbnest", help="Take the filters as LBNEST published them.")] = False,
    dropped: Annotated[
        bool, typer.Option("--dropped", help="On a front page: show what was left out instead, and by which filter.")
    ] = False,
    form: Annotated[LinksFormat, typer.Option("--format", "-f", help="text, table, csv or jsonl.")] = LinksFormat.TEXT,
    output: Output = None,
    url: Annotated[str | None, typer.Option(help="Where a file came from, to make its links absolute.")] = None,
    web: BrowserFetchOptions = BrowserFetchOptions(),
) -> None:
    """List what a feed, a sitemap, a list of feeds or a front page leads to, one link a line.

    What is wrong with the source goes to standard error, and so do the feeds that a page offers.

    For example:

      tidings links https://harbour.example/feed.xml
      tidings links front.html --url https://harbour.example/ --dropped
      tidings links front.html --url https://harbour.example/ --chain filters.toml
    """
    from tidings.errors import InputError
    from tidings.sources import BEST, LBNEST, read_chain
    from tidings.sources.any_document import look

    filters = LBNEST if lbnest else BEST
    if chain is not None:
        try:
            filters = read_chain(chain.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{chain} cannot be read: {error}") from error
    data, address, content_type = _brought(source, web, url)
    found = look(data, address, content_type, kind=kind.value, chain=filters)
    records = list(_records(found, dropped=dropped))
    if form is LinksFormat.TEXT:
        with destination(output) as stream:
            stream.writelines("\t".join(map(plain, _cells(record))) + "\n" for record in records)
    else:
        headings = ("address", "", "title")
        write_list(records, ListFormat(form.value), output, headings, map(_cells, records))
    told = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    for problem in found.problems:
        told.print(f"{source}: {problem}")
    for offer in found.offers:
        if not offer.guess:
            told.print(f"it offers {offer.address}" + (f" ({offer.title})" if offer.title else ""))
    if not found.kind:
        raise typer.Exit(3)


def _brought(source: str, web: FetchOptions, url: str | None) -> tuple[bytes, str, str | None]:
    """The bytes of a source, its address, and what its server says it is."""
    if not is_url(source):
        return Input(source).read(), url or "", None
    from tidings.fetch import require

    response = require(web.fetch([source])[0])
    return response.body, url or response.url, response.content_type


def _records(found: SourceLinks, *, dropped: bool) -> Iterator[dict[str, Any]]:
    if dropped:
        for one in found.dropped:
            yield {"address": one.address, "title": one.text, "dropped": one.reason, "chance": one.chance}
        return
    yield from map(_record, found.links)
    for feed in found.subscriptions:
        yield {"address": feed.address, "title": feed.title, "folder": "/".join(feed.folder)}


def _record(link: Link) -> dict[str, Any]:
    record: dict[str, Any] = {"address": link.address, "title": link.title or link.anchor}
    if link.published is not None and link.published.moment is not None:
        record["published"] = link.published.moment.isoformat()
        record["doubts"] = sorted(doubt.value for doubt in link.published.doubts)
    record |= {"authors": list(link.authors), "chance": link.chance, "teaser": link.teaser, "verify": link.verify}
    return {name: value for name, value in record.items() if value or name in {"address", "title"}}


def _cells(record: dict[str, Any]) -> tuple[str, str, str]:
    """A record for people: address, what is known beside it, title."""
    beside = (
        record.get("dropped")
        or record.get("published")
        or record.get("folder")
        or ("verify" if record.get("verify") else "")
    )
    return str(record["address"]), str(beside), str(record["title"])
