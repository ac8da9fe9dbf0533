"""The live web: guarded connections, polite turns, redirects followed. What most callers want.

`get` and `aget` are for one thing, here and now: for people rather than pipelines; failures are raised.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Callable, Coroutine
from random import random
from types import TracebackType
from typing import Any, Self, TypeVar

from tidings.fetch.agent import Agent
from tidings.fetch.clock import SYSTEM, Clock
from tidings.fetch.exchange import Fetcher, Kind, Outcome, Request, Response, require
from tidings.fetch.follow import Following
from tidings.fetch.guard import Guard
from tidings.fetch.limits import Limits
from tidings.fetch.pace import HostStates, Pace
from tidings.fetch.polite import Polite
from tidings.fetch.resolve import Resolver, resolve
from tidings.fetch.robots import REDIRECTS, Robots
from tidings.fetch.wire import Wire

T = TypeVar("T")


class Live:
    """Fetches from the web, for as many tasks of one event loop as like. Use it as `async with Live() as live`.

    Args:
        agent: who we say we are.
        guard: which addresses may be connected to; `Guard.allowing(["localhost"])` lets a host of yours through.
        limits: how long and how much.
        pace: how politely hosts are treated.
        robots: whether robots.txt is asked and obeyed.
        proxy: an HTTP proxy of your own.
        host_states: what is remembered of hosts, where processes share it.
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
        host_states: HostStates | None = None,
        trust: ssl.SSLContext | None = None,
        resolver: Resolver = resolve,
        clock: Clock = SYSTEM,
        chance: Callable[[], float] = random,
    ) -> None:
        self._wire = Wire(agent, guard, limits, proxy=proxy, trust=trust, resolver=resolver, clock=clock)
        asked = Robots(Following(self._wire, REDIRECTS, limits.deadline), agent.name, clock) if robots else None
        self._robots = asked
        polite = Polite(self._wire, pace, asked, host_states, clock=clock, chance=chance)
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


async def aget(url: str, kind: Kind = Kind.PAGE, *, fetcher: Fetcher | None = None) -> Response:
    """What is at an address.

    Args:
        url: where; http or https.
        kind: what it is expected to be.
        fetcher: who fetches; a `Live` of the caller's own for many pages, for other settings, or a replay.

    Raises:
        FetchError: it cannot be had; each kind of reason has its own error.
    """
    request = Request(url, kind)
    if fetcher is not None:
        return require(await fetcher.fetch(request))
    async with Live() as live:
        return require(await live.fetch(request))


def get(url: str, kind: Kind = Kind.PAGE, *, open_: Callable[[], Live] = Live) -> Response:
    """What is at an address, for code that awaits nothing.

    Args:
        url: where; http or https.
        kind: what it is expected to be.
        open_: makes the fetcher, where it is to be another than usual: `lambda: Live(guard=…)`.

    Raises:
        FetchError: it cannot be had; each kind of reason has its own error.
    """

    async def once() -> Response:
        async with open_() as live:
            return require(await live.fetch(Request(url, kind)))

    return run(once())


def run(work: Coroutine[Any, Any, T]) -> T:
    """Do asynchronous work from ordinary code, also where an event loop runs already, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    done: list[T] = []
    failed: list[BaseException] = []

    def apart() -> None:
        try:
            done.append(asyncio.run(work))
        except BaseException as error:  # handed to the caller below
            failed.append(error)

    thread = threading.Thread(target=apart, name="tidings: one page")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]
