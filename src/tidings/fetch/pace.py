"""When a host may be asked again: facts in, intent out, and nothing else (no clock, no network, no chance).

What is remembered of a host is a handful of numbers, `HostState`. `turn` decides on them whether a request may go,
has to wait, or is not worth waiting for; `after` says what is remembered once its outcome is known. Both are pure, so
several processes can share the numbers: whoever keeps them needs one operation, an atomic change (`HostStates`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import inf
from typing import Final, Protocol, TypeAlias, TypeVar

from tidings.errors import ConnectionFailed, DeadlineExceeded, FetchError, Incomplete, UnknownHost
from tidings.fetch.exchange import Outcome
from tidings.fetch.retry_after import retry_after

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
    """Whether a request may go, and if so, the host's next turn moved on behind it, by as many seconds as we would
    leave it alone or as its robots.txt has `asked` for. One that has less `patience` than usual does not wait as long.
    """
    standing = believed(standing, pace, now)
    when = max(now, standing.free_at, standing.not_before)
    if when - now > min(pace.patience, patience):
        return standing, Later(when)
    apart = max(pace.delay, min(asked, pace.longest_delay))
    taken = replace(standing, free_at=when + apart) if apart else standing  # then any time is as good
    return taken, Go() if when <= now else Wait(when)


def believed(standing: HostState, pace: Pace, now: float) -> HostState:
    """A standing without times that no politeness can have asked for: they were written when a clock was ahead.

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
    """Whether an outcome says that the host should be left alone for a while."""
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
