"""`tidings search`, `tidings read` and `tidings mute`: articles of the store."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from enum import Enum
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.text import Text

from tidings.cli.output import Form, ListFormat, Output, destination, plain, write_list
from tidings.cli.stored import Web, Where, is_address, length, opened
from tidings.errors import InputError, StoreError

if TYPE_CHECKING:
    from tidings.article import Article
    from tidings.news.store import Store
    from tidings.news.store.records_of_articles import Hit, Snippet


class SearchSort(Enum):
    """How what is found is sorted."""

    RELEVANCE = "relevance"
    TIME = "time"


def search(
    query: Annotated[str, typer.Argument(help='Words, "phrases", AND, OR, NOT, title:, author:, site:, since: …')],
    limit: Annotated[int, typer.Option("--limit", "-n", min=1, max=1000, help="How many to show.")] = 20,
    order: Annotated[SearchSort, typer.Option("--by", help="relevance or time.")] = SearchSort.RELEVANCE,
    form: Form = ListFormat.TABLE,
    output: Output = None,
    where: Where = None,
) -> None:
    """Search the articles of the store; the number of each is what `tidings read` takes.

    For example:

      tidings search 'seals OR "grey seal" NOT circus'
      tidings search 'title:bridge since:2026-03-01' --by time
    """
    from tidings.news.store.records_of_articles import Only, SearchOrder

    with opened(where) as kept:
        only = Only(copies=False)
        answer = kept.search(query, only, order=SearchOrder(order.value), limit=limit)
        count = answer.count or kept.count(query, only)
    found = answer.items
    if form is ListFormat.TABLE:
        with destination(output) as stream:
            console = Console(file=stream, soft_wrap=True, highlight=False)
            for hit in found:
                console.print(f"{hit.headline.id:>6}  {hit.headline.time:%Y-%m-%d}  ", Text(plain(hit.headline.site)))
                console.print("       ", _marked(hit.title))
                if hit.text.text:
                    console.print("       ", _marked(hit.text))
                if hit.headline.copies:
                    names = ", ".join(one.site_name or one.site for one in hit.headline.copies)
                    console.print("        the same text:", Text(plain(names)))
    else:
        write_list([_record(hit) for hit in found], form, output, (), ())
    more = "at least " if count.at_least else ""
    typer.echo(
        f"{more}{count.number:,} found" + (f", {len(found)} shown" if len(found) < count.number else ""), err=True
    )
    if not found:
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


def read(
    which: Annotated[str, typer.Argument(metavar="NUMBER|URL", help="As `tidings search` shows it, or an address.")],
    form: Annotated[str, typer.Option("--format", "-f", help="As for `tidings extract`.")] = "markdown",
    output: Output = None,
    version: Annotated[int | None, typer.Option("--version", help="An earlier version; else the current one.")] = None,
    where: Where = None,
    web: Web = Web(),
) -> None:
    """Show an article of the store by its number or address; an address that is not there is fetched and kept.

    For example:

      tidings read 17
      tidings read https://harbour.example/news/seals --format text
    """
    from tidings.article import render

    with opened(where) as kept:
        number = _number(kept, which)
        if number is None:
            article = _fetched(kept, which, web)
        else:
            found = kept.article(number, version)
            if found is None:
                several = len(kept.versions(number))
                advice = f"it has {several} versions" if several else "see `tidings search`"
                raise InputError(
                    f"there is no article {which}" + (f" version {version}" if version else "") + f"; {advice}"
                )
            article = found.article
            _count(kept, number)
    with destination(output) as stream:
        stream.write(render(article, form) + "\n")


def _number(kept: Store, which: str) -> int | None:
    """The number of the article that somebody names; None for an address that is not there."""
    from tidings.news.watch.store_links import address_key

    if which.isascii() and which.isdigit() and len(which) < 20:
        return int(which)
    if not is_address(which):
        raise InputError(f"{which!r} is neither the number of an article nor an address")
    return kept.article_for(address_key(which))


def _count(kept: Store, number: int) -> None:
    """Count that somebody read an article. A store that cannot be written can be read all the same."""
    with suppress(StoreError):
        kept.count_reads({number: 1}, datetime.now(UTC))


def _fetched(kept: Store, address: str, web: Web) -> Article:
    """Fetch what somebody wants to read, and keep it if it can be kept."""
    from tidings import extract
    from tidings.fetch import require
    from tidings.news.store.records_of_articles import NewArticle, RawPage
    from tidings.news.watch.store_links import address_key
    from tidings.read_url import page_of

    response = require(web.bring([address])[0])
    article: Article = extract(page_of(response))
    if not article.blocks:
        raise InputError(f"there is no text at {address}")
    now = datetime.now(UTC)
    page = RawPage(response.url, response.body, now, response.content_type or "")
    keys = tuple(dict.fromkeys(filter(None, (address_key(address), address_key(response.url)))))
    try:
        (saved,) = kept.keep([NewArticle(article, now, "tidings read", page, keys)])
    except StoreError as error:
        typer.echo(f"tidings: this article was not kept: {plain(str(error))}", err=True)
        return article
    if saved.article is None:
        raise InputError(f"{address} could not be kept")
    _count(kept, saved.article)
    return article


def mute(
    query: Annotated[str | None, typer.Argument(help="What is not to be shown, as in `tidings search`.")] = None,
    until: Annotated[
        str | None, typer.Option("--for", metavar="TIME", help="For this long only: 1d, 2w. Else for good.")
    ] = None,
    remove: Annotated[bool, typer.Option("--remove", help="Show it again.")] = False,
    where: Where = None,
) -> None:
    """Mute what a query finds: it is kept, and not shown. Without a query, list what is muted.

    For example:

      tidings mute 'title:horoscope'
      tidings mute '"cup final"' --for 1d
    """
    from tidings.news.store import parse
    from tidings.news.store.records_of_articles import Mute

    with opened(where) as kept:
        rules = kept.mutes()
        if query is None:
            for rule in rules:
                typer.echo(plain(rule.query) + (f"\tuntil {rule.until:%Y-%m-%d %H:%M}" if rule.until else ""))
            return
        left = [rule for rule in rules if rule.query != query]
        if remove and len(left) == len(rules):
            raise InputError(f"{query!r} is not muted; `tidings mute` lists what is")
        if not remove:
            parse(query)
            span = length(until)
            left.append(Mute(query, until=None if span is None else datetime.now(UTC) + span))
        muted = kept.set_mutes(left)
    typer.echo(f"{muted:,} articles are muted now", err=True)
