"""The live web: guarded connections, polite turns, redirects followed. What most callers want."""

from __future__ import annotations

import ssl
from collections.abc import Callable
from random import random
from types import TracebackType
from typing import Self

from tidings.fetch.agent import Agent
from tidings.fetch.clock import SYSTEM, Clock
from tidings.fetch.exchange import Fetcher, Outcome, Request
from tidings.fetch.follow import Following
from tidings.fetch.guard import Guard
from tidings.fetch.limits import Limits
from tidings.fetch.pace import Pace, Standings
from tidings.fetch.polite import Polite
from tidings.fetch.resolve import Resolver, resolve
from tidings.fetch.robots import REDIRECTS, Robots
from tidings.fetch.wire import Wire


class Live:
    """Fetches from the web, for as many tasks of one event loop as like. Use it as `async with Live() as live`.

    Args:
        agent: who we say we are.
        guard: which addresses may be connected to; `Guard.allowing(["localhost"])` lets a host of yours through.
        limits: how long and how much.
        pace: how politely hosts are treated.
        robots: whether robots.txt is asked and obeyed.
        proxy: an HTTP proxy of your own.
        standings: what is remembered of hosts, where processes share it.
        trust: certificates to trust other than the usual ones.
        resolver: how names become addresses.
        clock: tells and passes the time.
        chance: numbers from 0 to 1 that spread pauses.
    """

    def __init__(
        self,
        agent: Agent = Agent(),  # noqa: B008  # frozen
        guard: Guard = Guard(),  # noqa: B008  # frozen
        limits: Limits = Limits(),  # noqa: B008  # frozen
        pace: Pace = Pace(),  # noqa: B008  # frozen
        *,
        robots: bool = True,
        proxy: str | None = None,
        standings: Standings | None = None,
        trust: ssl.SSLContext | None = None,
        resolver: Resolver = resolve,
        clock: Clock = SYSTEM,
        chance: Callable[[], float] = random,
    ) -> None:
        self._wire = Wire(agent, guard, limits, proxy=proxy, trust=trust, resolver=resolver, clock=clock)
        asked = Robots(Following(self._wire, REDIRECTS, limits.deadline), agent.name, clock) if robots else None
        self._robots = asked
        polite = Polite(self._wire, pace, asked, standings, clock=clock, chance=chance)
        self._following = Following(polite, limits.redirects, limits.deadline)
        self._unhurried = Following(self._wire, limits.redirects, limits.deadline)

    @property
    def robots(self) -> Robots | None:
        """The rules that were asked for, sitemaps among them; None if nobody is asked."""
        return self._robots

    @property
    def unhurried(self) -> Fetcher:
        """The same connections and the same guard without turns and robots.txt: for the parts of a page that a
        browser has already been let into.
        """
        return self._unhurried

    async def fetch(self, request: Request) -> Outcome:
        """Get one thing."""
        return await self._following.fetch(request)

    async def aclose(self) -> None:
        """Close all connections."""
        if self._robots is not None:
            await self._robots.aclose()
        await self._wire.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        await self.aclose()
