"""One deadline for everything that a request needs: robots.txt, waiting for the host, retries, redirects, the body, the
browser.

It is created where a request comes in and passed down, so that no layer starts its own (HOSTILE 36).
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
    """The time at which a request must be finished.

    Args:
        seconds: its length, for messages.
        ends: its end by the clock of the event loop, which is monotonic.
        counts_turns: whether waiting for a host's turn, or for a free connection, counts too. It does if the caller set
            a limit for the request. The default limit covers only the work, because callers that fetch many pages of
            one host expect to wait (up to `Pace.patience`).
    """

    seconds: float
    ends: float
    counts_turns: bool

    @classmethod
    def after(cls, seconds: float | None, usual: float = inf) -> Self:
        """Create a deadline that ends in `seconds`, or in `usual` seconds if `seconds` is None."""
        whole = usual if seconds is None else max(seconds, 0.0)
        return cls(whole, asyncio.get_running_loop().time() + whole, seconds is not None)

    @property
    def remaining(self) -> float:
        """Return the remaining seconds, at least 0."""
        return max(self.ends - asyncio.get_running_loop().time(), 0.0)

    def limit(self) -> AbstractAsyncContextManager[object]:
        """Return an async context that raises `TimeoutError` at the deadline."""
        return asyncio.timeout_at(self.ends if self.ends < inf else None)

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[None]:
        """Return an async context in which to wait until a host may be requested. Unless waiting counts, the deadline
        is extended by the time waited.
        """
        if self.counts_turns:
            async with self.limit():
                yield
            return
        begin = asyncio.get_running_loop().time()
        yield
        self.ends += asyncio.get_running_loop().time() - begin

    def __str__(self) -> str:
        return f"{self.seconds:.3g} seconds"
