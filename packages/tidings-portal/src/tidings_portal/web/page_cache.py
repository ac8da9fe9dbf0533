"""A cache of rendered pages and other values that are costly to compute.

When an entry expires, the first request recomputes it and the others get the old value meanwhile (as with
stale-while-revalidate, RFC 5861). If there is no old value, as after a change, the others wait for the first one:
twenty requests that render the same page at once would all take twenty times as long.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Final, Protocol, TypeVar

from tidings.errors import StoreError
from tidings_portal.store import Store

T = TypeVar("T")

_GENERATION_SETTING: Final = "age of what is shown"  # stored: not to be renamed

#: Size of the cache in bytes.
MOST_BYTES: Final = 64_000_000
#: An expired value may be served for this many times its lifetime while it is recomputed.
_STALE: Final = 12
#: Seconds to wait for another thread that computes the same value.
_PATIENCE: Final = 10.0
#: Assumed size of values that are not bytes.
_DEFAULT_SIZE: Final = 1000


class CacheGeneration(Protocol):
    """A counter that invalidates every cached value when it changes."""

    def now(self) -> Hashable:
        """Return the current generation."""
        ...

    def advance(self) -> None:
        """Begin a new generation, which invalidates all cached values."""
        ...


@dataclass(slots=True)
class LocalGeneration:
    """The cache generation of a single process."""

    number: int = 0

    def now(self) -> int:
        """Return the current generation."""
        return self.number

    def advance(self) -> None:
        """Begin a new generation, which invalidates all cached values."""
        self.number += 1


@dataclass(slots=True)
class StoreGeneration:
    """A cache generation that all processes and machines serving one store share."""

    store: Store
    _last: str = ""

    def now(self) -> str:
        """Return the current generation, or the last one read if the store does not answer."""
        with suppress(StoreError):
            self._last = self.store.setting(_GENERATION_SETTING)
        return self._last

    def advance(self) -> None:
        """Begin a new generation, which invalidates all cached values."""
        self.store.set_setting(_GENERATION_SETTING, secrets.token_hex(8))


@dataclass(slots=True)
class _CacheEntry:
    value: Any
    created: float
    is_recomputing: bool = False


@dataclass(slots=True)
class PageCache:
    """A thread-safe cache with a lifetime per lookup and a limit in bytes (least recently used out)."""

    clock: Callable[[], float] = time.monotonic
    most: int = MOST_BYTES
    generation: CacheGeneration = field(default_factory=LocalGeneration)
    _entries: OrderedDict[Hashable, _CacheEntry] = field(default_factory=OrderedDict)
    _size: int = 0
    _cached_generation: Hashable = 0  # of the entries
    _pending: dict[Hashable, threading.Event] = field(default_factory=dict)  # first computations under way
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _own: threading.local = field(default_factory=threading.local)  # `generation` of the page that a thread renders

    def get(self, key: Hashable, make: Callable[[], T], seconds: float) -> T:
        """Return the cached value if it is younger than `seconds`, else call `make` and cache its result."""
        value: T
        generation = self._current_generation()
        with self._lock:
            key = (self._synchronised(generation), key)
            entry = self._entries.get(key)
            if entry is not None:
                self._entries.move_to_end(key)
                age = self.clock() - entry.created
                if age < seconds or (entry.is_recomputing and age < seconds * _STALE):
                    value = entry.value
                    return value
                entry.is_recomputing = True
            pending = self._pending.get(key) if entry is None else None
            if entry is None and pending is None:
                self._pending[key] = threading.Event()
        if pending is not None and pending.wait(_PATIENCE) and (entry := self._entries.get(key)) is not None:
            value = entry.value
            return value
        outer = getattr(self._own, "generation", None)
        self._own.generation = (generation,)
        try:
            value = make()
            self._store(key, value)
        except BaseException:
            with self._lock:
                if (entry := self._entries.get(key)) is not None:
                    entry.is_recomputing = False
            raise
        finally:
            self._own.generation = outer
            if pending is None and (event := self._pending.pop(key, None)) is not None:
                event.set()
        return value

    def peek(self, key: Hashable, seconds: float) -> Any:
        """Return the value cached under a key, or None if it is missing or older than `seconds`."""
        generation = self.generation.now()
        with self._lock:
            entry = self._entries.get((self._synchronised(generation), key))
            return entry.value if entry is not None and self.clock() - entry.created < seconds else None

    def put(self, key: Hashable, value: object) -> None:
        """Cache a value."""
        self._store((self.generation.now(), key), value)

    def forget(self) -> None:
        """Drop every value, so that a change is visible at once."""
        self.generation.advance()  # values that are being computed now are cached under the old generation
        generation = self.generation.now()
        if getattr(self._own, "generation", None) is not None:
            self._own.generation = (generation,)
        with self._lock:
            self._synchronised(generation)

    def _current_generation(self) -> Hashable:
        """Return the cache generation, which is read once per page: parts of a page use that of the page."""
        outer: tuple[Hashable] | None = getattr(self._own, "generation", None)
        return self.generation.now() if outer is None else outer[0]

    def _synchronised(self, generation: Hashable) -> Hashable:
        """Return the current generation, after dropping cached entries of any other."""
        if generation != self._cached_generation:
            self._cached_generation = generation
            self._entries.clear()
            self._size = 0
        return generation

    def _store(self, key: Hashable, value: object) -> None:
        with self._lock:
            old = self._entries.pop(key, None)
            self._size += size_of(value) - (0 if old is None else size_of(old.value))
            self._entries[key] = _CacheEntry(value, self.clock())
            while self._size > self.most and self._entries:
                _, evicted = self._entries.popitem(last=False)
                self._size -= size_of(evicted.value)


def size_of(value: object) -> int:
    """Return the size of a value in bytes; values other than bytes may declare theirs as `weight`."""
    return len(value) if isinstance(value, bytes) else int(getattr(value, "weight", _DEFAULT_SIZE))
