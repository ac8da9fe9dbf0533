"""A clock that can be replaced in tests, so that they need not wait."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """The interface of clocks: the current time, and sleep."""

    def now(self) -> float:
        """Return seconds since 1970. All processes share this clock, because politeness is shared between them."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        ...


class SystemClock:
    """The system's clock."""

    def now(self) -> float:
        """Return seconds since 1970."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        await asyncio.sleep(seconds)


SYSTEM = SystemClock()
