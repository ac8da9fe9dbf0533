"""What a document of any kind leads to: for people who have an address and do not know what is there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from tidings.errors import PageError
from tidings.page import Hints, Page
from tidings.sources.discovery import discover
from tidings.sources.feeds import read_feed
from tidings.sources.front.chains import BEST, Chain
from tidings.sources.front.front_page import Dropped, front_page
from tidings.sources.front.shapes import Shapes
from tidings.sources.link import Link
from tidings.sources.offer import Offer
from tidings.sources.opml import Subscription, read_opml
from tidings.sources.problem import Problem, Trouble
from tidings.sources.sitemaps import read_sitemap

_SITEMAP: Final = re.compile(rb"<(?:[\w.\-]{1,40}:)?(?:urlset|sitemapindex)[\s>]", re.IGNORECASE)
_OPML: Final = re.compile(rb"<opml[\s>]", re.IGNORECASE)
_BEGINNING: Final = 20_000


@dataclass(frozen=True, slots=True)
class Looked:
    """Links of whatever kind of source; `kind` is empty if it is none."""

    kind: str
    title: str = ""
    links: tuple[Link, ...] = ()
    sections: tuple[Link, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    subscriptions: tuple[Subscription, ...] = ()
    offers: tuple[Offer, ...] = ()
    problems: tuple[Problem, ...] = ()


def look(
    data: bytes,
    url: str = "",
    content_type: str | None = None,
    *,
    kind: str = "auto",
    chain: Chain = BEST,
    shapes: Shapes | None = None,
    now: datetime | None = None,
) -> Looked:
    """The links of a feed, a sitemap, a list of feeds or a web page.

    Args:
        data: the document.
        url: where it came from.
        content_type: the HTTP header.
        kind: feed, sitemap, opml or front where it is known; auto looks.
        chain: filters for a front page.
        shapes: what was learned of the site.
        now: for telling dates in the future.
    """
    beginning = data[:_BEGINNING]
    if kind == "opml" or (kind == "auto" and _OPML.search(beginning)):
        listed = read_opml(data, url)
        return Looked(
            "opml" if listed.feeds else "", listed.title, subscriptions=listed.feeds, problems=listed.problems
        )
    if kind == "sitemap" or (kind == "auto" and _SITEMAP.search(beginning)):
        sitemap = read_sitemap(data, url, now=now)
        some = sitemap.pages or sitemap.sitemaps
        inner = tuple(Subscription(address, kind="sitemap") for address in sitemap.sitemaps)
        return Looked("sitemap" if some else "", "", sitemap.pages, subscriptions=inner, problems=sitemap.problems)
    if kind != "front":
        feed = read_feed(data, url, content_type, now=now)
        is_page = any(problem.trouble is Trouble.WEB_PAGE for problem in feed.problems)
        if feed.is_feed or kind == "feed" or not is_page:
            return Looked(feed.kind, feed.title, feed.items, offers=feed.offers, problems=feed.problems)
    try:
        page = Page(data, url or None, Hints(content_type=content_type))
    except PageError as error:
        return Looked("", problems=(Problem(Trouble.BINARY, str(error)),))
    found = front_page(page, chain, shapes or Shapes())
    return Looked(
        "front page",
        page.signals.title,
        found.links,
        found.sections,
        found.dropped,
        offers=discover(page, guesses=False),
    )
