"""Bounded, polite crawling of a site: finds stories on its front page and sections, and queues them.

`sources.Frontier` decides what to visit.
"""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from tidings.errors import FetchError, PageError
from tidings.fetch import Fetcher, Request, require
from tidings.page import Hints, Page
from tidings.sources import BEST, Chain, CrawlBounds, Frontier, FrontPage, Link, Purpose, front_page
from tidings.urls import URL, outlet_of
from tidings_portal.store import Store
from tidings_portal.watch import store_links
from tidings_portal.watch.site_storage import LearnedShapes


async def gather(
    store: Store, fetcher: Fetcher, address: str, bounds: CrawlBounds | None = None, chain: Chain = BEST
) -> tuple[int, int]:
    """Queue the stories of a site; return their number, and the number of new ones.

    Args:
        store: the store.
        fetcher: the fetcher.
        address: the front page of the site.
        bounds: the limits of the crawl.
        chain: the link filters that select stories.

    Raises:
        FetchError: the first page cannot be fetched, or its URL is invalid.
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
        front: FrontPage | None = None
        if not isinstance(outcome, FetchError) and outcome.ok:
            try:
                page = Page(outcome.body, outcome.url, Hints(content_type=outcome.content_type))
                front = await asyncio.to_thread(front_page, page, chain, shapes)
            except PageError:
                front = None
        frontier = frontier.after(front)
    noted = await asyncio.to_thread(store_links.store_links, store, stories, datetime.now(UTC))
    return len(stories), noted.new
