"""What was made a moment ago is given again: a front page costs one reader in a few seconds, not every one.

One of those who come when it has grown old makes it anew; the others get the old one meanwhile, so that nobody waits in
a queue (what RFC 5861 calls stale-while-revalidate, inside the server).
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

T = TypeVar("T")

#: Bytes kept in all.
_MOST_BYTES: Final = 64_000_000
#: So many times longer than it is fresh a thing may be given while somebody makes it anew.
_STALE: Final = 12
#: What a thing that is no string of bytes is taken to weigh.
_WEIGHT: Final = 1000


@dataclass(slots=True)
class _Kept:
    thing: Any
    made: float
    being_made: bool = False


@dataclass(slots=True)
class Keeping:
    """Things by key, for some seconds. Safe for many threads."""

    clock: Callable[[], float] = time.monotonic
    most: int = _MOST_BYTES
    _kept: OrderedDict[Hashable, _Kept] = field(default_factory=OrderedDict)
    _size: int = 0
    _age: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: Hashable, make: Callable[[], T], seconds: float) -> T:
        """What is kept under a key, or what `make` makes."""
        with self._lock:
            key = (self._age, key)
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                old = self.clock() - kept.made
                if old < seconds or (kept.being_made and old < seconds * _STALE):
                    found: T = kept.thing
                    return found
                kept.being_made = True
        try:
            thing = make()
        except BaseException:
            with self._lock:
                if (kept := self._kept.get(key)) is not None:
                    kept.being_made = False
            raise
        self._put(key, thing)
        return thing

    def peek(self, key: Hashable, seconds: float) -> Any:
        """What is kept under a key and not older than that, or None."""
        with self._lock:
            kept = self._kept.get((self._age, key))
            return kept.thing if kept is not None and self.clock() - kept.made < seconds else None

    def put(self, key: Hashable, thing: object) -> None:
        """Keep a thing that was made elsewhere."""
        self._put((self._age, key), thing)

    def forget(self) -> None:
        """Forget everything: somebody changed something and is to see it at once."""
        with self._lock:
            self._age += 1  # what is being made meanwhile is kept under an age that nobody asks for
            self._kept.clear()
            self._size = 0

    def _put(self, key: Hashable, thing: object) -> None:
        with self._lock:
            old = self._kept.pop(key, None)
            self._size += weight(thing) - (0 if old is None else weight(old.thing))
            self._kept[key] = _Kept(thing, self.clock())
            while self._size > self.most and self._kept:
                _, gone = self._kept.popitem(last=False)
                self._size -= weight(gone.thing)


def weight(thing: object) -> int:
    """How much room a thing takes; one that is no string of bytes may tell by its `weight`."""
    return len(thing) if isinstance(thing, bytes) else int(getattr(thing, "weight", _WEIGHT))
