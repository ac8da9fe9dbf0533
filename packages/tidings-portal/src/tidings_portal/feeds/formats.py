"""Feeds as RSS, Atom and JSON Feed, with their HTTP headers.

ETag and Last-Modified depend on the content only, so that all servers of a store agree (RFC 9110, 8.8).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from enum import Enum
from hashlib import blake2b
from html import escape, unescape
from typing import Any, Final

from tidings.article.formats.characters import legal
from tidings.article.formats.markup import attributes, element, text
from tidings_portal.feeds.outgoing import FeedEntry, OutFeed
from tidings_portal.store.quarantine import ItemName, Quarantine
from tidings_portal.store.records_of_work import ItemKind

_OPEN: Final = (
    '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"'
    ' xmlns:atom="http://www.w3.org/2005/Atom"'
    ' xmlns:content="http://purl.org/rss/1.0/modules/content/"'
    ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
    ' xmlns:media="http://search.yahoo.com/mrss/">\n<channel>'
)
_TAG: Final = re.compile(r"<[A-Za-z/!?]")


def rss(feed: OutFeed) -> bytes:
    """Return a feed as RSS 2.0."""
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
    """Yield link elements: the feed's own URL, its other pages (RFC 5005, 3) and its hubs (WebSub, 4)."""
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


def _item(entry: FeedEntry) -> Iterator[str]:
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


def _labels(entry: FeedEntry) -> Iterator[str]:
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


_NAMESPACES: Final = {"xmlns": "http://www.w3.org/2005/Atom", "xmlns__media": "http://search.yahoo.com/mrss/"}


def atom(feed: OutFeed) -> bytes:
    """Return a feed as Atom."""
    opening = attributes(**_NAMESPACES, xml__lang=feed.language)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f"<feed{opening}>", *_atom_head(feed)]
    for entry in feed.entries:
        lines += [f"<entry{attributes(xml__lang=entry.language)}>", *_entry(entry, feed), "</entry>"]
    return "\n".join([*lines, "</feed>", ""]).encode()


def _atom_head(feed: OutFeed) -> Iterator[str]:
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


def _entry(entry: FeedEntry, feed: OutFeed) -> Iterator[str]:
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


def _source(entry: FeedEntry, feed: OutFeed) -> str:
    """Return the `source` element of an entry: the site that published it, as author too if it has none (4.2.1)."""
    title = entry.site or feed.title
    author = "" if entry.authors else element("author", element("name", text(title)))
    link = f"<link{attributes(rel='alternate', href=entry.site_home)}/>" if entry.site_home else ""
    return element("source", element("title", text(title), type="text") + link + author)


def json_feed(feed: OutFeed) -> bytes:
    """Return a feed as JSON Feed."""
    places = feed.places
    told = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": feed.title,
        "home_page_url": places.home,
        "feed_url": places.itself,
        "description": feed.description,
        "next_url": places.next,
        "icon": places.image,
        "language": feed.language,
        "hubs": [{"type": "WebSub", "url": hub} for hub in places.hubs],
    }
    items = [_json_feed_item(entry) for entry in feed.entries]
    written = json.dumps(_non_empty(told) | {"items": items}, ensure_ascii=False, indent=1)
    return legal(written).encode() + b"\n"  # whoever made the feed may not have cleaned its title


def _json_feed_item(entry: FeedEntry) -> dict[str, Any]:
    ours = {
        "direction": entry.direction,
        "site": entry.site,
        "site_url": entry.site_home,
        "article": entry.number,
        "story": entry.story,
    }
    told = {
        "id": entry.id,
        "url": entry.address,
        "title": entry.title,
        "content_html": entry.html,
        "summary": entry.summary,
        "image": entry.image,
        "date_published": _moment(entry.published),
        "date_modified": _moment(entry.updated),
        "authors": [{"name": author} for author in entry.authors],
        "tags": list(entry.categories),
        "language": entry.language,
        "_tidings": _non_empty(ours),
    }
    if not entry.html:  # one of the two has to be there
        told["content_text"] = entry.summary or entry.title or " "
    return _non_empty(told)


def _non_empty(fields: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if value not in ("", None, [], {})}


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


class FeedFormat(Enum):
    """The formats of feeds."""

    RSS = "rss"
    ATOM = "atom"
    JSON = "json"


_WRITERS = {
    FeedFormat.RSS: (rss, "application/rss+xml; charset=utf-8"),
    FeedFormat.ATOM: (atom, "application/atom+xml; charset=utf-8"),
    FeedFormat.JSON: (json_feed, "application/feed+json; charset=utf-8"),
}


@dataclass(frozen=True, slots=True)
class Written:
    """A serialised feed with its media type and validators."""

    body: bytes
    media_type: str
    etag: str  # quotes included
    changed: datetime  # in UTC, whole seconds

    @property
    def last_modified(self) -> str:
        """Return the value of the Last-Modified header."""
        return format_datetime(self.changed, usegmt=True)

    def is_known(self, if_none_match: str = "", if_modified_since: str = "") -> bool:
        """Return whether the client has the current version, for a 304 response (RFC 9110, 13.1 and 13.2.2).

        Args:
            if_none_match: the If-None-Match header; if present, the other header is ignored.
            if_modified_since: the If-Modified-Since header.
        """
        if if_none_match.strip():
            tags = {tag.strip().removeprefix("W/") for tag in if_none_match[:10_000].split(",")}
            return "*" in tags or self.etag in tags
        try:
            since = parsedate_to_datetime(if_modified_since[:100])
        except (ValueError, TypeError, IndexError, OverflowError):  # no date: as if it were not there
            return False
        return self.changed <= (since if since.tzinfo is not None else since.replace(tzinfo=UTC))


def write(feed: OutFeed, form: FeedFormat, aside: Quarantine | None = None) -> Written:
    """Return a feed serialised in a format. Equal feeds give equal bytes.

    Args:
        feed: the feed.
        form: the format.
        aside: quarantines entries that cannot be written; without it they raise.
    """
    writer, media_type = _WRITERS[form]
    feed = replace(feed, places=feed.places.cleaned)
    try:
        body = writer(feed)
    except Exception:
        if aside is None:
            raise

        def alone(entry: FeedEntry) -> FeedEntry:
            writer(replace(feed, entries=(entry,)))
            return entry

        feed = replace(feed, entries=tuple(aside.each(feed.entries, alone, _entry_name)))
        body = writer(feed)
    return Written(body, media_type, f'"{blake2b(body, digest_size=16).hexdigest()}"', feed.updated.astimezone(UTC))


def _entry_name(entry: FeedEntry) -> ItemName:
    known = entry.id if entry.number is None else str(entry.number)
    return ItemName(ItemKind.ARTICLE, known, entry.title or entry.address)
