"""How hosts stand, shared through the store: several watchers together are as polite as one.

A host's three numbers (`fetch.pace.Standing`) are changed over the version that was read, and again where another
process was quicker.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import astuple
from datetime import UTC, datetime
from random import random
from typing import Final, TypeVar

from tidings.errors import StoreConflict, StoreError
from tidings.fetch import Standing
from tidings.fetch.pace import InMemory
from tidings.store import Store

T = TypeVar("T")

SPACE: Final = "host"
_TRIES: Final = 200


class StoreStandings:
    """Standings (`fetch.pace.Standings`) in a store. Where the store fails, this process goes by its own memory."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._own = InMemory()

    async def change(self, host: str, step: Callable[[Standing], tuple[Standing, T]]) -> T:
        """Replace a host's standing by what `step` makes of it, atomically between processes."""
        for attempt in range(_TRIES):
            try:
                return await asyncio.to_thread(self._changed, host, step)
            except StoreConflict:
                await asyncio.sleep(random() * 0.001 * min(attempt, 20))  # noqa: S311  # no secret
            except StoreError:
                break
        return await self._own.change(host, step)

    def _changed(self, host: str, step: Callable[[Standing], tuple[Standing, T]]) -> T:
        kept = self._store.load_state(host, SPACE)
        before = Standing() if kept is None else _read(kept.value)
        after, said = step(before)
        if after != before:
            version = 0 if kept is None else kept.version
            value = json.dumps(astuple(after)).encode()
            self._store.save_state(host, value, datetime.now(UTC), version=version, space=SPACE)
        return said


def _read(value: bytes) -> Standing:
    try:
        free_at, not_before, failures = json.loads(value)
        return Standing(float(free_at), float(not_before), int(failures))
    except (ValueError, TypeError):
        return Standing()
