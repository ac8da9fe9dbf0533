"""robots.txt by RFC 9309: asked for once a day for each origin, through the same guard as all else.

Parsing and matching are Protego's. Here is the rest of the standard: what an answer other than 200 means (2.3.1), how
many redirects count (2.3.1.2), how much is parsed (2.5), how long it is kept (2.4).

Who we say we are, and what we say we can read.
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from typing import Final

from protego import Protego

from tidings.errors import FetchError, TooManyRedirects
from tidings.fetch.deadline import SYSTEM, Clock
from tidings.fetch.decompress import ACCEPTED
from tidings.fetch.exchange import CAPS, Fetcher, Kind, Outcome, Request
from tidings.urls import URL

_ACCEPT: Final = {
    Kind.PAGE: "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.5",
    Kind.FEED: "application/atom+xml,application/rss+xml,application/feed+json,application/rdf+xml;q=0.9,"
    "application/xml;q=0.8,text/xml;q=0.8,application/json;q=0.7,*/*;q=0.5",
    Kind.SITEMAP: "application/xml,text/xml,text/plain;q=0.8,*/*;q=0.5",
    Kind.PICTURE: "image/avif,image/webp,image/*,*/*;q=0.5",
    Kind.ROBOTS: "text/plain,*/*;q=0.5",
}


@cache
def our_version() -> str:
    """Return the version of this package."""
    return version("tidings")


@dataclass(frozen=True, slots=True)
class Agent:
    """The name by which sites know us, in headers and in robots.txt.

    Args:
        name: the product token that robots.txt names (RFC 9309, 2.2.1).
        contact: an address where people can read who fetches and why; worth setting for anyone who fetches much.
        language: what Accept-Language says.
    """

    name: str = "Tidings"
    contact: str | None = None
    language: str = "*"

    def __str__(self) -> str:
        told = f" (+{self.contact})" if self.contact else ""
        return f"{self.name}/{our_version()}{told}"

    def headers(self, kind: Kind) -> list[tuple[str, str]]:
        """What is sent with every request of a kind."""
        return [
            ("User-Agent", str(self)),
            ("Accept", _ACCEPT[kind]),
            ("Accept-Language", self.language),
            ("Accept-Encoding", ACCEPTED),
        ]


#: At least so many consecutive redirects are to be followed, and more may mean "there is none" (2.3.1.2).
REDIRECTS: Final = 5
#: A copy should not be used for longer (2.4).
DAY: Final = 86_400.0
#: A server in trouble is asked again after so many seconds.
TROUBLE: Final = 600.0
#: Origins whose rules are kept.
KEPT: Final = 2_000


@dataclass(frozen=True, slots=True)
class Rules:
    """What an origin lets us do, and until when we believe that."""

    until: float
    parsed: Protego | None = None  # None: no rules at all
    trouble: Outcome | None = None  # why the server could not say; nothing may be fetched now

    def holds(self, now: float) -> bool:
        """Return whether they still count. Rules of a day that are to end in years were read when the clock was
        ahead.
        """
        return now < self.until <= now + DAY

    def allow(self, url: str, name: str) -> bool:
        """Return whether a crawler of that name may fetch an address."""
        return self.parsed is None or bool(self.parsed.can_fetch(url, name))

    def delay(self, name: str) -> float:
        """Return the seconds between requests that the site asks for."""
        asked = self.parsed.crawl_delay(name) if self.parsed is not None else None
        return float(asked) if asked and asked > 0 else 0.0

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """The sitemaps that the site names."""
        return tuple(self.parsed.sitemaps) if self.parsed is not None else ()


def judge(outcome: Outcome, now: float, before: Rules | None = None) -> Rules:
    """What an answer to the request for robots.txt means.

    404 and other 4xx: no rules, all is allowed (2.3.1.3). 5xx, 429 and no answer: nothing is allowed for now
    (2.3.1.4), unless an older copy is there to go by. Redirected too often: as if there were none (2.3.1.2).
    """
    if isinstance(outcome, TooManyRedirects):
        return Rules(now + DAY)
    if isinstance(outcome, FetchError) or outcome.status >= 500 or outcome.status == 429:
        if before is not None and before.trouble is None:
            return Rules(now + TROUBLE, before.parsed)
        return Rules(now + TROUBLE, trouble=outcome)
    if outcome.status >= 300:
        return Rules(now + DAY)
    text = outcome.body[: CAPS[Kind.ROBOTS].size].decode("utf-8-sig", "replace")
    return Rules(now + DAY, Protego.parse(text.replace("\0", "")))


class Robots:
    """The rules of all origins that were asked for, each fetched once however many tasks want it.

    Args:
        fetcher: gets robots.txt, following redirects.
        name: the product token that rules name us by.
        clock: for how long they are kept.
    """

    def __init__(self, fetcher: Fetcher, name: str, clock: Clock = SYSTEM) -> None:
        self._fetcher = fetcher
        self._name = name
        self._clock = clock
        self._known: OrderedDict[str, Rules] = OrderedDict()
        self._asking: dict[str, asyncio.Task[Rules]] = {}

    @property
    def name(self) -> str:
        """The product token that rules name us by."""
        return self._name

    async def rules(self, address: URL) -> Rules:
        """Return the rules of an address's origin."""
        origin = address.origin
        known = self._known.get(origin)
        if known is not None and known.holds(self._clock.now()):
            return known
        # Asked by a task of its own: whoever has no time to wait goes, and the answer is there for all others.
        loop = asyncio.get_running_loop()
        task = self._asking.get(origin)
        if task is None or task.done() or task.get_loop() is not loop:
            task = self._asking[origin] = loop.create_task(self._ask(origin, known))
        return await asyncio.shield(task)

    async def aclose(self) -> None:
        """Ask no more."""
        asking, self._asking = list(self._asking.values()), {}
        loop = asyncio.get_running_loop()
        mine = [task for task in asking if task.get_loop() is loop and not task.done()]
        for task in mine:
            task.cancel()
        await asyncio.gather(*mine, return_exceptions=True)

    async def _ask(self, origin: str, known: Rules | None) -> Rules:
        try:
            outcome = await self._fetcher.fetch(Request(f"{origin}/robots.txt", Kind.ROBOTS))
        finally:
            self._asking.pop(origin, None)
        found = judge(outcome, self._clock.now(), known)
        self._known[origin] = found
        self._known.move_to_end(origin)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return found
