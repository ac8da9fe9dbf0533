"""robots.txt (RFC 9309), fetched once a day per origin through the same SSRF guard as everything else.

Protego parses and matches. This module has the rest of the standard: the meaning of statuses other than 200 (2.3.1),
the number of redirects (2.3.1.2), the size limit (2.5), the caching time (2.4).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from protego import Protego

from tidings.errors import FetchError, TooManyRedirects
from tidings.fetch.clock import SYSTEM, Clock
from tidings.fetch.limits import CAPS
from tidings.fetch.messages import Fetcher, Kind, Outcome, Request
from tidings.urls import URL

#: Number of redirects to follow; more count as "no robots.txt" (2.3.1.2).
REDIRECTS: Final = 5
#: Caching time in seconds (2.4).
DAY: Final = 86_400.0
#: Seconds after which a failing server is asked again.
TROUBLE: Final = 600.0
#: Number of origins in the cache.
KEPT: Final = 2_000


@dataclass(frozen=True, slots=True)
class Rules:
    """The robots.txt rules of an origin, and until when they are valid."""

    until: float
    parsed: Protego | None = None  # None: no rules at all
    trouble: Outcome | None = None  # the failure of the server; nothing may be fetched now

    def holds(self, now: float) -> bool:
        """Return whether the rules are valid at a time. Rules with more than a day to go were stored while a clock was
        ahead, and are not valid.
        """
        return now < self.until <= now + DAY

    def allow(self, url: str, name: str) -> bool:
        """Return whether a crawler with this name may fetch a URL."""
        return self.parsed is None or bool(self.parsed.can_fetch(url, name))

    def delay(self, name: str) -> float:
        """Return the crawl delay of the site in seconds."""
        crawl_delay = self.parsed.crawl_delay(name) if self.parsed is not None else None
        return float(crawl_delay) if crawl_delay and crawl_delay > 0 else 0.0

    @property
    def sitemaps(self) -> tuple[str, ...]:
        """Return the sitemaps in robots.txt."""
        return tuple(self.parsed.sitemaps) if self.parsed is not None else ()


def judge(outcome: Outcome, now: float, before: Rules | None = None) -> Rules:
    """Return the rules that follow from the response to a request for robots.txt. 404 and other 4xx: no rules,
    everything is allowed (2.3.1.3). 5xx, 429 and no response: nothing is allowed for now (2.3.1.4), unless an older
    copy exists.

    Too many redirects: as if there were no robots.txt (2.3.1.2).
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
    """A cache of robots.txt rules. Concurrent tasks share one request per origin.

    Args:
        fetcher: fetches robots.txt, following redirects.
        name: our product token in robots.txt.
        clock: the clock for the caching time.
    """

    def __init__(self, fetcher: Fetcher, name: str, clock: Clock = SYSTEM) -> None:
        self._fetcher = fetcher
        self._name = name
        self._clock = clock
        self._known: OrderedDict[str, Rules] = OrderedDict()
        self._asking: dict[str, asyncio.Task[Rules]] = {}

    @property
    def name(self) -> str:
        """Return the product token by which Tidings looks for itself in robots.txt."""
        return self._name

    async def rules(self, address: URL) -> Rules:
        """Return the robots.txt rules for the origin of a URL."""
        origin = address.origin
        cached = self._known.get(origin)
        if cached is not None and cached.holds(self._clock.now()):
            return cached
        # A task of its own fetches, so that a cancelled caller does not affect the others.
        loop = asyncio.get_running_loop()
        task = self._asking.get(origin)
        if task is None or task.done() or task.get_loop() is not loop:
            task = self._asking[origin] = loop.create_task(self._ask(origin, cached))
        return await asyncio.shield(task)

    async def aclose(self) -> None:
        """Cancel pending requests for robots.txt."""
        asking, self._asking = list(self._asking.values()), {}
        loop = asyncio.get_running_loop()
        mine = [task for task in asking if task.get_loop() is loop and not task.done()]
        for task in mine:
            task.cancel()
        await asyncio.gather(*mine, return_exceptions=True)

    async def _ask(self, origin: str, cached: Rules | None) -> Rules:
        try:
            outcome = await self._fetcher.fetch(Request(f"{origin}/robots.txt", Kind.ROBOTS))
        finally:
            self._asking.pop(origin, None)
        rules = judge(outcome, self._clock.now(), cached)
        self._known[origin] = rules
        self._known.move_to_end(origin)
        while len(self._known) > KEPT:
            self._known.popitem(last=False)
        return rules
