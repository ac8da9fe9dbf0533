"""Counters for rate limits (token buckets), failed sign-ins and article reads, limited in number and age.

A single process counts in memory. Several processes (`tidings serve --workers`) count in the store, under keyed digests
that do not reveal IP addresses or user names.
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
from tidings_portal.store import Store
from tidings_portal.store.verbs.retention import CounterRows

T = TypeVar("T")
#: A number and the time it was written. The oldest entries are removed first.
CounterEntry: TypeAlias = tuple[float, float]
#: Lifetime of entries in seconds: a reading counts once per day.
_FORGOTTEN: Final = 86_400.0


class CounterTable(Protocol):
    """Access to counters within a transaction."""

    def get(self, key: str, /) -> CounterEntry | None:
        """Return the entry of a key."""
        ...

    def put(self, key: str, entry: CounterEntry, /) -> None:
        """Write an entry."""
        ...

    def drop(self, key: str, /) -> None:
        """Remove an entry."""
        ...


class Counters(Protocol):
    """Counters with atomic changes, across threads and processes."""

    def change(self, work: Callable[[CounterTable], T]) -> T:
        """Run a function in a transaction and return its result. It may run more than once.

        Raises:
            StoreError: the store cannot be written.
        """
        ...

    def tidy(self) -> None:
        """Remove expired counters."""
        ...


@dataclass(slots=True)
class MemoryCounters:
    """Counters in memory, for a single process."""

    most: int = 20_000
    _entries: OrderedDict[str, CounterEntry] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def change(self, work: Callable[[CounterTable], T]) -> T:
        """Run a function under the lock and return its result."""
        with self._lock:
            return work(self)

    def get(self, key: str, /) -> CounterEntry | None:
        """Return the entry of a key."""
        return self._entries.get(key)

    def put(self, key: str, entry: CounterEntry, /) -> None:
        """Write an entry, and remove the oldest entry if there are too many."""
        self._entries[key] = entry
        self._entries.move_to_end(key)
        if len(self._entries) > self.most:
            self._entries.popitem(last=False)

    def drop(self, key: str, /) -> None:
        """Remove an entry."""
        self._entries.pop(key, None)

    def tidy(self) -> None:
        """Do nothing: `put` limits the number of entries."""

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
        """Run a function in a transaction of the store and return its result."""
        return self.store.change_counters(self.space, lambda rows: work(_Digested(rows, self.secret)))

    def tidy(self) -> None:
        """Remove expired entries, and the oldest ones if there are too many."""
        self.store.forget_counters(self.space, time.time() - _FORGOTTEN, self.most)


@dataclass(frozen=True, slots=True)
class _Digested:
    """A counter table that replaces keys by their digests."""

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


#: With counters in the store, a process takes 1/20 of a minute's tokens at once and spends them locally, so that fast
#: requests need not wait for the store. Unspent tokens are lost and refill with time.
_PART: Final = 20
#: Seconds after which a process discards its unspent tokens.
_SPENT: Final = 60.0


@dataclass(frozen=True, slots=True)
class RateLimit:
    """The result of a rate limit check."""

    wait: int  # seconds until a request is allowed; 0: it is allowed now
    left: int  # remaining requests


@dataclass(slots=True)
class RateLimits:
    """Thread-safe token buckets by client and purpose. Processes can share them through `counters`."""

    clock: Callable[[], float] = time.time
    counters: Counters = field(default_factory=MemoryCounters)
    _own: MemoryCounters = field(default_factory=MemoryCounters)  # tokens taken in advance by this process

    def take(self, purpose: str, visitor: str, per_minute: int) -> RateLimit:
        """Count a request against a rate limit; return how long to wait, and how many requests are still allowed.

        Args:
            purpose: the kind of request, which has its own limit.
            visitor: the client, by IP address, user or token.
            per_minute: the maximum number per minute.
        """
        key, now = f"{purpose}\0{visitor}", self.clock()
        spent = self._own.change(partial(_spend_saved, key=key, now=now))
        if spent is not None:
            return RateLimit(0, spent)
        share = 1 if isinstance(self.counters, MemoryCounters) else max(1, per_minute // _PART)
        work = partial(_take_tokens, key=key, now=now, per_minute=per_minute, share=share)
        try:
            count, remaining = self.counters.change(work)
        except StoreError:  # count locally until the store can be written again
            count, remaining = self._own.change(lambda table: work(table, key=f"{key}\0alone", share=1))
        if count > 1:
            self._own.change(partial(_save_batch, key=key, entry=(count - 1, now), remaining=remaining))
        wait = 0 if count else max(1, ceil(round((1 - remaining) * 60 / per_minute, 3)))
        return RateLimit(wait, int(remaining) + max(0, count - 1))


def _spend_saved(table: CounterTable, key: str, now: float) -> int | None:
    """Spend a token that was taken in advance. Return the remaining ones, or None if there was none."""
    number, at = table.get(key) or (0.0, now)
    if number < 1 or now - at > _SPENT:
        return None
    table.put(key, (number - 1, at))
    remaining, _ = table.get(f"{key}\0left") or (0.0, at)
    return int(number - 1 + remaining)


def _save_batch(table: CounterTable, key: str, entry: CounterEntry, remaining: float) -> None:
    """Store tokens taken in advance, and the number of tokens that remained in the shared bucket."""
    table.put(key, entry)
    table.put(f"{key}\0left", (remaining, entry[1]))


def _take_tokens(table: CounterTable, key: str, now: float, per_minute: int, share: int) -> tuple[int, float]:
    """Take up to `share` tokens from a token bucket. Return the number taken and the number remaining."""
    remaining, at = table.get(key) or (float(per_minute), now)
    remaining = min(float(per_minute), remaining + max(0.0, now - at) * per_minute / 60)
    count = min(share, int(remaining))
    table.put(key, (remaining - count, now))
    return count, remaining - count
