"""A fetcher that obeys robots.txt and the rate limit of each host. The decisions are in `pace`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from random import random
from typing import Final
from weakref import WeakValueDictionary

from tidings.errors import (
    ConnectionFailed,
    DeadlineExceeded,
    FetchError,
    NotNow,
    RefusedAddress,
    RobotsDisallowed,
    UnknownHost,
)
from tidings.fetch.clock import SYSTEM, Clock
from tidings.fetch.deadline import Deadline
from tidings.fetch.messages import Fetcher, Outcome, Request, as_value, phrase
from tidings.fetch.politeness.pace import (
    Go,
    HostState,
    HostStates,
    HostStatesInMemory,
    Later,
    Pace,
    Wait,
    after,
    believed,
    is_tired,
    turn,
)
from tidings.fetch.politeness.robots import Robots
from tidings.urls import URL

#: Seconds per minute, for messages.
_MINUTE: Final = 60.0


@dataclass(frozen=True, slots=True)
class _HostSlots:
    """A semaphore per host that limits concurrent requests."""

    at_once: int
    semaphores: WeakValueDictionary[str, asyncio.Semaphore]

    def of(self, host: str) -> asyncio.Semaphore:
        place = self.semaphores.get(host)
        if place is None:
            place = self.semaphores[host] = asyncio.Semaphore(self.at_once)
        return place


class PoliteFetcher:
    """A fetcher that obeys robots.txt and limits the request rate for each host.

    Args:
        inner: the fetcher for single requests.
        pace: the politeness settings.
        robots: the robots.txt rules; None to ignore them.
        host_states: the storage of host states, which processes may share.
        clock: the clock.
        chance: returns random numbers from 0 to 1 that spread pauses.
    """

    def __init__(
        self,
        inner: Fetcher,
        pace: Pace = Pace(),  # noqa: B008  # frozen
        robots: Robots | None = None,
        host_states: HostStates | None = None,
        *,
        clock: Clock = SYSTEM,
        chance: Callable[[], float] = random,
    ) -> None:
        self._inner = inner
        self._pace = pace
        self._robots = robots
        self._host_states = HostStatesInMemory() if host_states is None else host_states
        self._clock = clock
        self._chance = chance
        self._places = _HostSlots(pace.at_once, WeakValueDictionary())

    async def fetch(self, request: Request) -> Outcome:
        """Fetch a resource as soon as the rate limit of its host allows, or return the time to try again."""
        try:
            address = URL.parse(request.url)
        except FetchError as error:
            return as_value(error)
        deadline = request.deadline or Deadline.after(request.seconds)
        request = replace(request, deadline=deadline)
        try:
            async with deadline.limit():
                delay = await self._by_robots(address) if request.robots else 0.0
        except TimeoutError:
            reason = f"its robots.txt took longer than {deadline}; try again later, or allow more"
            return DeadlineExceeded(address.url, reason)
        if isinstance(delay, FetchError):
            return delay
        place = self._places.of(address.host)
        try:
            async with deadline.turn():
                await place.acquire()
        except TimeoutError:
            return _no_turn(address, deadline)
        try:
            return await self._attempts(address, request, deadline, delay)
        finally:
            place.release()

    async def _attempts(self, address: URL, request: Request, deadline: Deadline, delay: float) -> Outcome:
        patience = deadline.remaining if deadline.counts_turns else inf
        try:
            async with deadline.turn():
                refused = await self._wait(address, delay, patience)
        except TimeoutError:
            return _no_turn(address, deadline)
        outcome = refused or await self._attempt(address, request)
        for _ in range(self._pace.retries):
            if isinstance(outcome, NotNow) or not is_tired(outcome) or not deadline.remaining:
                break
            try:
                async with deadline.limit():
                    refused = await self._wait(address, delay, deadline.remaining)
            except TimeoutError:
                break
            if refused is not None:
                break  # the host's own answer is more informative
            again = await self._attempt(address, request)
            if isinstance(again, DeadlineExceeded) and not deadline.remaining:
                break  # and more informative than a timeout
            outcome = again
        return outcome

    async def _by_robots(self, address: URL) -> FetchError | float:
        """Return an error if robots.txt disallows the URL, else the crawl delay of the site."""
        if self._robots is None:
            return 0.0
        rules = await self._robots.rules(address)
        if rules.trouble is not None:
            return _in_trouble(address, rules.trouble, rules.until)
        if not rules.allow(address.url, self._robots.name):
            where = f"{address.origin}/robots.txt"
            advice = "leave it out, or do without robots.txt if its owner lets you"
            return RobotsDisallowed(address.url, f"{where} asks {self._robots.name} not to read this; {advice}")
        return rules.delay(self._robots.name)

    async def _wait(self, address: URL, delay: float, patience: float) -> NotNow | None:
        """Wait until the host may be requested. Return an error with the time to try again if that takes too long."""
        intent = await self._turn(address.host, delay, patience)
        while isinstance(intent, Wait):
            await self._clock.sleep(max(intent.until - self._clock.now(), 0.0))
            # The host may have asked for a pause meanwhile.
            pause_end = await self._host_states.change(address.host, self._pause_end)
            if pause_end <= max(self._clock.now(), intent.until):
                break
            intent = await self._turn(address.host, delay, patience)
        if isinstance(intent, Later):
            wait = intent.until - self._clock.now()
            duration = f"{wait:.0f} seconds" if wait < 2 * _MINUTE else f"{wait / _MINUTE:.0f} minutes"
            return NotNow(address.url, f"the host is to be left alone for {duration}; try again then", intent.until)
        return None

    async def _attempt(self, address: URL, request: Request) -> Outcome:
        outcome = await self._inner.fetch(request)

        def note(state: HostState) -> tuple[HostState, None]:
            return after(state, outcome, self._pace, self._clock.now(), self._chance()), None

        await self._host_states.change(address.host, note)
        return outcome

    def _pause_end(self, state: HostState) -> tuple[HostState, float]:
        """Return the unchanged state of a host and the time at which its pause ends."""
        state = believed(state, self._pace, self._clock.now())
        return state, state.not_before

    async def _turn(self, host: str, delay: float, patience: float) -> Go | Wait | Later:
        def step(state: HostState) -> tuple[HostState, Go | Wait | Later]:
            return turn(state, self._pace, self._clock.now(), delay, patience)

        return await self._host_states.change(host, step)


def _no_turn(address: URL, deadline: Deadline) -> DeadlineExceeded:
    reason = f"the host's turn did not come within {deadline}; try again later, or allow more"
    return DeadlineExceeded(address.url, reason)


def _in_trouble(address: URL, why: Outcome, until: float) -> FetchError:
    """Return the error for a URL whose robots.txt could not be fetched: of the same class if the URL would fail in the
    same way, otherwise `NotNow`.
    """
    if isinstance(why, RefusedAddress | UnknownHost | ConnectionFailed) and why.url.startswith(address.origin + "/"):
        return type(why)(address.url, why.reason)  # this URL would fail in the same way
    reason = why.reason if isinstance(why, FetchError) else f"the server says {phrase(why.status)}"
    return NotNow(address.url, f"its robots.txt cannot be fetched, so nothing is read there for now: {reason}", until)
