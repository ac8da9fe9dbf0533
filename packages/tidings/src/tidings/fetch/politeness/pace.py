"""Rate limits: when a host may be requested again. Pure functions without clock, network or randomness.

A host's state is a few numbers, `HostState`. `turn` decides whether a request may go, has to wait, or is not worth
waiting for; `after` returns the state after an outcome. Several processes can share the states: their storage needs
only one operation, an atomic change (`HostStates`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Final, Protocol, TypeAlias, TypeVar

from tidings.errors import (
    ConnectionFailed,
    DeadlineExceeded,
    FetchError,
    Incomplete,
    UnknownHost,
)
from tidings.fetch.messages import Outcome
from tidings.fetch.politeness.retry_after import retry_after

#: Statuses of an overloaded host, rather than of a page.
TIRED: Final = frozenset((429, 502, 503, 504))
#: Tolerated clock difference of machines that share host states, in seconds.
SKEW: Final = 600.0
#: Errors of the host, rather than of a page.
_DOWN: Final = (ConnectionFailed, DeadlineExceeded, Incomplete, UnknownHost)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Pace:
    """Settings of the rate limit per host."""

    delay: float = 1.0  # seconds between two requests to one host
    at_once: int = 2  # concurrent requests to one host in one process
    patience: float = 60.0  # seconds a request waits for its turn before it returns NotNow
    retries: int = 1  # further attempts after a response that asks for a pause
    first_pause: float = 2.0  # after the first failure without Retry-After; doubles with each failure
    longest_pause: float = 3600.0  # limit of the doubling
    longest_wish: float = 86_400.0  # limit of a Retry-After
    longest_delay: float = 60.0  # limit of a Crawl-delay


@dataclass(frozen=True, slots=True)
class HostState:
    """The rate limit state of a host; times in seconds since 1970."""

    free_at: float = 0.0  # start of the next turn
    not_before: float = 0.0  # the host asked for a pause until then
    failures: int = 0  # consecutive failures


@dataclass(frozen=True, slots=True)
class Go:
    """Decision: send the request now."""


@dataclass(frozen=True, slots=True)
class Wait:
    """Decision: send the request at this time, which is reserved."""

    until: float


@dataclass(frozen=True, slots=True)
class Later:
    """Decision: send no request now; try again at this time."""

    until: float


@dataclass(frozen=True, slots=True)
class Gone:
    """Advice: never request again, because the server answered 410."""


Intent: TypeAlias = Go | Wait | Later | Gone


def turn(
    state: HostState, pace: Pace, now: float, crawl_delay: float = 0.0, patience: float = inf
) -> tuple[HostState, Go | Wait | Later]:
    """Decide when a request to a host may be sent: now (`Go`), after waiting (`Wait`), or not in this call (`Later`).

    Return the new state of the host, in which the time of the request is reserved, and the decision.

    Args:
        state: the host's state before the request.
        pace: the politeness settings.
        now: the current time in seconds since 1970.
        crawl_delay: the delay in seconds that robots.txt demands; used if it is longer than that of `pace`.
        patience: the maximum number of seconds to wait, if it is less than that of `pace`.
    """
    state = believed(state, pace, now)
    when = max(now, state.free_at, state.not_before)
    if when - now > min(pace.patience, patience):
        return state, Later(when)
    delay = max(pace.delay, min(crawl_delay, pace.longest_delay))
    reserved = replace(state, free_at=when + delay) if delay else state  # without a delay nothing is reserved
    return reserved, Go() if when <= now else Wait(when)


def believed(state: HostState, pace: Pace, now: float) -> HostState:
    """Reset times in a host's state that no rate limit can have caused: they were written when a clock was ahead.

    Neither a reserved time nor a pause can be further away than its limit (HOSTILE 32).
    """
    if state.free_at > now + pace.patience + max(pace.delay, pace.longest_delay) + SKEW:
        state = replace(state, free_at=0.0)
    if state.not_before > now + max(pace.longest_wish, pace.longest_pause) + SKEW:
        state = replace(state, not_before=0.0)
    return state


def after(state: HostState, outcome: Outcome, pace: Pace, now: float, chance: float) -> HostState:
    """Return the state of a host after a response or an error. Failures make it pause, longer each time.

    Args:
        state: the host's state before the request.
        outcome: the response or the error.
        pace: the politeness settings.
        now: the current time in seconds since 1970.
        chance: a random number from 0 to 1 that shortens the pause by up to half, so that clients do not return
            together.
    """
    state = believed(state, pace, now)
    if not is_tired(outcome):
        return replace(state, failures=0)
    pause_wish = None if isinstance(outcome, FetchError) else retry_after(outcome.header("retry-after"), now)
    if pause_wish is None:
        # 2.0 ** 64 seconds is above every limit and prevents an overflow.
        doubled = min(pace.first_pause * 2.0 ** min(state.failures, 64), pace.longest_pause)
        pause_wish = doubled * (1 + chance) / 2
    pause = min(pause_wish, pace.longest_wish)
    return replace(state, not_before=max(state.not_before, now + pause), failures=state.failures + 1)


def is_tired(outcome: Outcome) -> bool:
    """Return whether requests to the host should pause after a response or an error, as after 429 and 503."""
    if isinstance(outcome, FetchError):
        return isinstance(outcome, _DOWN)
    return outcome.status in TIRED


def advice(outcome: Outcome, state: HostState, now: float) -> Intent:
    """Return what to do about a source after polling it: 410 ends it; 429 and others only postpone it."""
    if not isinstance(outcome, FetchError) and outcome.is_gone:
        return Gone()
    return Later(state.not_before) if is_tired(outcome) and state.not_before > now else Go()


class HostStates(Protocol):
    """A storage of host states. If several processes share it, `change` must be atomic between them."""

    async def change(self, host: str, step: Callable[[HostState], tuple[HostState, T]]) -> T:
        """Call `step` with the state of a host, store the state that it returns, and return its other result."""
        ...


class HostStatesInMemory:
    """Host states of this process. The least recently used hosts are dropped."""

    def __init__(self, most: int = 10_000) -> None:
        self._most = most
        self._known: dict[str, HostState] = {}

    async def change(self, host: str, step: Callable[[HostState], tuple[HostState, T]]) -> T:
        """Call `step` with the state of a host, store the state that it returns, and return its other result. Atomic,
        because nothing is awaited.
        """
        state, result = step(self._known.pop(host, HostState()))
        self._known[host] = state  # most recently used
        if len(self._known) > self._most:
            del self._known[next(iter(self._known))]
        return result
