"""The data model of a feed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from tidings.sources.dates import SourceDate
from tidings.sources.link import Link, Offer
from tidings.sources.problems import SourceProblem

_HOUR: Final = timedelta(hours=1)
_WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The polling schedule that a feed declares (RSS 2.0 ttl, skipHours, skipDays; the syndication module)."""

    interval: timedelta | None = None  # shortest interval
    skip_hours: frozenset[int] = frozenset()  # hours in UTC
    skip_days: frozenset[int] = frozenset()  # 0 is Monday

    @property
    def bounded(self) -> timedelta | None:
        """Return the declared interval, limited to between an hour and a week: some feeds say a minute, or ten
        years.
        """
        return None if self.interval is None else min(max(self.interval, _HOUR), _WEEK)


@dataclass(frozen=True, slots=True)
class Feed:
    """A feed's metadata, its entries in document order, and its problems."""

    kind: str  # "rss 2.0", "rdf", "atom", "json feed 1.1"; empty if it is none
    title: str = ""
    description: str = ""
    language: str = ""
    home: str = ""  # URL of the site
    image: str = ""
    items: tuple[Link, ...] = ()
    problems: tuple[SourceProblem, ...] = ()
    updated: SourceDate | None = None
    schedule: Schedule = Schedule()
    hubs: tuple[str, ...] = ()  # WebSub
    itself: str = ""  # the feed's own URL
    next_page: str = ""  # older entries (RFC 5005, JSON Feed next_url)
    moved_to: str = ""  # the new URL of a moved feed
    is_ended: bool = False  # no more entries will follow (JSON Feed expired, itunes:complete)
    offers: tuple[Offer, ...] = ()  # of a web page: the feeds that it offers

    @property
    def is_feed(self) -> bool:
        """Return whether the document is a feed."""
        return bool(self.kind)
