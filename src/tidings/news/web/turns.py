"""How often one visitor may ask for something that costs: a bucket of turns that fills again with time."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil

from tidings.news.web.ledger import Entry, Ledger, Remembered


@dataclass(slots=True)
class Turns:
    """Turns left, by visitor and purpose. Safe for many threads, and processes that share a ledger."""

    clock: Callable[[], float] = time.monotonic
    ledger: Ledger = field(default_factory=Remembered)

    def take(self, purpose: str, visitor: str, per_minute: int) -> int:
        """Take a turn: 0, or the whole seconds until there is one."""
        key = _key(purpose, visitor)
        with self.ledger as entries:
            now = self.clock()
            left = _grown(entries.get(key), now, per_minute)
            taken = left >= 1
            entries.put(key, (left - 1 if taken else left, now))
        return 0 if taken else max(1, ceil(round((1 - left) * 60 / per_minute, 3)))

    def left(self, purpose: str, visitor: str, per_minute: int) -> int:
        """Whole turns that a visitor has left."""
        with self.ledger as entries:
            return int(_grown(entries.get(_key(purpose, visitor)), self.clock(), per_minute))


def _key(purpose: str, visitor: str) -> str:
    return f"{purpose}\0{visitor}"


def _grown(entry: Entry | None, now: float, per_minute: int) -> float:
    """The turns there are now, of those that were left then."""
    if entry is None:
        return float(per_minute)
    left, at = entry
    return min(float(per_minute), left + max(0.0, now - at) * per_minute / 60)
