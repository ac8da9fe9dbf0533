"""How often one visitor may ask for something that costs: a bucket of turns that fills again with time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from typing import Final

from tidings.errors import StoreError
from tidings.news.web.counters import CounterEntry, Counters, CounterTable, MemoryCounters

#: Where turns lie in the store, a process takes this part of a minute's turns at once, and spends them by itself:
#: questions that are quick must not wait for the store each time. A few may be lost so, and come back with time.
_PART: Final = 20
#: Seconds after which turns that a process has taken and not spent are lost.
_SPENT: Final = 60.0


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn that was asked for."""

    wait: int  # 0: it is taken; else the whole seconds until there is one
    left: int  # whole turns


@dataclass(slots=True)
class Turns:
    """Turns left, by visitor and purpose. Safe for many threads, and processes that share counters."""

    clock: Callable[[], float] = time.time
    counters: Counters = field(default_factory=MemoryCounters)
    _own: MemoryCounters = field(default_factory=MemoryCounters)  # taken by this process, and what was left then

    def take(self, purpose: str, visitor: str, per_minute: int) -> Turn:
        """Take a turn."""
        key, now = f"{purpose}\0{visitor}", self.clock()
        spent = self._own.change(partial(_spent, key=key, now=now))
        if spent is not None:
            return Turn(0, spent)
        share = 1 if isinstance(self.counters, MemoryCounters) else max(1, per_minute // _PART)
        work = partial(_taken, key=key, now=now, per_minute=per_minute, share=share)
        try:
            taken, left = self.counters.change(work)
        except StoreError:  # it is counted here, until the store can be written again
            taken, left = self._own.change(lambda table: work(table, key=f"{key}\0alone", share=1))
        if taken > 1:
            self._own.change(partial(_pocketed, key=key, entry=(taken - 1, now), left=left))
        wait = 0 if taken else max(1, ceil(round((1 - left) * 60 / per_minute, 3)))
        return Turn(wait, int(left) + max(0, taken - 1))


def _spent(table: CounterTable, key: str, now: float) -> int | None:
    """Spend one that was taken before; how many there are then."""
    number, at = table.get(key) or (0.0, now)
    if number < 1 or now - at > _SPENT:
        return None
    table.put(key, (number - 1, at))
    left, _ = table.get(f"{key}\0left") or (0.0, at)
    return int(number - 1 + left)


def _pocketed(table: CounterTable, key: str, entry: CounterEntry, left: float) -> None:
    """Keep turns that were taken, and what was left for all then."""
    table.put(key, entry)
    table.put(f"{key}\0left", (left, entry[1]))


def _taken(table: CounterTable, key: str, now: float, per_minute: int, share: int) -> tuple[int, float]:
    """Take some turns at once, if there are so many; how many were taken, and what is left."""
    left, at = table.get(key) or (float(per_minute), now)
    left = min(float(per_minute), left + max(0.0, now - at) * per_minute / 60)
    taken = min(share, int(left))
    table.put(key, (left - taken, now))
    return taken, left - taken
