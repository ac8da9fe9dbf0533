"""What is counted of visitors for a while, and of so many only: turns taken, attempts that failed, readings.

One process counts in its memory. Several that serve one portal (`tidings serve --workers`) count in the store, under
digests: who visits stands nowhere.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from hashlib import blake2b
from math import ceil
from typing import Final, Protocol, TypeAlias, TypeVar

from tidings.errors import StoreError
from tidings.news.store import Store
from tidings.news.store.verbs.retention import CounterRows

T = TypeVar("T")
#: A number, and when it was written: those of longest ago are forgotten first.
CounterEntry: TypeAlias = tuple[float, float]
#: Seconds that the longest-lived are asked for: a reading counts once in a day.
_FORGOTTEN: Final = 86_400.0


class CounterTable(Protocol):
    """Counters by key, while they are looked at and changed."""

    def get(self, key: str, /) -> CounterEntry | None:
        """The entry of a key."""
        ...

    def put(self, key: str, entry: CounterEntry, /) -> None:
        """Write an entry."""
        ...

    def drop(self, key: str, /) -> None:
        """Forget an entry."""
        ...


class Counters(Protocol):
    """Counters that nobody else looks at or changes while somebody does: no other thread, no other process."""

    def change(self, work: Callable[[CounterTable], T]) -> T:
        """Look at some and change them; the work may be done more than once.

        Raises:
            StoreError: they lie in the store, and it cannot be written.
        """
        ...

    def tidy(self) -> None:
        """Forget what nobody asks for any more."""
        ...


@dataclass(slots=True)
class MemoryCounters:
    """Counters in the memory of this process."""

    most: int = 20_000
    _entries: OrderedDict[str, CounterEntry] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def change(self, work: Callable[[CounterTable], T]) -> T:
        """Look at some and change them."""
        with self._lock:
            return work(self)

    def get(self, key: str, /) -> CounterEntry | None:
        """The entry of a key."""
        return self._entries.get(key)

    def put(self, key: str, entry: CounterEntry, /) -> None:
        """Write an entry; the one that was written longest ago may have to go."""
        self._entries[key] = entry
        self._entries.move_to_end(key)
        if len(self._entries) > self.most:
            self._entries.popitem(last=False)

    def drop(self, key: str, /) -> None:
        """Forget an entry."""
        self._entries.pop(key, None)

    def tidy(self) -> None:
        """They never become too many."""

    def __len__(self) -> int:
        return len(self._entries)


@dataclass(frozen=True, slots=True)
class StoreCounters:
    """Counters in the store, for all processes and machines that serve it."""

    store: Store
    space: str
    most: int
    secret: bytes = field(repr=False)

    def change(self, work: Callable[[CounterTable], T]) -> T:
        """Look at some and change them, in one transaction."""
        return self.store.change_counters(self.space, lambda rows: work(_Digested(rows, self.secret)))

    def tidy(self) -> None:
        """Forget those of yesterday, and the oldest where there are too many."""
        self.store.forget_counters(self.space, time.time() - _FORGOTTEN, self.most)


@dataclass(frozen=True, slots=True)
class _Digested:
    """Counters of the store by digests of their keys."""

    rows: CounterRows
    secret: bytes

    def get(self, key: str, /) -> CounterEntry | None:
        return self.rows.get(self._name(key))

    def put(self, key: str, entry: CounterEntry, /) -> None:
        self.rows.put(self._name(key), entry)

    def drop(self, key: str, /) -> None:
        self.rows.drop(self._name(key))

    def _name(self, key: str) -> str:
        return blake2b(key.encode("utf-8", "surrogatepass"), key=self.secret, digest_size=16).hexdigest()


#: Where turns lie in the store, a process takes this part of a minute's turns at once, and spends them by itself:
#: questions that are quick must not wait for the store each time. A few may be lost so, and come back with time.
_PART: Final = 20
#: Seconds after which turns that a process has taken and not spent are lost.
_SPENT: Final = 60.0


@dataclass(frozen=True, slots=True)
class RateLimit:
    """A turn that was asked for."""

    wait: int  # 0: it is taken; else the whole seconds until there is one
    left: int  # whole turns


@dataclass(slots=True)
class RateLimits:
    """Turns left, by visitor and purpose. Safe for many threads, and processes that share counters."""

    clock: Callable[[], float] = time.time
    counters: Counters = field(default_factory=MemoryCounters)
    _own: MemoryCounters = field(default_factory=MemoryCounters)  # taken by this process, and what was left then

    def take(self, purpose: str, visitor: str, per_minute: int) -> RateLimit:
        """Take a turn."""
        key, now = f"{purpose}\0{visitor}", self.clock()
        spent = self._own.change(partial(_spent, key=key, now=now))
        if spent is not None:
            return RateLimit(0, spent)
        share = 1 if isinstance(self.counters, MemoryCounters) else max(1, per_minute // _PART)
        work = partial(_taken, key=key, now=now, per_minute=per_minute, share=share)
        try:
            taken, left = self.counters.change(work)
        except StoreError:  # it is counted here, until the store can be written again
            taken, left = self._own.change(lambda table: work(table, key=f"{key}\0alone", share=1))
        if taken > 1:
            self._own.change(partial(_pocketed, key=key, entry=(taken - 1, now), left=left))
        wait = 0 if taken else max(1, ceil(round((1 - left) * 60 / per_minute, 3)))
        return RateLimit(wait, int(left) + max(0, taken - 1))


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
