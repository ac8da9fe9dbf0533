"""The frontier of a crawl: which page to visit next, with limits.

A crawl starts at a URL, scans the front page and the sections that it links to, and reads the articles they link to.
This module only decides; the caller fetches pages and reports the results. Articles of the front page come first, then
those of each section.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from enum import Enum

from tidings.sources.addresses import canonical, key
from tidings.sources.front.front_page import FrontPage
from tidings.sources.front.link_features import owner, split
from tidings.sources.link import Link


class Purpose(Enum):
    """The purpose of a visit: to find links, or to extract an article."""

    READ = "read"  # read an article
    LOOK = "look"  # scan for links to articles


@dataclass(frozen=True, slots=True)
class CrawlVisit:
    """A page to fetch."""

    address: str
    purpose: Purpose
    depth: int = 0  # number of links from the start
    link: Link | None = None  # the link to this page, with hints for the reader


@dataclass(frozen=True, slots=True)
class CrawlBounds:
    """The limits of a crawl."""

    stories: int = 200
    sections: int = 30
    depth: int = 2  # of scanned pages; the front page has 0
    sisters: bool = True  # `sport.harbour.example` belongs to `harbour.example`


@dataclass(frozen=True, slots=True)
class Frontier:
    """The immutable state of a crawl. `after` returns the next state."""

    start: str
    bounds: CrawlBounds = CrawlBounds()
    waiting: tuple[CrawlVisit, ...] = ()
    queued_keys: frozenset[str] = frozenset()
    read: int = 0
    scanned: int = 0

    @classmethod
    def at(cls, address: str, bounds: CrawlBounds | None = None) -> Frontier:
        """Start a crawl at a URL. An invalid URL leaves nothing to visit."""
        start = canonical(address) or ""
        first = (CrawlVisit(start, Purpose.LOOK),) if start else ()
        return cls(start, bounds or CrawlBounds(), first, frozenset(key(visit.address) for visit in first))

    @property
    def next(self) -> CrawlVisit | None:
        """Return the page to fetch now; None at the end."""
        return self.waiting[0] if self.waiting else None

    def after(self, front: FrontPage | None = None) -> Frontier:
        """Return the state after the current visit. `front` is the result of a scan; None for articles and failures."""
        visit = self.next
        if visit is None:
            return self
        done = replace(
            self,
            waiting=self.waiting[1:],
            read=self.read + (visit.purpose is Purpose.READ),
            scanned=self.scanned + (visit.purpose is Purpose.LOOK),
        )
        if front is None or visit.purpose is Purpose.READ:
            return done
        depth = visit.depth + 1
        return done._with(front.links, Purpose.READ, depth)._with(front.sections, Purpose.LOOK, depth)

    def _with(self, links: Iterable[Link], purpose: Purpose, depth: int) -> Frontier:
        """Return a frontier with further visits, up to the limits."""
        bounds = self.bounds
        if purpose is Purpose.LOOK and depth > bounds.depth:
            return self
        planned = sum(visit.purpose is purpose for visit in self.waiting)
        room = (
            bounds.stories - self.read - planned
            if purpose is Purpose.READ
            else bounds.sections - self.scanned - planned
        )
        queued_keys = set(self.queued_keys)
        fresh: list[CrawlVisit] = []
        for link in links:
            if len(fresh) >= room:
                break
            if link.canonical_url and key(link.canonical_url) not in queued_keys and self._belongs(link.canonical_url):
                queued_keys.add(key(link.canonical_url))
                fresh.append(CrawlVisit(link.canonical_url, purpose, depth, link))
        waiting = sorted((*self.waiting, *fresh), key=lambda visit: (visit.depth, visit.purpose is Purpose.LOOK))
        return replace(self, waiting=tuple(waiting), queued_keys=frozenset(queued_keys))

    def _belongs(self, address: str) -> bool:
        host, start = split(address)[0].removeprefix("www."), split(self.start)[0].removeprefix("www.")
        return host == start or (self.bounds.sisters and owner(host) == owner(start))
