"""A pool of connections for each site: httpcore2 looks through all of a pool before every request, so one for all sites
would cost the more the more sites are read at once.

Sites that were not asked for a while, and the longest unasked where there are too many, lose their connections.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from time import monotonic

import httpcore2


@dataclass(slots=True)
class _SitePool:
    pool: httpcore2.AsyncConnectionPool
    asked: float  # when it was asked last
    under_way: int = 0


class Pools:
    """Connections by site.

    Args:
        make: a new pool.
        most: sites that may have connections.
        seconds: that a site may go unasked before its connections are closed.
    """

    def __init__(self, make: Callable[[], httpcore2.AsyncConnectionPool], most: int, seconds: float) -> None:
        self._make = make
        self._most = most
        self._seconds = seconds
        self._sites: OrderedDict[str, _SitePool] = OrderedDict()  # the longest unasked first

    @asynccontextmanager
    async def lent(self, origin: str) -> AsyncIterator[httpcore2.AsyncConnectionPool]:
        """The pool of a site, for one exchange."""
        site = self._sites.pop(origin, None) or _SitePool(self._make(), 0.0)
        self._sites[origin] = site
        site.asked = monotonic()
        site.under_way += 1
        try:
            await self._close_old(site.asked)
            yield site.pool
        finally:
            site.under_way -= 1

    async def aclose(self) -> None:
        """Close all. It may be used again afterwards, also in another loop."""
        sites, self._sites = self._sites, OrderedDict()
        for site in sites.values():
            await site.pool.aclose()

    async def _close_old(self, now: float) -> None:
        old = []  # taken out before anything is awaited: others do the same meanwhile
        for origin, site in list(self._sites.items()):
            if site.asked > now - self._seconds and len(self._sites) <= self._most:
                break
            if not site.under_way:
                del self._sites[origin]
                old.append(site.pool)
        for pool in old:
            await pool.aclose()
