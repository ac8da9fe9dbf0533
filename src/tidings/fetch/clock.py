"""Time as fetching knows it: asked for and waited for through one object, so that tests wait for nothing."""

from __future__ import annotations

import asyncio
import time
from typing import Protocol


class Clock(Protocol):
    """Seconds since 1970, and sleep."""

    def now(self) -> float:
        """The time; the same for all processes, as politeness is shared between them."""
        ...

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        ...


class SystemClock:
    """The clock of this machine."""

    def now(self) -> float:
        """The time."""
        return time.time()

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        await asyncio.sleep(seconds)


SYSTEM = SystemClock()
