"""Connection pools, one for each site.

httpcore2 searches a whole pool before every request, so a single pool for all sites would cost more the more sites are
read at once. Idle sites lose their connections, the longest idle first if there are too many.
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
    last_used: float  # monotonic time
    under_way: int = 0


class ConnectionPools:
    """Connection pools by site.

    Args:
        make: creates a pool.
        most: largest number of sites with connections.
        seconds: idle time of a site after which its connections are closed.
    """

    def __init__(self, make: Callable[[], httpcore2.AsyncConnectionPool], most: int, seconds: float) -> None:
        self._make = make
        self._most = most
        self._seconds = seconds
        self._sites: OrderedDict[str, _SitePool] = OrderedDict()  # the longest idle first

    @asynccontextmanager
    async def lent(self, origin: str) -> AsyncIterator[httpcore2.AsyncConnectionPool]:
        """Lend the connection pool of a site for one request, as an async context."""
        site = self._sites.pop(origin, None) or _SitePool(self._make(), 0.0)
        self._sites[origin] = site
        site.last_used = monotonic()
        site.under_way += 1
        try:
            await self._close_old(site.last_used)
            yield site.pool
        finally:
            site.under_way -= 1

    async def aclose(self) -> None:
        """Close all pools. They can be used again afterwards, also in another event loop."""
        sites, self._sites = self._sites, OrderedDict()
        for site in sites.values():
            await site.pool.aclose()

    async def _close_old(self, now: float) -> None:
        old = []  # removed before awaiting, because other tasks do the same
        for origin, site in list(self._sites.items()):
            if site.last_used > now - self._seconds and len(self._sites) <= self._most:
                break
            if not site.under_way:
                del self._sites[origin]
                old.append(site.pool)
        for pool in old:
            await pool.aclose()
