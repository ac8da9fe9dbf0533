"""What those who poll and those who fetch pages share: the store, the web, the pool, the clock, somebody to tell."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Final, TypeVar

from tidings.errors import StoreBusy, StoreError, StoreFull, StoreUnreachable
from tidings.fetch import Fetcher
from tidings.fetch.deadline import Clock
from tidings.news.recipes.catalogue import RecipeCatalogue
from tidings.news.store import Store
from tidings.news.watch.events import Event, StoreTrouble, Tell, WatchCounts
from tidings.news.watch.plan import Plan
from tidings.news.watch.worker import Job, Result
from tidings.processes import WorkerPool

T = TypeVar("T")

#: What passes: there is room on the disk again, others let go of the store, its server has been started anew.
_PASSING: Final = (StoreFull, StoreBusy, StoreUnreachable)
#: Seconds to wait for that, doubled up to a minute.
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0


@dataclass
class WatchContext:
    """What a watch works with."""

    store: Store
    worker: str
    fetcher: Fetcher
    pool: WorkerPool[Job, Result]
    plan: Plan
    clock: Clock
    told: Tell
    recipes: RecipeCatalogue
    browser: Fetcher | None = None
    tally: WatchCounts = field(default_factory=WatchCounts)
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    trouble: str = ""
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "tidings: store"))

    def now(self) -> datetime:
        """The time."""
        return datetime.fromtimestamp(self.clock.now(), UTC)

    def tell(self, event: Event) -> None:
        """Tell and count what happened."""
        self.tally.count(event)
        self.told(event)

    def wake(self) -> None:
        """There may be something to do."""
        self.woken.set()

    async def ask(self, verb: Callable[..., T], *values: object) -> T:
        """Ask the store, away from the event loop; where it cannot now, wait until it can.

        Raises:
            StoreError: the store cannot do it.
        """
        loop = asyncio.get_running_loop()
        wait = _FIRST_WAIT
        while True:
            try:
                found = await loop.run_in_executor(self._thread, partial(verb, *values))
            except _PASSING as error:
                wait = await self._wait(error, wait)
                continue
            self._well(wait)
            return found

    async def attempt(self, verb: Callable[..., object], *values: object) -> None:
        """Ask the store once, in turn with all else that it is asked; where it cannot, nothing is lost."""
        with suppress(StoreError):
            await asyncio.get_running_loop().run_in_executor(self._thread, partial(verb, *values))

    async def do(self, job: Job, lane: int | None = None) -> Result:
        """Have a job done, by one of the workers or by any; where the store cannot take its result, wait until it can.

        Raises:
            StoreError: the store cannot.
            JobFailed: it could not be done.
        """
        wait = _FIRST_WAIT
        while True:
            result = await self.pool.do(job, lane)
            if not isinstance(result, StoreError):
                self._well(wait)
                return result
            if not isinstance(result, _PASSING):
                raise result
            wait = await self._wait(result, wait)

    async def _wait(self, error: StoreError, seconds: float) -> float:
        """Wait, or until told to stop; how long to wait the next time. Who wants one round only is told at once."""
        if self.plan.once or self.stopping.is_set():
            raise error
        if not self.trouble:
            self.trouble = str(error)
            self.told(StoreTrouble(self.trouble))
        ends = {asyncio.ensure_future(self.clock.sleep(seconds)), asyncio.ensure_future(self.stopping.wait())}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()
        return min(2 * seconds, _LONGEST_WAIT)

    def _well(self, wait: float) -> None:
        """All is well again, if it was not: what had to wait has been done."""
        if self.trouble and wait > _FIRST_WAIT:
            self.trouble = ""
            self.told(StoreTrouble(""))

    def close(self) -> None:
        """Let go of the thread."""
        self._thread.shutdown()
