"""Politeness carried out: robots.txt asked, turns awaited, pauses kept. What is decided here is decided in `pace`."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from random import random
from typing import Final
from weakref import WeakValueDictionary

from tidings.errors import DeadlineExceeded, FetchError, NotNow, RefusedAddress, RobotsDisallowed, UnknownHost
from tidings.fetch.addresses import Address
from tidings.fetch.clock import SYSTEM, Clock
from tidings.fetch.deadline import Deadline
from tidings.fetch.exchange import Fetcher, Outcome, Request, as_value, phrase
from tidings.fetch.pace import (
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
from tidings.fetch.robots import Robots

#: Other words for "the host is to be left alone": the time is given as people read it.
_MINUTE: Final = 60.0


@dataclass(frozen=True, slots=True)
class _HostSlots:
    """At most so many requests to a host under way at once."""

    at_once: int
    held: WeakValueDictionary[str, asyncio.Semaphore]

    def of(self, host: str) -> asyncio.Semaphore:
        place = self.held.get(host)
        if place is None:
            place = self.held[host] = asyncio.Semaphore(self.at_once)
        return place


class Polite:
    """Asks each host in its turn.

    Args:
        inner: does the single exchanges.
        pace: how politely.
        robots: whose rules are asked first; None asks nobody.
        host_states: what is remembered of hosts; shared between processes if it is one that can be.
        clock: tells and passes the time.
        chance: numbers from 0 to 1 that spread pauses.
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
        self._standings = HostStatesInMemory() if host_states is None else host_states
        self._clock = clock
        self._chance = chance
        self._places = _HostSlots(pace.at_once, WeakValueDictionary())

    async def fetch(self, request: Request) -> Outcome:
        """Get one thing when it is its host's turn, or say when to come back."""
        try:
            address = Address.parse(request.url)
        except FetchError as error:
            return as_value(error)
        deadline = request.deadline or Deadline.after(request.seconds)
        request = replace(request, deadline=deadline)
        try:
            async with deadline.limit():
                delay = await self._by_robots(address)
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

    async def _attempts(self, address: Address, request: Request, deadline: Deadline, delay: float) -> Outcome:
        patience = deadline.left if deadline.counts_turns else inf
        try:
            async with deadline.turn():
                refused = await self._wait(address, delay, patience)
        except TimeoutError:
            return _no_turn(address, deadline)
        outcome = refused or await self._attempt(address, request)
        for _ in range(self._pace.retries):
            if isinstance(outcome, NotNow) or not is_tired(outcome) or not deadline.left:
                break
            try:
                async with deadline.limit():
                    refused = await self._wait(address, delay, deadline.left)
            except TimeoutError:
                break
            if refused is not None:
                break  # what the host itself said tells more
            again = await self._attempt(address, request)
            if isinstance(again, DeadlineExceeded) and not deadline.left:
                break  # and more than that there was no time to hear more
            outcome = again
        return outcome

    async def _by_robots(self, address: Address) -> FetchError | float:
        """Why it may not be fetched, or how far apart the site wants requests to be."""
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

    async def _wait(self, address: Address, delay: float, patience: float) -> NotNow | None:
        """Wait for the host's turn; where that would take too long, when to come back."""
        intent = await self._turn(address.host, delay, patience)
        while isinstance(intent, Wait):
            await self._clock.sleep(max(intent.until - self._clock.now(), 0.0))
            # Meanwhile the host may have asked for a pause.
            held = await self._standings.change(address.host, self._held)
            if held <= max(self._clock.now(), intent.until):
                break
            intent = await self._turn(address.host, delay, patience)
        if isinstance(intent, Later):
            wait = intent.until - self._clock.now()
            told = f"{wait:.0f} seconds" if wait < 2 * _MINUTE else f"{wait / _MINUTE:.0f} minutes"
            return NotNow(address.url, f"the host is to be left alone for {told}; try again then", intent.until)
        return None

    async def _attempt(self, address: Address, request: Request) -> Outcome:
        outcome = await self._inner.fetch(request)

        def note(standing: HostState) -> tuple[HostState, None]:
            return after(standing, outcome, self._pace, self._clock.now(), self._chance()), None

        await self._standings.change(address.host, note)
        return outcome

    def _held(self, standing: HostState) -> tuple[HostState, float]:
        """Until when a host wants to be left alone."""
        standing = believed(standing, self._pace, self._clock.now())
        return standing, standing.not_before

    async def _turn(self, host: str, delay: float, patience: float) -> Go | Wait | Later:
        def step(standing: HostState) -> tuple[HostState, Go | Wait | Later]:
            return turn(standing, self._pace, self._clock.now(), delay, patience)

        return await self._standings.change(host, step)


def _no_turn(address: Address, deadline: Deadline) -> DeadlineExceeded:
    reason = f"the host's turn did not come within {deadline}; try again later, or allow more"
    return DeadlineExceeded(address.url, reason)


def _in_trouble(address: Address, why: Outcome, until: float) -> FetchError:
    """What the failure to get robots.txt means for everything else there."""
    if isinstance(why, RefusedAddress | UnknownHost) and why.url.startswith(address.origin + "/"):
        return type(why)(address.url, why.reason)  # so would this be
    said = why.reason if isinstance(why, FetchError) else f"the server says {phrase(why.status)}"
    return NotNow(address.url, f"its robots.txt cannot be had, so nothing is read there for now: {said}", until)
