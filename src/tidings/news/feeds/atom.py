"""Atom (RFC 4287). Text constructs say that they are text, so nothing in them is taken for markup."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from tidings.article.formats.markup import attributes, element, text
from tidings.news.feeds.outgoing import Entry, OutFeed
from tidings.news.feeds.rss import links

_NAMESPACES: Final = {"xmlns": "http://www.w3.org/2005/Atom", "xmlns__media": "http://search.yahoo.com/mrss/"}


def atom(feed: OutFeed) -> bytes:
    """A feed as Atom."""
    opening = attributes(**_NAMESPACES, xml__lang=feed.language)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<feed{opening}>", *_head(feed)]
    for entry in feed.entries:
        lines += [f"<entry{attributes(xml__lang=entry.language)}>", *_entry(entry, feed), "</entry>"]
    return "\n".join([*lines, "</feed>", ""]).encode()


def _head(feed: OutFeed) -> Iterator[str]:
    yield element("id", text(feed.id))
    yield element("title", text(feed.title), type="text")
    if feed.description:
        yield element("subtitle", text(feed.description), type="text")
    yield element("updated", feed.updated.isoformat())
    yield element("generator", "Tidings")
    yield from links(feed, "link", "application/atom+xml")
    if feed.places.home:
        yield f"<link{attributes(rel='alternate', href=feed.places.home, type='text/html')}/>"
    if feed.places.image:
        yield element("logo", text(feed.places.image))


def _entry(entry: Entry, feed: OutFeed) -> Iterator[str]:
    yield element("id", text(entry.id))
    yield element("title", text(entry.title), type="text")
    if entry.address:
        yield f"<link{attributes(rel='alternate', href=entry.address, type='text/html')}/>"
    if entry.published is not None:
        yield element("published", entry.published.isoformat())
    yield element("updated", entry.updated.isoformat())
    for author in entry.authors:
        yield element("author", element("name", text(author)))
    for category in entry.categories:
        yield f"<category{attributes(term=category)}/>"
    yield _source(entry, feed)
    if entry.summary:
        yield element("summary", text(entry.summary), type="text")
    if entry.html:
        yield element("content", text(entry.html), type="html")
    elif not entry.address:  # RFC 4287, 4.1.2: an entry without content must link to it
        yield element("content", text(entry.summary), type="text")
    if entry.image:
        yield f"<media:content{attributes(url=entry.image, medium='image')}/>"


def _source(entry: Entry, feed: OutFeed) -> str:
    """Who published it first; also its author where none is named, for every entry must have one (4.2.1)."""
    title = entry.site or feed.title
    author = "" if entry.authors else element("author", element("name", text(title)))
    link = f"<link{attributes(rel='alternate', href=entry.site_home)}/>" if entry.site_home else ""
    return element("source", element("title", text(title), type="text") + link + author)
