"""How often one visitor may ask for something that costs: a bucket of turns that fills again with time."""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

#: Visitors remembered; those who asked longest ago are forgotten first.
_MOST_VISITORS = 10_000


@dataclass(slots=True)
class Turns:
    """Turns left, by visitor and purpose. Safe for many threads."""

    clock: Callable[[], float] = time.monotonic
    _left: OrderedDict[tuple[str, str], tuple[float, float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def take(self, purpose: str, visitor: str, per_minute: int) -> int:
        """Take a turn: 0, or the whole seconds until there is one."""
        now = self.clock()
        key = (purpose, visitor)
        with self._lock:
            left, at = self._left.pop(key, (float(per_minute), now))
            left = min(float(per_minute), left + (now - at) * per_minute / 60)
            taken = left >= 1
            self._left[key] = (left - 1 if taken else left, now)
            while len(self._left) > _MOST_VISITORS:
                self._left.popitem(last=False)
        return 0 if taken else max(1, ceil(round((1 - left) * 60 / per_minute, 3)))

    def left(self, purpose: str, visitor: str, per_minute: int) -> int:
        """Whole turns that a visitor has left."""
        with self._lock:
            left, at = self._left.get((purpose, visitor), (float(per_minute), self.clock()))
            return int(min(float(per_minute), left + (self.clock() - at) * per_minute / 60))
