"""What to visit next when a site is crawled: a value and a function, bounded on every side.

A crawl starts at one address, looks through the front page and the sections it names, and reads the stories they link
to. This decides only; somebody else fetches, and says what was found. The stories of the front page come first, then
section by section.
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
    """Why a page is visited."""

    READ = "read"  # it is a story
    LOOK = "look"  # for links to stories


@dataclass(frozen=True, slots=True)
class CrawlVisit:
    """One page to fetch."""

    address: str
    purpose: Purpose
    depth: int = 0  # pages on the way from the start
    link: Link | None = None  # what led here; its hints belong to the page


@dataclass(frozen=True, slots=True)
class CrawlBounds:
    """How far a crawl may go."""

    stories: int = 200
    sections: int = 30
    depth: int = 2  # of pages that are looked through: the front page is 0
    sisters: bool = True  # `sport.harbour.example` belongs to `harbour.example`


@dataclass(frozen=True, slots=True)
class Frontier:
    """Where a crawl stands. Nothing in it changes: `after` gives the next one."""

    start: str
    bounds: CrawlBounds = CrawlBounds()
    waiting: tuple[CrawlVisit, ...] = ()
    seen: frozenset[str] = frozenset()
    read: int = 0
    looked: int = 0

    @classmethod
    def at(cls, address: str, bounds: CrawlBounds | None = None) -> Frontier:
        """Return a crawl that begins at an address; one that is none has nothing to visit."""
        start = canonical(address) or ""
        first = (CrawlVisit(start, Purpose.LOOK),) if start else ()
        return cls(start, bounds or CrawlBounds(), first, frozenset(key(one.address) for one in first))

    @property
    def next(self) -> CrawlVisit | None:
        """The page to fetch now; None at the end."""
        return self.waiting[0] if self.waiting else None

    def after(self, found: FrontPage | None = None) -> Frontier:
        """Return the crawl after the next page was visited: with what a look found, or nothing if it failed or was a
        story.
        """
        visit = self.next
        if visit is None:
            return self
        done = replace(
            self,
            waiting=self.waiting[1:],
            read=self.read + (visit.purpose is Purpose.READ),
            looked=self.looked + (visit.purpose is Purpose.LOOK),
        )
        if found is None or visit.purpose is Purpose.READ:
            return done
        depth = visit.depth + 1
        return done._with(found.links, Purpose.READ, depth)._with(found.sections, Purpose.LOOK, depth)

    def _with(self, links: Iterable[Link], purpose: Purpose, depth: int) -> Frontier:
        """With further visits, as many as the bounds allow."""
        bounds = self.bounds
        if purpose is Purpose.LOOK and depth > bounds.depth:
            return self
        planned = sum(one.purpose is purpose for one in self.waiting)
        room = (
            bounds.stories - self.read - planned if purpose is Purpose.READ else bounds.sections - self.looked - planned
        )
        seen = set(self.seen)
        fresh: list[CrawlVisit] = []
        for link in links:
            if len(fresh) >= room:
                break
            if link.address and key(link.address) not in seen and self._belongs(link.address):
                seen.add(key(link.address))
                fresh.append(CrawlVisit(link.address, purpose, depth, link))
        waiting = sorted((*self.waiting, *fresh), key=lambda one: (one.depth, one.purpose is Purpose.LOOK))
        return replace(self, waiting=tuple(waiting), seen=frozenset(seen))

    def _belongs(self, address: str) -> bool:
        host, start = split(address)[0].removeprefix("www."), split(self.start)[0].removeprefix("www.")
        return host == start or (self.bounds.sisters and owner(host) == owner(start))
