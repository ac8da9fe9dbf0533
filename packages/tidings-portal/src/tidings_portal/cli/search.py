"""`tidings search`: search the articles of the store."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from tidings.cli.output import Form, ListFormat, Output, destination, plain, write_list
from tidings_portal.cli.store_options import StoreOption, open_store

if TYPE_CHECKING:
    from tidings_portal.store.records_of_articles import Hit, Snippet


class SearchSort(Enum):
    """The order of search results."""

    RELEVANCE = "relevance"
    TIME = "time"


def search(
    query: Annotated[str, typer.Argument(help='Words, "phrases", AND, OR, NOT, title:, author:, site:, since: …')],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="Number of results.")] = 20,
    order: Annotated[SearchSort, typer.Option("--by", help="Sort by relevance or time.")] = SearchSort.RELEVANCE,
    form: Form = ListFormat.TABLE,
    output: Output = None,
    where: StoreOption = None,
) -> None:
    """Search the articles of the store. `tidings read NUMBER` shows an article.

    For example:

      tidings search 'seals OR "grey seal" NOT circus'
      tidings search 'title:bridge since:2026-03-01' --by time
    """
    from tidings_portal.store.records_of_articles import Only, SearchOrder

    with open_store(where) as store:
        only = Only(copies=False)
        results = store.search(query, only, order=SearchOrder(order.value), limit=limit)
        count = results.count or store.count(query, only)
    hits = results.items
    if form is ListFormat.TABLE:
        with destination(output) as stream:
            console = Console(file=stream, soft_wrap=True, highlight=False)
            for hit in hits:
                console.print(f"{hit.headline.id:>6}  {hit.headline.time:%Y-%m-%d}  ", Text(plain(hit.headline.site)))
                console.print("       ", _marked(hit.title))
                if hit.text.text:
                    console.print("       ", _marked(hit.text))
                if hit.headline.copies:
                    names = ", ".join(one.site_name or one.site for one in hit.headline.copies)
                    console.print("        same text:", Text(plain(names)))
    else:
        write_list([_record(hit) for hit in hits], form, output, (), ())
    more = "at least " if count.at_least else ""
    typer.echo(f"{more}{count.number:,} found" + (f", {len(hits)} shown" if len(hits) < count.number else ""), err=True)
    if not hits:
        raise typer.Exit(1)


def _marked(snippet: Snippet) -> Text:
    text = Text(plain(snippet.text))
    for start, end in snippet.marks:
        text.stylize("bold", start, end)
    return text


def _record(hit: Hit) -> dict[str, object]:
    headline = hit.headline
    return {
        "number": headline.id,
        "title": headline.title,
        "address": headline.address,
        "site": headline.site,
        "time": headline.time.isoformat(),
        "language": headline.language,
        "authors": list(headline.authors),
        "category": headline.category,
        "topic": headline.topic,
        "agency": headline.agency,
        "copies": [one.address for one in headline.copies],
        "text": hit.text.text,
    }
