"""`tidings read`: show one article of the store, or of the web."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from tidings.cli.fetch_options import FetchOptions, is_url
from tidings.cli.output import Output, destination, plain
from tidings.errors import InputError, StoreError
from tidings_portal.cli.store_options import StoreOption, open_store

if TYPE_CHECKING:
    from tidings.article import Article
    from tidings_portal.store import Store


def read(
    which: Annotated[str, typer.Argument(metavar="NUMBER|URL", help="As `tidings search` shows it, or an address.")],
    form: Annotated[str, typer.Option("--format", "-f", help="As for `tidings extract`.")] = "markdown",
    output: Output = None,
    version: Annotated[int | None, typer.Option("--version", help="An earlier version; else the current one.")] = None,
    where: StoreOption = None,
    web: FetchOptions = FetchOptions(),
) -> None:
    """Show an article of the store by its number or address; an address that is not there is fetched and kept.

    For example:

      tidings read 17
      tidings read https://harbour.example/news/seals --format text
    """
    from tidings.article import render

    with open_store(where) as kept:
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
    from tidings_portal.watch.store_links import address_key

    if which.isascii() and which.isdigit() and len(which) < 20:
        return int(which)
    if not is_url(which):
        raise InputError(f"{which!r} is neither the number of an article nor an address")
    return kept.article_for(address_key(which))


def _count(kept: Store, number: int) -> None:
    """Count that somebody read an article. A store that cannot be written can be read all the same."""
    with suppress(StoreError):
        kept.count_reads({number: 1}, datetime.now(UTC))


def _fetched(kept: Store, address: str, web: FetchOptions) -> Article:
    """Fetch what somebody wants to read, and keep it if it can be kept."""
    from tidings import extract
    from tidings.fetch import require
    from tidings.read_url import page_of
    from tidings_portal.store.records_of_articles import NewArticle, RawPage
    from tidings_portal.watch.store_links import address_key

    response = require(web.fetch([address])[0])
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
