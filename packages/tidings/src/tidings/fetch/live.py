"""A fetcher for the web, with all that most callers need: the SSRF guard, rate limits for each host, robots.txt and
redirects.

`get` and `aget` fetch a single resource and raise errors.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Callable, Coroutine
from random import random
from typing import Any, Self, TypeVar

from tidings.fetch.agent import Agent
from tidings.fetch.clock import SYSTEM, Clock
from tidings.fetch.limits import Limits
from tidings.fetch.messages import Fetcher, Kind, Outcome, Request, Response, require
from tidings.fetch.network.guard import Guard
from tidings.fetch.network.http_client import HttpClient
from tidings.fetch.network.resolver import Resolver, resolve
from tidings.fetch.politeness.pace import HostStates, Pace
from tidings.fetch.politeness.polite import PoliteFetcher
from tidings.fetch.politeness.robots import REDIRECTS as ROBOTS_REDIRECTS
from tidings.fetch.politeness.robots import Robots
from tidings.fetch.redirects import Following

T = TypeVar("T")


class Live:
    """A fetcher for the web, shared by any number of tasks of an event loop. Use it as `async with Live() as live`.

    Args:
        agent: the user agent.
        guard: decides which addresses may be connected to; `Guard.allowing(["localhost"])` allows a host of yours.
        limits: limits on time and size.
        pace: the politeness towards hosts.
        robots: whether to obey robots.txt.
        proxy: an HTTP proxy.
        host_states: the storage of host states, if processes share it.
        trust: trusted certificates instead of the default ones.
        resolver: resolves host names.
        clock: the clock.
        chance: returns random numbers from 0 to 1 that spread pauses.
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
        self._client = HttpClient(agent, guard, limits, proxy=proxy, trust=trust, resolver=resolver, clock=clock)
        robots_rules = (
            Robots(Following(self._client, ROBOTS_REDIRECTS, limits.deadline), agent.name, clock) if robots else None
        )
        self._robots = robots_rules
        polite = PoliteFetcher(self._client, pace, robots_rules, host_states, clock=clock, chance=chance)
        self._following = Following(polite, limits.redirects, limits.deadline)
        self._unhurried = Following(self._client, limits.redirects, limits.deadline)

    @property
    def robots(self) -> Robots | None:
        """Return the cache of robots.txt rules, which also has sitemaps; None if robots.txt is ignored."""
        return self._robots

    @property
    def unhurried(self) -> Fetcher:
        """Return a fetcher for parts of a page, such as images. It shares connections and the SSRF guard, but ignores
        robots.txt and rate limits.
        """
        return self._unhurried

    async def fetch(self, request: Request) -> Outcome:
        """Fetch a resource."""
        return await self._following.fetch(request)

    async def aclose(self) -> None:
        """Close all connections."""
        if self._robots is not None:
            await self._robots.aclose()
        await self._client.aclose()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.aclose()


async def aget(url: str, kind: Kind = Kind.PAGE, *, fetcher: Fetcher | None = None) -> Response:
    """Fetch a URL.

    Args:
        url: an http or https URL.
        kind: the expected kind of resource.
        fetcher: the fetcher: a `Live` for many pages or other settings, or a replay.

    Raises:
        FetchError: the URL cannot be fetched; each kind of reason has its own error.
    """
    request = Request(url, kind)
    if fetcher is not None:
        return require(await fetcher.fetch(request))
    async with Live() as live:
        return require(await live.fetch(request))


def get(url: str, kind: Kind = Kind.PAGE, *, open_: Callable[[], Live] = Live) -> Response:
    """Fetch a URL synchronously.

    Args:
        url: an http or https URL.
        kind: the expected kind of resource.
        open_: creates the fetcher, for other settings: `lambda: Live(guard=…)`.

    Raises:
        FetchError: the URL cannot be fetched; each kind of reason has its own error.
    """

    async def once() -> Response:
        async with open_() as live:
            return require(await live.fetch(Request(url, kind)))

    return run(once())


def run(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine from synchronous code, even if an event loop is running, as in a notebook."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work)
    done: list[T] = []
    failed: list[BaseException] = []

    def run_in_thread() -> None:
        try:
            done.append(asyncio.run(work))
        except BaseException as error:  # re-raised below
            failed.append(error)

    thread = threading.Thread(target=run_in_thread, name="tidings: one page")
    thread.start()
    thread.join()
    if failed:
        raise failed[0]
    return done[0]
