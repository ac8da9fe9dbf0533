"""One address to one article: `tidings.read` and its twin for code that awaits."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from tidings.article import Article
from tidings.fetch import Fetcher, Live, Request, Response, aget, require
from tidings.fetch.live import run
from tidings.fields.access import Mark
from tidings.page import Hints, Page
from tidings.reading import Preference, extract


def page_of(response: Response, known: Hints | None = None) -> Page:
    """Return the page in an answer: where it came from makes its links absolute, its header tells the charset."""
    hints = replace(known or Hints(), content_type=response.content_type, is_cut=response.truncated)
    return Page(response.body, response.url, hints)


async def aread(
    url: str,
    *,
    prefer: Preference = "balanced",
    fetcher: Fetcher | None = None,
    browser: Fetcher | None = None,
) -> Article:
    """Return the article at an address.

    Args:
        url: where; http or https.
        prefer: what to do in doubt, as in `tidings.extract`.
        fetcher: who fetches; a `tidings.fetch.Live` of your own for many pages, or a replay.
        browser: asked for the page again if it is empty without its scripts.

    Raises:
        FetchError: it cannot be had.
        PageError: what is there is no page.
    """
    response = await aget(url, fetcher=fetcher)
    article = extract(page_of(response), prefer=prefer)
    if browser is None or Mark.SHELL not in article.marks:
        return article
    shown = require(await browser.fetch(Request(response.url)))
    return extract(page_of(shown), prefer=prefer)


def read(url: str, *, prefer: Preference = "balanced", open_: Callable[[], Live] = Live) -> Article:
    """Return the same for code that awaits nothing; `open_` makes the fetcher where it is to be another than usual."""

    async def once() -> Article:
        async with open_() as live:
            return await aread(url, prefer=prefer, fetcher=live)

    return run(once())
