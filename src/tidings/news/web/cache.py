"""What was made a moment ago is given again: a front page costs one reader in a few seconds, not every one.

One of those who come when it has grown old makes it anew; the others get the old one meanwhile, so that nobody waits in
a queue (what RFC 5861 calls stale-while-revalidate, inside the server). Where there is no old one, as after a change,
the others wait for the first: twenty who make the same page at once all wait twenty times as long.
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
from tidings.news.store import Store

T = TypeVar("T")

_AGE: Final = "age of what is shown"  # the name of a setting

#: Bytes kept in all.
MOST_BYTES: Final = 64_000_000
#: So many times longer than it is fresh a thing may be given while somebody makes it anew.
_STALE: Final = 12
#: Seconds that somebody waits for what another one makes, before making it too.
_PATIENCE: Final = 10.0
#: What a thing that is no string of bytes is taken to weigh.
_WEIGHT: Final = 1000


class CacheAge(Protocol):
    """A mark that is another one when everything that is kept has to be made anew."""

    def now(self) -> Hashable:
        """The mark."""
        ...

    def advance(self) -> None:
        """Make it another one."""
        ...


@dataclass(slots=True)
class LocalAge:
    """The age of what one process keeps."""

    number: int = 0

    def now(self) -> int:
        """The mark."""
        return self.number

    def advance(self) -> None:
        """Make it another one."""
        self.number += 1


@dataclass(slots=True)
class StoreAge:
    """The age of what all processes and machines that serve one store keep."""

    store: Store
    _last: str = ""

    def now(self) -> str:
        """The mark; the last one, while the store does not answer."""
        with suppress(StoreError):
            self._last = self.store.setting(_AGE)
        return self._last

    def advance(self) -> None:
        """Make it another one."""
        self.store.set_setting(_AGE, secrets.token_hex(8))


@dataclass(slots=True)
class _CacheEntry:
    thing: Any
    made: float
    being_made: bool = False


@dataclass(slots=True)
class PageCache:
    """Things by key, for some seconds. Safe for many threads."""

    clock: Callable[[], float] = time.monotonic
    most: int = MOST_BYTES
    age: CacheAge = field(default_factory=LocalAge)
    _kept: OrderedDict[Hashable, _CacheEntry] = field(default_factory=OrderedDict)
    _size: int = 0
    _known: Hashable = 0  # the age that what is kept is of
    _coming: dict[Hashable, threading.Event] = field(default_factory=dict)  # what is made for the first time
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Hashable, make: Callable[[], T], seconds: float) -> T:
        """What is kept under a key, or what `make` makes."""
        found: T
        age = self.age.now()
        with self._lock:
            key = (self._of(age), key)
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                old = self.clock() - kept.made
                if old < seconds or (kept.being_made and old < seconds * _STALE):
                    found = kept.thing
                    return found
                kept.being_made = True
            coming = self._coming.get(key) if kept is None else None
            if kept is None and coming is None:
                self._coming[key] = threading.Event()
        if coming is not None and coming.wait(_PATIENCE) and (kept := self._kept.get(key)) is not None:
            found = kept.thing
            return found
        try:
            thing = make()
            self._put(key, thing)
        except BaseException:
            with self._lock:
                if (kept := self._kept.get(key)) is not None:
                    kept.being_made = False
            raise
        finally:
            if coming is None and (made := self._coming.pop(key, None)) is not None:
                made.set()
        return thing

    def peek(self, key: Hashable, seconds: float) -> Any:
        """What is kept under a key and not older than that, or None."""
        age = self.age.now()
        with self._lock:
            kept = self._kept.get((self._of(age), key))
            return kept.thing if kept is not None and self.clock() - kept.made < seconds else None

    def put(self, key: Hashable, thing: object) -> None:
        """Keep a thing that was made elsewhere."""
        self._put((self.age.now(), key), thing)

    def forget(self) -> None:
        """Forget everything: somebody changed something and is to see it at once."""
        self.age.advance()  # what is being made meanwhile is kept under an age that nobody asks for
        age = self.age.now()
        with self._lock:
            self._of(age)

    def _of(self, age: Hashable) -> Hashable:
        """The age; what is kept of another one is let go."""
        if age != self._known:
            self._known = age
            self._kept.clear()
            self._size = 0
        return age

    def _put(self, key: Hashable, thing: object) -> None:
        with self._lock:
            old = self._kept.pop(key, None)
            self._size += weight(thing) - (0 if old is None else weight(old.thing))
            self._kept[key] = _CacheEntry(thing, self.clock())
            while self._size > self.most and self._kept:
                _, gone = self._kept.popitem(last=False)
                self._size -= weight(gone.thing)


def weight(thing: object) -> int:
    """How much room a thing takes; one that is no string of bytes may tell by its `weight`."""
    return len(thing) if isinstance(thing, bytes) else int(getattr(thing, "weight", _WEIGHT))
