"""Fetch a URL and extract its article: `tidings.read` and `tidings.aread`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tidings.article import Article
from tidings.budget import limit
from tidings.fetch import Fetcher, Live, Request, Response, aget, require
from tidings.fetch.live import run
from tidings.fields.access import Mark
from tidings.options import ExtractOptions
from tidings.page import Hints, Page
from tidings.reading import extract


def page_of(response: Response, hints: Hints | None = None) -> Page:
    """Return the page of a response, with its URL for absolute links and the charset of its header."""
    hints = replace(hints or Hints(), content_type=response.content_type, is_cut=response.truncated)
    return Page(response.body, response.url, hints)


async def aread(
    url: str,
    *,
    options: ExtractOptions | None = None,
    fetcher: Fetcher | None = None,
    browser: Fetcher | None = None,
) -> Article:
    """Fetch a URL and return its article.

    Args:
        url: an http or https URL.
        options: the options of the extraction.
        fetcher: the HTTP client; your own `tidings.fetch.Live` for many pages, or a replay.
        browser: a browser that fetches the page again if it is empty without its scripts.

    Raises:
        FetchError: the URL cannot be fetched.
        PageError: the response is not a page.
    """
    response = await aget(url, fetcher=fetcher)
    article = _extracted(response, options)
    if browser is None or Mark.SHELL not in article.marks:
        return article
    rendered = require(await browser.fetch(Request(response.url)))
    return _extracted(rendered, options)


def _extracted(response: Response, options: ExtractOptions | None) -> Article:
    if options is None:
        return extract(page_of(response))
    with limit(options.timeout):
        return extract(page_of(response, Hints(title=options.title, description=options.summary)), options)


def read(url: str, *, options: ExtractOptions | None = None, open_: Callable[[], Live] = Live) -> Article:
    """Synchronous version of `aread`. `open_` creates the HTTP client."""

    async def once() -> Article:
        async with open_() as live:
            return await aread(url, options=options, fetcher=live)

    return run(once())
