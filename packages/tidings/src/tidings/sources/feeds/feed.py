"""A feed as it was read."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import Final

from tidings.sources.dates import SourceDate
from tidings.sources.link import Link, Offer, SourceProblem

_HOUR: Final = timedelta(hours=1)
_WEEK: Final = timedelta(days=7)


@dataclass(frozen=True, slots=True)
class Schedule:
    """When a feed wants to be asked again (RSS 2.0 ttl, skipHours, skipDays; the syndication module)."""

    interval: timedelta | None = None  # not more often than this
    skip_hours: frozenset[int] = frozenset()  # of the day, in UTC
    skip_days: frozenset[int] = frozenset()  # 0 is Monday

    @property
    def bounded(self) -> timedelta | None:
        """The interval between an hour and a week: feeds ask for a minute, and for ten years."""
        return None if self.interval is None else min(max(self.interval, _HOUR), _WEEK)


@dataclass(frozen=True, slots=True)
class Feed:
    """What a feed says of itself, its entries in its order, and what was wrong with it."""

    kind: str  # "rss 2.0", "rdf", "atom", "json feed 1.1"; empty if it is none
    title: str = ""
    description: str = ""
    language: str = ""
    home: str = ""  # the address of the site
    image: str = ""
    items: tuple[Link, ...] = ()
    problems: tuple[SourceProblem, ...] = ()
    updated: SourceDate | None = None
    schedule: Schedule = Schedule()
    hubs: tuple[str, ...] = ()  # WebSub
    itself: str = ""  # the address it gives as its own
    next_page: str = ""  # older entries (RFC 5005, JSON Feed next_url)
    moved_to: str = ""  # it says that it lives elsewhere from now on
    ended: bool = False  # it says that nothing will follow (JSON Feed expired, itunes:complete)
    offers: tuple[Offer, ...] = ()  # where it is a web page: the feeds that the page offers

    @property
    def is_feed(self) -> bool:
        """Whether a feed was found at all."""
        return bool(self.kind)
