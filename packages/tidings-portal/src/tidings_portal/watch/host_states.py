"""Rate limit states of hosts, shared through the store: several watchers together are as polite as one.

The state of a host (`fetch.pace.HostState`) is written over the version that was read, with a retry if another process
was faster. Changes of this process are collected and written together.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from dataclasses import astuple
from datetime import UTC, datetime
from random import random
from typing import Any, Final, TypeAlias, TypeVar

from tidings.errors import StoreConflict, StoreError
from tidings.fetch import HostState
from tidings.fetch.politeness.pace import HostStatesInMemory
from tidings_portal.store import Store

T = TypeVar("T")
Step: TypeAlias = Callable[[HostState], tuple[HostState, Any]]

SPACE: Final = "host"
_TRIES: Final = 200


class StoredHostStates:
    """Rate limit states of hosts in a store (`fetch.pace.HostStates`). If the store fails, they are in the memory of
    the process.
    """

    def __init__(self, store: Store) -> None:
        self._store = store
        self._own = HostStatesInMemory()
        self._waiting: dict[str, list[tuple[Step, asyncio.Future[Any]]]] = {}
        self._working: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def change(self, host: str, step: Callable[[HostState], tuple[HostState, T]]) -> T:
        """Replace the state of a host by the result of `step`, atomically between processes."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # no task waits for the changes of another loop
            self._loop, self._waiting, self._working = loop, {}, None
        answer: asyncio.Future[T] = loop.create_future()
        self._waiting.setdefault(host, []).append((step, answer))
        if self._working is None or self._working.done():
            self._working = loop.create_task(self._work())
        return await answer

    async def _work(self) -> None:
        """Write queued changes until the queue is empty."""
        while self._waiting:
            batch, self._waiting = self._waiting, {}
            try:
                results = await asyncio.to_thread(
                    self._changed, {host: [step for step, _ in all_] for host, all_ in batch.items()}
                )
            except Exception as error:  # a bug: pass it to the waiting tasks
                for _, answer in (item for all_ in batch.values() for item in all_):
                    if not answer.done():
                        answer.set_exception(error)
                continue
            for host, all_ in batch.items():
                answers = results[host]
                for place, (step, answer) in enumerate(all_):
                    result = await self._own.change(host, step) if answers is None else answers[place]
                    if not answer.done():
                        answer.set_result(result)

    def _changed(self, hosts: dict[str, list[Step]]) -> dict[str, list[Any] | None]:
        """Apply queued changes (steps) to the state of each host; return their results, or None if the store fails."""
        results: dict[str, list[Any] | None] = {}
        for host, steps in hosts.items():
            results[host] = None
            for attempt in range(_TRIES):
                try:
                    results[host] = self._change_host(host, steps)
                except StoreConflict:
                    time.sleep(random() * 0.001 * min(attempt, 20))  # noqa: S311  # no secret
                    continue
                except StoreError:
                    pass
                break
        return results

    def _change_host(self, host: str, steps: list[Step]) -> list[Any]:
        stored = self._store.load_state(host, SPACE)
        before = standing = HostState() if stored is None else _read(stored.value)
        results = []
        for step in steps:
            standing, result = step(standing)
            results.append(result)
        if standing != before:
            version = 0 if stored is None else stored.version
            value = json.dumps(astuple(standing)).encode()
            self._store.save_state(host, value, datetime.now(UTC), version=version, space=SPACE)
        return results


def _read(value: bytes) -> HostState:
    try:
        free_at, not_before, failures = json.loads(value)
        return HostState(float(free_at), float(not_before), int(failures))
    except (ValueError, TypeError):
        return HostState()
