"""A feed as bytes, with what a server sends beside them.

ETag and Last-Modified come from the content alone, so that any number of servers over one store agree (RFC 9110, 8.8).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from email.utils import format_datetime, parsedate_to_datetime
from enum import Enum
from hashlib import blake2b

from tidings.news.feeds.atom import atom
from tidings.news.feeds.json_feed import json_feed
from tidings.news.feeds.outgoing import Entry, OutFeed
from tidings.news.feeds.rss import rss
from tidings.news.store.quarantine import ItemName, Quarantine
from tidings.news.store.records_of_work import ItemKind


class Form(Enum):
    """The formats of feeds."""

    RSS = "rss"
    ATOM = "atom"
    JSON = "json"


_WRITERS = {
    Form.RSS: (rss, "application/rss+xml; charset=utf-8"),
    Form.ATOM: (atom, "application/atom+xml; charset=utf-8"),
    Form.JSON: (json_feed, "application/feed+json; charset=utf-8"),
}


@dataclass(frozen=True, slots=True)
class Written:
    """A feed as it is sent."""

    body: bytes
    media_type: str
    etag: str  # quotes included
    changed: datetime  # in UTC, whole seconds

    @property
    def last_modified(self) -> str:
        """The header of that name."""
        return format_datetime(self.changed, usegmt=True)

    def is_known(self, if_none_match: str = "", if_modified_since: str = "") -> bool:
        """Whether the one who asks has it already, so that 304 is the answer (RFC 9110, 13.1 and 13.2.2).

        Args:
            if_none_match: that header; where it is given, the other does not count.
            if_modified_since: that header.
        """
        if if_none_match.strip():
            tags = {tag.strip().removeprefix("W/") for tag in if_none_match[:10_000].split(",")}
            return "*" in tags or self.etag in tags
        try:
            since = parsedate_to_datetime(if_modified_since[:100])
        except (ValueError, TypeError, IndexError, OverflowError):  # no date: as if it were not there
            return False
        return self.changed <= (since if since.tzinfo is not None else since.replace(tzinfo=UTC))


def write(feed: OutFeed, form: Form, aside: Quarantine | None = None) -> Written:
    """A feed in one of the formats; the same feed gives the same bytes.

    Args:
        feed: what to write.
        form: in which format.
        aside: takes entries that cannot be written; without it they raise.
    """
    writer, media_type = _WRITERS[form]
    feed = replace(feed, places=feed.places.cleaned)
    try:
        body = writer(feed)
    except Exception:
        if aside is None:
            raise

        def alone(entry: Entry) -> Entry:
            writer(replace(feed, entries=(entry,)))
            return entry

        feed = replace(feed, entries=tuple(aside.each(feed.entries, alone, _entry_name)))
        body = writer(feed)
    return Written(body, media_type, f'"{blake2b(body, digest_size=16).hexdigest()}"', feed.updated.astimezone(UTC))


def _entry_name(entry: Entry) -> ItemName:
    known = entry.id if entry.number is None else str(entry.number)
    return ItemName(ItemKind.ARTICLE, known, entry.title or entry.address)
