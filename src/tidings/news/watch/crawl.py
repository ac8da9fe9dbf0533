"""Crawling a site, bounded and polite: its front page and sections are looked through, and the stories they name are
put into the queue, to be fetched and read like all others.

`sources.Frontier` decides what to visit; this fetches and hands over.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from tidings.errors import FetchError, PageError
from tidings.fetch import Fetcher, Request, require
from tidings.news.store import Store
from tidings.news.watch import store_links
from tidings.news.watch.site_storage import LearnedShapes
from tidings.page import Hints, Page
from tidings.sources import BEST, Chain, CrawlBounds, Frontier, FrontPage, Link, Purpose, front_page
from tidings.urls import URL, outlet_of


async def gather(
    store: Store, fetcher: Fetcher, address: str, bounds: CrawlBounds | None = None, chain: Chain = BEST
) -> tuple[int, int]:
    """Find the stories of a site and put them into the queue; how many there are, and how many of them are new.

    Args:
        store: where.
        fetcher: who fetches.
        address: the site's front page.
        bounds: how far to go.
        chain: which links lead to stories.

    Raises:
        FetchError: the first page cannot be had, or it is no address.
    """
    URL.parse(address)
    frontier = Frontier.at(address, bounds)
    shapes = await asyncio.to_thread(LearnedShapes(store).of, outlet_of(frontier.start))
    stories: list[Link] = []
    while (visit := frontier.next) is not None:
        if visit.purpose is Purpose.READ:
            if visit.link is not None:
                stories.append(visit.link)
            frontier = frontier.after()
            continue
        outcome = await fetcher.fetch(Request(visit.address))
        if visit.address == frontier.start:
            require(outcome)
        found: FrontPage | None = None
        if not isinstance(outcome, FetchError) and outcome.ok:
            try:
                page = Page(outcome.body, outcome.url, Hints(content_type=outcome.content_type))
                found = await asyncio.to_thread(front_page, page, chain, shapes)
            except PageError:
                found = None
        frontier = frontier.after(found)
    noted = await asyncio.to_thread(store_links.store_links, store, stories, datetime.now(UTC))
    return len(stories), noted.new
