"""`tidings links`: list the links of a feed, a sitemap, a list of feeds or a front page."""

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
    """The formats of links; text is one link per line with tabs between columns."""

    TEXT = "text"
    TABLE = "table"
    CSV = "csv"
    JSONL = "jsonl"


class LinkSource(Enum):
    """The format of the document from which links are read."""

    AUTO = "auto"
    FEED = "feed"
    SITEMAP = "sitemap"
    OPML = "opml"
    FRONT = "front"


def links(
    source: Annotated[str, typer.Argument(help="A file, a URL, or - for standard input.")],
    kind: Annotated[
        LinkSource, typer.Option("--as", help="The type of the source; auto detects it.")
    ] = LinkSource.AUTO,
    chain: Annotated[
        Path | None, typer.Option("--chain", help="A file with link filters for a front page (TOML or XML).")
    ] = None,
    lbnest: Annotated[bool, typer.Option("--lbnest", help="Use the link filters of the LBNEST paper.")] = False,
    dropped: Annotated[
        bool,
        typer.Option(
            "--dropped", help="For a front page: list the links that were left out instead, each with the filter."
        ),
    ] = False,
    form: Annotated[LinksFormat, typer.Option("--format", "-f", help="text, table, csv or jsonl.")] = LinksFormat.TEXT,
    output: Output = None,
    url: Annotated[str | None, typer.Option(help="The URL of the file, to make its links absolute.")] = None,
    web: BrowserFetchOptions = BrowserFetchOptions(),
) -> None:
    """List the links of a feed, a sitemap, a list of feeds or a front page.

    Problems of the source and the feeds that a page declares are written to standard error.

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
    data, base, content_type = _read(source, web, url)
    result = look(data, base, content_type, kind=kind.value, chain=filters)
    records = list(_records(result, dropped=dropped))
    if form is LinksFormat.TEXT:
        with destination(output) as stream:
            stream.writelines("\t".join(map(plain, _cells(record))) + "\n" for record in records)
    else:
        headings = ("URL", "", "title")
        write_list(records, ListFormat(form.value), output, headings, map(_cells, records))
    messages = Console(stderr=True, soft_wrap=True, highlight=False, markup=False)
    for problem in result.problems:
        messages.print(f"{source}: {problem}")
    for offer in result.offers:
        if not offer.guess:
            messages.print(f"it offers {offer.address}" + (f" ({offer.title})" if offer.title else ""))
    if not result.kind:
        raise typer.Exit(3)


def _read(source: str, web: FetchOptions, url: str | None) -> tuple[bytes, str, str | None]:
    """Return the bytes of a source, its URL and its content type."""
    if not is_url(source):
        return Input(source).read(), url or "", None
    from tidings.fetch import require

    response = require(web.fetch([source])[0])
    return response.body, url or response.url, response.content_type


def _records(links: SourceLinks, *, dropped: bool) -> Iterator[dict[str, Any]]:
    if dropped:
        for link in links.dropped:
            yield {"url": link.url, "title": link.text, "dropped": link.reason, "probability": link.probability}
        return
    yield from map(_record, links.links)
    for feed in links.subscriptions:
        yield {"url": feed.address, "title": feed.title, "folder": "/".join(feed.folder)}


def _record(link: Link) -> dict[str, Any]:
    record: dict[str, Any] = {"url": link.canonical_url, "title": link.title or link.anchor}
    if link.published is not None and link.published.moment is not None:
        record["published"] = link.published.moment.isoformat()
        record["doubts"] = sorted(doubt.value for doubt in link.published.doubts)
    record |= {
        "authors": list(link.authors),
        "probability": link.probability,
        "teaser": link.teaser,
        "verify": link.verify,
    }
    return {name: value for name, value in record.items() if value or name in {"url", "title"}}


def _cells(record: dict[str, Any]) -> tuple[str, str, str]:
    """Return the columns of a link: its URL, its date or another note, and its title."""
    note = (
        record.get("dropped")
        or record.get("published")
        or record.get("folder")
        or ("verify" if record.get("verify") else "")
    )
    return str(record["url"]), str(note), str(record["title"])
