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
from hashlib import blake2b
from typing import Final, Protocol, TypeAlias, TypeVar

from tidings.news.store import Store
from tidings.news.store.verbs.counters import CounterRows

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
