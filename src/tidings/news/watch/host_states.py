"""How hosts stand, shared through the store: several watchers together are as polite as one.

A host's three numbers (`fetch.pace.HostState`) are changed over the version that was read, and again where another
process was quicker. What this process has to change meanwhile is gathered and done in one go.
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
from tidings.fetch.pace import HostStatesInMemory
from tidings.news.store import Store

T = TypeVar("T")
Step: TypeAlias = Callable[[HostState], tuple[HostState, Any]]

SPACE: Final = "host"
_TRIES: Final = 200


class StoredHostStates:
    """HostStates (`fetch.pace.HostStates`) in a store. Where the store fails, this process goes by its own memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._own = HostStatesInMemory()
        self._waiting: dict[str, list[tuple[Step, asyncio.Future[Any]]]] = {}
        self._working: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    async def change(self, host: str, step: Callable[[HostState], tuple[HostState, T]]) -> T:
        """Replace a host's standing by what `step` makes of it, atomically between processes."""
        loop = asyncio.get_running_loop()
        if loop is not self._loop:  # what another one left behind has nobody who waits for it
            self._loop, self._waiting, self._working = loop, {}, None
        answer: asyncio.Future[T] = loop.create_future()
        self._waiting.setdefault(host, []).append((step, answer))
        if self._working is None or self._working.done():
            self._working = loop.create_task(self._work())
        return await answer

    async def _work(self) -> None:
        """Change what is to be changed, until there is nothing left."""
        while self._waiting:
            taken, self._waiting = self._waiting, {}
            try:
                said = await asyncio.to_thread(
                    self._changed, {host: [step for step, _ in all_] for host, all_ in taken.items()}
                )
            except Exception as error:  # a mistake of ours: whoever waits is told
                for _, answer in (one for all_ in taken.values() for one in all_):
                    if not answer.done():
                        answer.set_exception(error)
                continue
            for host, all_ in taken.items():
                answers = said[host]
                for place, (step, answer) in enumerate(all_):
                    told = await self._own.change(host, step) if answers is None else answers[place]
                    if not answer.done():
                        answer.set_result(told)

    def _changed(self, hosts: dict[str, list[Step]]) -> dict[str, list[Any] | None]:
        """What the steps of each host say; None where the store fails."""
        found: dict[str, list[Any] | None] = {}
        for host, steps in hosts.items():
            found[host] = None
            for attempt in range(_TRIES):
                try:
                    found[host] = self._one(host, steps)
                except StoreConflict:
                    time.sleep(random() * 0.001 * min(attempt, 20))  # noqa: S311  # no secret
                    continue
                except StoreError:
                    pass
                break
        return found

    def _one(self, host: str, steps: list[Step]) -> list[Any]:
        kept = self._store.load_state(host, SPACE)
        before = standing = HostState() if kept is None else _read(kept.value)
        said = []
        for step in steps:
            standing, told = step(standing)
            said.append(told)
        if standing != before:
            version = 0 if kept is None else kept.version
            value = json.dumps(astuple(standing)).encode()
            self._store.save_state(host, value, datetime.now(UTC), version=version, space=SPACE)
        return said


def _read(value: bytes) -> HostState:
    try:
        free_at, not_before, failures = json.loads(value)
        return HostState(float(free_at), float(not_before), int(failures))
    except (ValueError, TypeError):
        return HostState()
