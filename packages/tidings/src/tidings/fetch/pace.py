"""When a host may be asked again: facts in, intent out, and nothing else (no clock, no network, no chance).

What is remembered of a host is a handful of numbers, `HostState`. `turn` decides on them whether a request may go,
has to wait, or is not worth waiting for; `after` says what is remembered once its outcome is known. Both are pure, so
several processes can share the numbers: whoever keeps them needs one operation, an atomic change (`HostStates`).

Politeness carried out: robots.txt asked, turns awaited, pauses kept. What is decided here is decided in `pace`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from random import random
from typing import Final, Protocol, TypeAlias, TypeVar
from weakref import WeakValueDictionary

from tidings.errors import (
    ConnectionFailed,
    DeadlineExceeded,
    FetchError,
    Incomplete,
    NotNow,
    RefusedAddress,
    RobotsDisallowed,
    UnknownHost,
)
from tidings.fetch.deadline import SYSTEM, Clock, Deadline, retry_after
from tidings.fetch.exchange import Fetcher, Outcome, Request, as_value, phrase
from tidings.fetch.robots import Robots
from tidings.urls import URL

#: Answers by which a host, rather than a page, says that it has had enough.
TIRED: Final = frozenset((429, 502, 503, 504))
#: Seconds by which the clocks of machines that share their host_states may differ, and both be believed.
SKEW: Final = 600.0
#: Failures that say the host, rather than the page, is in trouble.
_DOWN: Final = (ConnectionFailed, DeadlineExceeded, Incomplete, UnknownHost)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pace:
    """How politely hosts are treated."""

    delay: float = 1.0  # seconds between two requests to one host
    at_once: int = 2  # requests under way to one host, in one process
    patience: float = 60.0  # seconds a request waits for its turn; longer than that it comes back as NotNow
    retries: int = 1  # further attempts after an answer that asks for a pause
    first_pause: float = 2.0  # after a first failure without Retry-After; doubled with every further one
    longest_pause: float = 3600.0  # that doubling ends here
    longest_wish: float = 86_400.0  # what a Retry-After can ask for at the most
    longest_delay: float = 60.0  # what a Crawl-delay can ask for at the most


@dataclass(frozen=True, slots=True)
class HostState:
    """What is remembered of a host; times in seconds since 1970."""

    free_at: float = 0.0  # the next turn begins here
    not_before: float = 0.0  # the host asked to be left alone until then
    failures: int = 0  # in a row


@dataclass(frozen=True, slots=True)
class Go:
    """Ask now."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Ask at that time, which is now yours."""

    until: float


@dataclass(frozen=True, slots=True)
class Later:
    """Do not wait: come back at that time."""

    until: float


@dataclass(frozen=True, slots=True)
class Gone:
    """Never ask again: the server said 410."""


Intent: TypeAlias = Go | Wait | Later | Gone


def turn(
    standing: HostState, pace: Pace, now: float, asked: float = 0.0, patience: float = inf
) -> tuple[HostState, Go | Wait | Later]:
    """Return whether a request may go, and if so, the host's next turn moved on behind it, by as many seconds as we
    would leave it alone or as its robots.txt has `asked` for. One that has less `patience` than usual does not wait as
    long.
    """
    standing = believed(standing, pace, now)
    when = max(now, standing.free_at, standing.not_before)
    if when - now > min(pace.patience, patience):
        return standing, Later(when)
    apart = max(pace.delay, min(asked, pace.longest_delay))
    taken = replace(standing, free_at=when + apart) if apart else standing  # then any time is as good
    return taken, Go() if when <= now else Wait(when)


def believed(standing: HostState, pace: Pace, now: float) -> HostState:
    """Return a standing without times that no politeness can have asked for: they were written when a clock was ahead.

    A turn is never further away than a request waits for it, and a wish is cut to its longest (HOSTILE 32).
    """
    if standing.free_at > now + pace.patience + max(pace.delay, pace.longest_delay) + SKEW:
        standing = replace(standing, free_at=0.0)
    if standing.not_before > now + max(pace.longest_wish, pace.longest_pause) + SKEW:
        standing = replace(standing, not_before=0.0)
    return standing


def after(standing: HostState, outcome: Outcome, pace: Pace, now: float, chance: float) -> HostState:
    """What is remembered once the outcome is known. `chance`, from 0 to 1, spreads pauses so that many do not return
    at one time: a pause is between half of its length and all of it.
    """
    standing = believed(standing, pace, now)
    if not is_tired(outcome):
        return replace(standing, failures=0)
    wished = None if isinstance(outcome, FetchError) else retry_after(outcome.header("retry-after"), now)
    if wished is None:
        # 2.0 ** 64 seconds is past every cap, and no overflow however long a host is down.
        doubled = min(pace.first_pause * 2.0 ** min(standing.failures, 64), pace.longest_pause)
        wished = doubled * (1 + chance) / 2
    pause = min(wished, pace.longest_wish)
    return replace(standing, not_before=max(standing.not_before, now + pause), failures=standing.failures + 1)


def is_tired(outcome: Outcome) -> bool:
    """Return whether an outcome says that the host should be left alone for a while."""
    if isinstance(outcome, FetchError):
        return isinstance(outcome, _DOWN)
    return outcome.status in TIRED


def advice(outcome: Outcome, standing: HostState, now: float) -> Intent:
    """What to do about a source after its outcome: 410 ends it; 429 and all else only ever postpone it."""
    if not isinstance(outcome, FetchError) and outcome.gone:
        return Gone()
    return Later(standing.not_before) if is_tired(outcome) and standing.not_before > now else Go()


class HostStates(Protocol):
    """Keeps the standing of hosts. Where several processes share one, `change` must be atomic between them."""

    async def change(self, host: str, step: Callable[[HostState], tuple[HostState, T]]) -> T:
        """Replace a host's standing by what `step` makes of it, and hand on what else it says."""
        ...


class HostStatesInMemory:
    """HostStates of this process; hosts that have not been asked for longest are forgotten."""

    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._known: dict[str, HostState] = {}

    async def change(self, host: str, step: Callable[[HostState], tuple[HostState, T]]) -> T:
        """Replace a host's standing; nothing is awaited, so nothing comes between."""
        standing, said = step(self._known.pop(host, HostState()))
        self._known[host] = standing  # behind all others
        if len(self._known) > self._most:
            del self._known[next(iter(self._known))]
        return said


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
        pace: Pace = Pace(),  # frozen
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

    async def _by_robots(self, address: URL) -> FetchError | float:
        """Return why it may not be fetched, or how far apart the site wants requests to be."""
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

    async def _attempt(self, address: URL, request: Request) -> Outcome:
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


def _no_turn(address: URL, deadline: Deadline) -> DeadlineExceeded:
    reason = f"the host's turn did not come within {deadline}; try again later, or allow more"
    return DeadlineExceeded(address.url, reason)


def _in_trouble(address: URL, why: Outcome, until: float) -> FetchError:
    """Return the error of every URL of an origin whose robots.txt cannot be fetched: its cause, if that is an error."""
    if isinstance(why, RefusedAddress | UnknownHost | ConnectionFailed) and why.url.startswith(address.origin + "/"):
        return type(why)(address.url, why.reason)  # so would this be
    said = why.reason if isinstance(why, FetchError) else f"the server says {phrase(why.status)}"
    return NotNow(address.url, f"its robots.txt cannot be had, so nothing is read there for now: {said}", until)
