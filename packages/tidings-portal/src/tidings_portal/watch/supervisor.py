"""Supervision of background tasks: a task that raises is logged, counted and restarted with exponential backoff.

Failures are counted in the store, so that `/metrics` and `/readyz` of every serving process and `tidings status` report
those of the process that watches.
"""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from tidings.errors import printable
from tidings_portal.store import Store

LOG: Final = logging.getLogger("tidings")
SPACE: Final = "background task"
#: Seconds before a restart, doubled with each failure in a row.
FIRST_DELAY: Final = 1.0
LONGEST_DELAY: Final = 300.0
#: After a task has run for this many seconds, a restart uses the first delay.
_STABLE: Final = 600.0
#: How long after a failure the service counts as degraded.
_DEGRADED: Final = timedelta(minutes=10)


@dataclass(frozen=True, slots=True)
class TaskFailures:
    """How often a background task has failed, and the last failure."""

    task: str
    count: int
    last: datetime
    reason: str

    def is_recent(self, now: datetime) -> bool:
        """Return whether the last failure is so recent that the service counts as degraded."""
        return now - self.last < _DEGRADED


@dataclass(frozen=True, slots=True)
class Supervisor:
    """Runs background tasks until `stop` is set.

    Args:
        store: counts the failures.
        stop: ends the tasks and their restarts.
        first_delay: seconds before the first restart.
        fatal: exceptions that end a task and are raised.
    """

    store: Store
    stop: asyncio.Event
    first_delay: float = FIRST_DELAY
    fatal: tuple[type[Exception], ...] = ()

    async def run(self, name: str, work: Callable[[], Awaitable[object]]) -> None:
        """Await `work()` until it returns; restart it after an exception. Cancellation is not caught.

        Args:
            name: the name of the task, for the log and its failure counter.
            work: starts the task.
        """
        loop = asyncio.get_running_loop()
        delay = self.first_delay
        while True:
            started = loop.time()
            try:
                await work()
                return
            except self.fatal:
                raise
            except Exception as error:
                if loop.time() - started > _STABLE:
                    delay = self.first_delay
                LOG.exception("the background task %r failed; it restarts in %.0f s", name, delay)
                await asyncio.to_thread(self._count, name, error)
            with suppress(TimeoutError):
                await asyncio.wait_for(self.stop.wait(), delay)
            if self.stop.is_set():
                return
            delay = min(2 * delay, LONGEST_DELAY)

    def _count(self, name: str, error: Exception) -> None:
        try:
            stored = self.store.load_state(name, SPACE)
            count = 1 + (0 if stored is None else _read(name, stored.value, stored.changed).count)
            value = json.dumps([count, printable(f"{type(error).__name__}: {error}")]).encode()
            self.store.save_state(name, value, datetime.now(UTC), version=None, space=SPACE)
        except Exception:
            LOG.exception("the failure of the background task %r could not be counted", name)


def task_failures(store: Store) -> list[TaskFailures]:
    """Return the failures of the background tasks of a store, by name."""
    stored = ((name, store.load_state(name, SPACE)) for name in store.states(SPACE))
    return [_read(name, state.value, state.changed) for name, state in stored if state is not None]


def _read(name: str, value: bytes, at: datetime) -> TaskFailures:
    count, reason = json.loads(value)
    return TaskFailures(name, int(count), at, str(reason))
