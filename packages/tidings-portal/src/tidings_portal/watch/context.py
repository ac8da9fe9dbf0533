"""The context that pollers and page fetchers share: store, fetcher, worker pool, clock and event listener."""

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
from tidings.fetch.clock import Clock
from tidings.processes import WorkerPool
from tidings_portal.recipes.catalogue import RecipeCatalogue
from tidings_portal.store import Store
from tidings_portal.watch.events import Event, StoreTrouble, Tell, WatchCounts
from tidings_portal.watch.plan import Plan
from tidings_portal.watch.worker import Job, Result

T = TypeVar("T")

#: Temporary errors: a full disk, a locked store, a stopped server.
_PASSING: Final = (StoreFull, StoreBusy, StoreUnreachable)
#: The first delay in seconds, doubled up to a minute.
_FIRST_WAIT, _LONGEST_WAIT = 1.0, 60.0


@dataclass
class WatchContext:
    """The context of a running watch: its store, fetcher, worker pool, settings, clock and event listener."""

    store: Store
    worker: str
    fetcher: Fetcher
    pool: WorkerPool[Job, Result]
    plan: Plan
    clock: Clock
    listener: Tell
    recipes: RecipeCatalogue
    browser: Fetcher | None = None
    tally: WatchCounts = field(default_factory=WatchCounts)
    stopping: asyncio.Event = field(default_factory=asyncio.Event)
    woken: asyncio.Event = field(default_factory=asyncio.Event)
    trouble: str = ""
    _thread: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1, "tidings: store"))

    def now(self) -> datetime:
        """Return the current time."""
        return datetime.fromtimestamp(self.clock.now(), UTC)

    def tell(self, event: Event) -> None:
        """Report and count an event."""
        self.tally.count(event)
        self.listener(event)

    def wake(self) -> None:
        """Wake the watcher from its sleep, because there may be work."""
        self.woken.set()

    async def ask(self, verb: Callable[..., T], *values: object) -> T:
        """Call a store method in a thread, and retry while the store is temporarily unavailable.

        Raises:
            StoreError: the store failed permanently.
        """
        loop = asyncio.get_running_loop()
        wait = _FIRST_WAIT
        while True:
            try:
                result = await loop.run_in_executor(self._thread, partial(verb, *values))
            except _PASSING as error:
                wait = await self._wait(error, wait)
                continue
            self._well(wait)
            return result

    async def attempt(self, verb: Callable[..., object], *values: object) -> None:
        """Call a store method once, in order with the other calls. A failure is ignored."""
        with suppress(StoreError):
            await asyncio.get_running_loop().run_in_executor(self._thread, partial(verb, *values))

    async def do(self, job: Job, lane: int | None = None) -> Result:
        """Run a job in a worker, and retry while the store is temporarily unavailable.

        Raises:
            StoreError: the store failed permanently.
            JobFailed: the worker crashed or took too long.
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
        """Wait after a store error, and return the next delay. A watch of a single round raises the error instead.

        Args:
            error: the error; it is raised too if the watch is being stopped.
            seconds: the time to wait.
        """
        if self.plan.once or self.stopping.is_set():
            raise error
        if not self.trouble:
            self.trouble = str(error)
            self.listener(StoreTrouble(self.trouble))
        ends = {asyncio.ensure_future(self.clock.sleep(seconds)), asyncio.ensure_future(self.stopping.wait())}
        try:
            await asyncio.wait(ends, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for end in ends:
                end.cancel()
        return min(2 * seconds, _LONGEST_WAIT)

    def _well(self, wait: float) -> None:
        """Report that the store works again, after a failure."""
        if self.trouble and wait > _FIRST_WAIT:
            self.trouble = ""
            self.listener(StoreTrouble(""))

    def close(self) -> None:
        """Stop the thread for store calls."""
        self._thread.shutdown()
