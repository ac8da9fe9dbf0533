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
    which: Annotated[
        str, typer.Argument(metavar="NUMBER|URL", help="The number that `tidings search` shows, or a URL.")
    ],
    form: Annotated[
        str, typer.Option("--format", "-f", help="text, markdown, html, json, … as for `tidings extract`.")
    ] = "markdown",
    output: Output = None,
    version: Annotated[
        int | None, typer.Option("--version", help="An earlier version. Default: the current one.")
    ] = None,
    where: StoreOption = None,
    web: FetchOptions = FetchOptions(),
) -> None:
    """Show an article of the store. A URL that is not in the store is fetched and saved.

    For example:

      tidings read 17
      tidings read https://harbour.example/news/seals --format text
    """
    from tidings.article import render

    with open_store(where) as store:
        number = _number(store, which)
        if number is None:
            article = _fetch(store, which, web)
        else:
            stored = store.article(number, version)
            if stored is None:
                several = len(store.versions(number))
                advice = f"it has {several} versions" if several else "see `tidings search`"
                raise InputError(
                    f"there is no article {which}" + (f" version {version}" if version else "") + f"; {advice}"
                )
            article = stored.article
            _count(store, number)
    with destination(output) as stream:
        stream.write(render(article, form) + "\n")


def _number(store: Store, which: str) -> int | None:
    """Return the number of an article, or None for a URL that is not in the store.

    Raises:
        InputError: the text is neither a number nor a URL.
    """
    from tidings_portal.watch.store_links import address_key

    if which.isascii() and which.isdigit() and len(which) < 20:
        return int(which)
    if not is_url(which):
        raise InputError(f"{which!r} is neither the number of an article nor a URL")
    return store.article_for(address_key(which))


def _count(store: Store, number: int) -> None:
    """Count a read, unless the store is read-only."""
    with suppress(StoreError):
        store.count_reads({number: 1}, datetime.now(UTC))


def _fetch(store: Store, address: str, web: FetchOptions) -> Article:
    """Fetch an article and save it, if the store can be written."""
    from tidings import extract
    from tidings.fetch import require
    from tidings.read_url import page_of
    from tidings_portal.store.records_of_articles import NewArticle, RawPage
    from tidings_portal.watch.store_links import address_key

    response = require(web.fetch([address])[0])
    article: Article = extract(page_of(response))
    if not article.blocks:
        raise InputError(f"no article was found at {address}")
    now = datetime.now(UTC)
    page = RawPage(response.url, response.body, now, response.content_type or "")
    keys = tuple(dict.fromkeys(filter(None, (address_key(address), address_key(response.url)))))
    try:
        (saved,) = store.keep([NewArticle(article, now, "tidings read", page, keys)])
    except StoreError as error:
        typer.echo(f"tidings: the article was not saved: {plain(str(error))}", err=True)
        return article
    if saved.article is None:
        raise InputError(f"{address} could not be saved")
    _count(store, saved.article)
    return article
