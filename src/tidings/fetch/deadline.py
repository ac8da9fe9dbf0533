"""One deadline for everything that a request takes: robots.txt, turns, retries, redirects, the body, the browser.

It is made where a request comes in and carried down with it, so that no layer begins to count anew (HOSTILE 36).
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass
from math import inf
from typing import Self


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
        """A deadline from now: what the caller says, else what is usual."""
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
