"""One deadline for everything that a request takes: robots.txt, turns, retries, redirects, the body, the browser.

It is made where a request comes in and carried down with it, so that no layer begins to count anew (HOSTILE 36).

Time as fetching knows it: asked for and waited for through one object, so that tests wait for nothing.

Retry-After (RFC 9110, 10.2.3): how long a server asks to be left alone, in seconds or as a date.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from math import inf
from typing import Protocol, Self


@dataclass(slots=True)
class Deadline:
    """When a request has to be done.

    Args:
        seconds: how long it may take, for messages.
        ends: by the clock of the event loop, which nobody sets.
        counts_turns: whether waiting for the turn of a host, or for a free connection, counts too. It does where the
            caller has named a limit for a request; the usual limit is for the work alone, as those who fetch many pages
            of one host mean to wait (`Pace.patience` says how long).
    """

    seconds: float
    ends: float
    counts_turns: bool

    @classmethod
    def after(cls, seconds: float | None, usual: float = inf) -> Self:
        """Return a deadline from now: what the caller says, else what is usual."""
        whole = usual if seconds is None else max(seconds, 0.0)
        return cls(whole, asyncio.get_running_loop().time() + whole, seconds is not None)

    @property
    def left(self) -> float:
        """Seconds that are left, none at the end."""
        return max(self.ends - asyncio.get_running_loop().time(), 0.0)

    def limit(self) -> AbstractAsyncContextManager[object]:
        """What is done in here ends with it, by a `TimeoutError`."""
        return asyncio.timeout_at(self.ends if self.ends < inf else None)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Waiting for a turn is done in here: it ends with the deadline, or moves it where turns do not count."""
        if self.counts_turns:
            async with self.limit():
                yield
            return
        begin = asyncio.get_running_loop().time()
        yield
        self.ends += asyncio.get_running_loop().time() - begin

    def __str__(self) -> str:
        return f"{self.seconds:.3g} seconds"


class Clock(Protocol):
    """Seconds since 1970, and sleep."""

    def now(self) -> float:
        """Return the time; the same for all processes, as politeness is shared between them."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now(self) -> float:
        """Return the time."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


SYSTEM = SystemClock()


def retry_after(value: str | None, now: float) -> float | None:
    """Return seconds from now; None if the header is missing or says nothing. A time in the past is no wait."""
    if value is None:
        return None
    text = value.strip()
    if text.isascii() and text.isdigit():
        return float(text[:12])
    try:
        when = parsedate_to_datetime(text[:64])
    except (ValueError, IndexError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)  # HTTP dates are always in GMT
    try:
        return max(when.timestamp() - now, 0.0)
    except (OverflowError, ValueError):
        return None
