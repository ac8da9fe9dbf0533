"""RSS 2.0 (rssboard.org/rss-specification) with the modules that full texts need: content, Dublin Core, Atom, Media.

A title in RSS is plain text to some readers and HTML to others. One that holds neither tags nor references is the same
for both; any other is written so that no reader finds markup in it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from email.utils import format_datetime
from html import escape, unescape
from typing import Final

from tidings.article.formats.markup import attributes, element, text
from tidings.news.feeds.outgoing import Entry, OutFeed

_OPEN: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"'
    ' xmlns:atom="http://www.w3.org/2005/Atom"'
    ' xmlns:content="http://purl.org/rss/1.0/modules/content/"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:media="http://search.yahoo.com/mrss/">\n<channel>'
)
_TAG: Final = re.compile(r"<[A-Za-z/!?]")


def rss(feed: OutFeed) -> bytes:
    """A feed as RSS 2.0."""
    lines = [_OPEN, *_head(feed)]
    for entry in feed.entries:
        lines += ["<item>", *_item(entry), "</item>"]
    return "\n".join([*lines, "</channel>", "</rss>", ""]).encode()


def _head(feed: OutFeed) -> Iterator[str]:
    places = feed.places
    home = places.home or places.first or places.itself or feed.id
    yield element("title", _plain(feed.title))
    yield element("link", text(home))
    yield element("description", _plain(feed.description or feed.title))
    if feed.language:
        yield element("language", text(feed.language))
    if feed.entries:
        yield element("lastBuildDate", format_datetime(feed.updated))
    yield element("generator", "Tidings")
    yield from links(feed, "atom:link", "application/rss+xml")
    if places.image:
        inside = (element("url", text(places.image)), element("title", _plain(feed.title)), element("link", text(home)))
        yield element("image", "".join(inside))


def links(feed: OutFeed, name: str, media_type: str) -> Iterator[str]:
    """Where the feed, its other pages (RFC 5005, 3) and its hubs (WebSub, 4) are."""
    places = feed.places
    for rel, href in (
        ("self", places.itself),
        ("first", places.first),
        ("previous", places.previous),
        ("next", places.next),
    ):
        if href:
            yield f"<{name}{attributes(rel=rel, href=href, type=media_type)}/>"
    for hub in places.hubs:
        yield f"<{name}{attributes(rel='hub', href=hub)}/>"


def _item(entry: Entry) -> Iterator[str]:
    if entry.title:
        yield element("title", _plain(entry.title))
    if entry.address:
        yield element("link", text(entry.address))
    yield element("guid", text(entry.id), isPermaLink="false")
    if entry.published is not None:
        yield element("pubDate", format_datetime(entry.published))
    yield element("atom:updated", entry.updated.isoformat())
    yield from _labels(entry)
    if entry.summary or not entry.title:  # one of title and description has to be there
        yield element("description", text(escape(entry.summary, quote=False)))
    if entry.html:
        yield element("content:encoded", text(entry.html))
    if entry.image:
        yield f"<media:content{attributes(url=entry.image, medium='image')}/>"


def _labels(entry: Entry) -> Iterator[str]:
    for author in entry.authors:
        yield element("dc:creator", _plain(author))
    for category in entry.categories:
        yield element("category", _plain(category))
    if entry.language:
        yield element("dc:language", text(entry.language))
    if entry.site:
        yield element("dc:source", _plain(entry.site))


def _plain(value: str) -> str:
    as_markup = _TAG.search(value) is not None or unescape(value) != value
    return text(escape(value, quote=False) if as_markup else value)
