"""The live web: guarded connections, polite turns, redirects followed. What most callers want.

`get` and `aget` are for one thing, here and now: for people rather than pipelines; failures are raised.

Redirects: followed one by one, so that every hop is guarded, polite, and counted against one deadline.
"""

from __future__ import annotations

import asyncio
import ssl
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, replace
from random import random
from typing import Any, Final, Self, TypeVar

from tidings.errors import DeadlineExceeded, FetchError, TooManyRedirects
from tidings.fetch.deadline import SYSTEM, Clock, Deadline
from tidings.fetch.exchange import (
    REDIRECTS,
    Fetcher,
    Kind,
    Limits,
    Outcome,
    Redirect,
    Request,
    Response,
    as_value,
    require,
)
from tidings.fetch.guard import Guard, Resolver, resolve
from tidings.fetch.http_client import Wire
from tidings.fetch.pace import HostStates, Pace, Polite
from tidings.fetch.robots import REDIRECTS as ROBOTS_REDIRECTS
from tidings.fetch.robots import Agent, Robots
from tidings.urls import URL

#: Headers that say nothing about who asks. Whatever else a caller sends is for the host it named, as are user name
#: and password: they are not sent on to another host, scheme or port (RFC 9110, 15.4).
_HARMLESS: Final = frozenset(("accept", "accept-language"))


@dataclass(frozen=True, slots=True)
class Following:
    """Follows what another fetcher is told to follow. Answers know the way they came by.

    Args:
        inner: does the single exchanges.
        most: hops before it gives up.
        seconds: for all hops together, where the request does not say.
    """

    inner: Fetcher
    most: int = Limits().redirects
    seconds: float = Limits().deadline

    async def fetch(self, request: Request) -> Outcome:
        """Get what is at the end of the redirects."""
        deadline = request.deadline or Deadline.after(request.seconds, self.seconds)
        hops: list[Redirect] = []
        asked = replace(request, deadline=deadline)
        elapsed = 0.0
        while True:
            outcome = await self.inner.fetch(asked)
            if isinstance(outcome, FetchError):
                return outcome
            elapsed += outcome.elapsed
            location = outcome.header("location")
            if outcome.status not in REDIRECTS or not location or request.data is not None:
                return replace(outcome, redirects=tuple(hops), elapsed=elapsed) if hops else outcome
            try:
                here = URL.parse(outcome.url)
                there = here.join(location)
            except FetchError as error:
                return as_value(error)
            hops.append(Redirect(outcome.url, outcome.status, there.url))
            if any(there.url == hop.url for hop in hops):
                return TooManyRedirects(hops[0].url, f"leads in a circle: {there.url} sends us back to itself")
            if len(hops) > self.most:
                return TooManyRedirects(hops[0].url, f"is refused: it was redirected more than {self.most} times")
            if not deadline.left:
                reason = f"took longer than {deadline}, redirects and all; try again later, or allow more"
                return DeadlineExceeded(there.url, reason)
            asked = _sent_on(asked, here, there)


def _sent_on(request: Request, here: URL, there: URL) -> Request:
    """Return the same request to the next host, which learns nothing that was meant for the last one."""
    if there.origin == here.origin:
        # A user name that the server put into the address is not one that the user gave.
        before = URL.parse(request.url)
        user = f"{before.userinfo}@" if before.userinfo and before.origin == there.origin else ""
        return replace(request, url=there.url.replace("://", f"://{user}", 1))
    kept = tuple((name, value) for name, value in request.headers if name.lower() in _HARMLESS)
    return replace(request, url=there.url, headers=kept)


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
        asked = Robots(Following(self._wire, ROBOTS_REDIRECTS, limits.deadline), agent.name, clock) if robots else None
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

    async def __aexit__(self, *raised: object) -> None:
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
