"""Parsing of a fetched source: its links are stored, and its report is returned.

Runs in a worker process, because a feed is as hostile as a page.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Final

from tidings.article import Article
from tidings.errors import StoreDamaged
from tidings.sources import Chain, Feed, Link, identity, read_feed, read_sitemap
from tidings.sources.any_document import look as look_at
from tidings.urls import outlet_of
from tidings_portal.recipes.catalogue import RecipeCatalogue
from tidings_portal.store import Store
from tidings_portal.store.quarantine import Quarantine
from tidings_portal.store.records_of_articles import Fate, NewArticle
from tidings_portal.store.records_of_work import Source, SourceKind, Stage
from tidings_portal.watch import feed_text, store_links
from tidings_portal.watch.poll_report import MOST_TIMES, PollReport
from tidings_portal.watch.site_storage import LearnedShapes
from tidings_portal.watch.teasers import teaser

#: The maximum age of news in a sitemap, and the maximum number of pages; more are an archive.
_NEWS: Final = timedelta(days=7)
_MOST: Final = 2_000
#: Entries without a page that are compared with stored ones at each poll.
_COMPARED: Final = 50


@dataclass(frozen=True, slots=True)
class SourceAnswer:
    """A fetched source: the source and its response."""

    source: Source
    url: str
    body: bytes
    content_type: str | None
    at: datetime


def parse_source(
    store: Store, shapes: LearnedShapes, job: SourceAnswer, recipes: RecipeCatalogue, usual: str = ""
) -> PollReport:
    """Parse a source by its recipe or the default one, store its links, and return its report."""
    chosen = recipes.choose(job.source.settings.recipe or usual)
    return replace(_parsed(store, shapes, job, chosen.recipe.chain), recipe_problem=chosen.problem)


def _parsed(store: Store, shapes: LearnedShapes, job: SourceAnswer, chain: Chain) -> PollReport:
    kind = job.source.settings.kind
    if kind is SourceKind.FEED:
        feed = read_feed(job.body, job.url, job.content_type, now=job.at)
        store.note_hub(job.source.id, feed.hubs[0] if feed.hubs else "", feed.itself or job.source.settings.address)
        return _noted(store, job, feed.items, _of_feed(feed))
    if kind is SourceKind.SITEMAP:
        sitemap = read_sitemap(job.body, job.url, now=job.at)
        has_entries = sitemap.pages or sitemap.sitemaps
        report = PollReport("sitemap" if has_entries else "", problems=sitemap.problems, sitemaps=sitemap.sitemaps)
        return _noted(store, job, _recent(sitemap.pages, job.at), report)
    site = outlet_of(job.url)
    front = look_at(job.body, job.url, job.content_type, kind="front", chain=chain, shapes=shapes.of(site), now=job.at)
    report = PollReport(front.kind, front.title, problems=front.problems, offers=front.offers)
    return _noted(store, job, front.links, report)


def _recent(links: Sequence[Link], now: datetime) -> list[Link]:
    """Return the pages of a sitemap from the last days or without a date. Archives are for `tidings crawl`."""
    fresh = []
    for link in links:
        time = store_links.instant(link.published or link.updated, None)
        if time is None or time >= now - _NEWS:
            fresh.append(link)
    return fresh[:_MOST]


def _of_feed(feed: Feed) -> PollReport:
    return PollReport(
        kind=feed.kind,
        title=feed.title,
        schedule=feed.schedule,
        problems=feed.problems,
        offers=feed.offers,
        moved_to=feed.moved_to,
        is_ended=feed.is_ended,
    )


def _noted(store: Store, job: SourceAnswer, links: Sequence[Link], report: PollReport) -> PollReport:
    source = job.source
    noted = store_links.store_links(
        store,
        links,
        job.at,
        source=source.id,
        since=source.last_success,
        takes_feed_text=source.settings.takes_feed_text,
    )
    stored = _kept_from_feed(store, links, job)
    return report.with_(PollReport(links=len(links), new=noted.new + stored, published=_times(links, job.at)))


def _kept_from_feed(store: Store, links: Iterable[Link], job: SourceAnswer) -> int:
    """Store the text of entries without a page; return the number of new ones.

    The first few stored entries are compared, so that a correction becomes a version.
    """
    compared = 0

    def new(link: Link) -> tuple[Link, NewArticle] | None:
        nonlocal compared
        number = store.article_for(identity(link))
        if number is not None:
            compared += 1
            if compared > _COMPARED:
                return None
        article = feed_text.of_link(link) or teaser(store_links.seen_link(link, ()))
        if not article.title and not article.blocks:
            return None
        if number is not None and _is_current(store, number, article):
            return None
        keys, category = (identity(link),), ", ".join(link.categories[:1])
        return link, NewArticle(article, job.at, "feed", None, keys, category, (job.source.id,))

    aside = Quarantine(store, Stage.LINKS, job.at)
    bare = (link for link in links if not store_links.has_page(link))
    fresh = [item for item in aside.each(bare, new, store_links.link_name) if item is not None]
    saved = aside.run(
        fresh, lambda part: store.keep([item for _, item in part]), lambda item: store_links.link_name(item[0])
    )
    store.keep_enclosures({identity(item): item.enclosures for item, _ in fresh if store_links.has_media(item)})
    return sum(item.fate is Fate.NEW for part in saved for item in part)


def _is_current(store: Store, number: int, article: Article) -> bool:
    try:
        stored = store.article(number)
    except StoreDamaged:
        return True
    return stored is None or (stored.article.title, stored.article.text) == (article.title, article.text)


def _times(links: Iterable[Link], now: datetime) -> tuple[datetime, ...]:
    times = (store_links.instant(link.published or link.updated, now) for link in links)
    return tuple(sorted((time for time in times if time is not None), reverse=True)[:MOST_TIMES])
