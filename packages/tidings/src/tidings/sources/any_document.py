"""Link extraction from a document of unknown kind: feed, sitemap, OPML list or web page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from tidings.errors import PageError
from tidings.page import Hints, Page
from tidings.sources.discovery import discover
from tidings.sources.feeds import read_feed
from tidings.sources.front.filter_config import BEST, Chain
from tidings.sources.front.front_page import DroppedLink, front_page
from tidings.sources.front.url_shapes import Shapes
from tidings.sources.link import Link, Offer
from tidings.sources.opml import OpmlFeed, read_opml
from tidings.sources.problems import ProblemKind, SourceProblem
from tidings.sources.sitemaps import read_sitemap

_SITEMAP: Final = re.compile(rb"<(?:[\w.\-]{1,40}:)?(?:urlset|sitemapindex)[\s>]", re.IGNORECASE)
_OPML: Final = re.compile(rb"<opml[\s>]", re.IGNORECASE)
_BEGINNING: Final = 20_000


@dataclass(frozen=True, slots=True)
class SourceLinks:
    """The links of a source of any kind; `kind` is empty if the document has an unknown format."""

    kind: str
    title: str = ""
    links: tuple[Link, ...] = ()
    sections: tuple[Link, ...] = ()
    dropped: tuple[DroppedLink, ...] = ()
    subscriptions: tuple[OpmlFeed, ...] = ()
    offers: tuple[Offer, ...] = ()
    problems: tuple[SourceProblem, ...] = ()


def look(
    data: bytes,
    url: str = "",
    content_type: str | None = None,
    *,
    kind: str = "auto",
    chain: Chain = BEST,
    shapes: Shapes | None = None,
    now: datetime | None = None,
) -> SourceLinks:
    """Return the links of a feed, sitemap, OPML list or web page.

    Args:
        data: the document.
        url: the document's URL.
        content_type: the HTTP header.
        kind: feed, sitemap, opml or front if known; auto detects it.
        chain: filters for a front page.
        shapes: the learned URL shapes of the site.
        now: the current time, to mark dates in the future.
    """
    beginning = data[:_BEGINNING]
    if kind == "opml" or (kind == "auto" and _OPML.search(beginning)):
        listed = read_opml(data, url)
        return SourceLinks(
            "opml" if listed.feeds else "", listed.title, subscriptions=listed.feeds, problems=listed.problems
        )
    if kind == "sitemap" or (kind == "auto" and _SITEMAP.search(beginning)):
        sitemap = read_sitemap(data, url, now=now)
        some = sitemap.pages or sitemap.sitemaps
        inner = tuple(OpmlFeed(address, kind="sitemap") for address in sitemap.sitemaps)
        return SourceLinks("sitemap" if some else "", "", sitemap.pages, subscriptions=inner, problems=sitemap.problems)
    if kind != "front":
        feed = read_feed(data, url, content_type, now=now)
        is_page = any(problem.trouble is ProblemKind.WEB_PAGE for problem in feed.problems)
        if feed.is_feed or kind == "feed" or not is_page:
            return SourceLinks(feed.kind, feed.title, feed.items, offers=feed.offers, problems=feed.problems)
    try:
        page = Page(data, url or None, Hints(content_type=content_type))
    except PageError as error:
        return SourceLinks("", problems=(SourceProblem(ProblemKind.BINARY, str(error)),))
    front = front_page(page, chain, shapes or Shapes())
    return SourceLinks(
        "front page",
        page.signals.title,
        front.links,
        front.sections,
        front.dropped,
        offers=discover(page, guesses=False),
    )
