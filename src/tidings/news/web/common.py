"""What all processes that serve one portal share, so that a visitor cannot tell how many there are.

With one process, as usual, that is plain memory. With several (`tidings serve --workers`) it lies in the store.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tidings.news.store import Store
from tidings.news.web.counters import Counters, MemoryCounters, StoreCounters
from tidings.news.web.keeping import Age, OwnAge, StoreAge

#: Visitors whose turns are remembered, keys of failed attempts, and readings, so that none counts twice.
VISITORS: Final = 10_000
ATTEMPTS: Final = 20_000
READINGS: Final = 100_000


@dataclass(frozen=True, slots=True)
class Common:
    """What is counted and known once, whoever of the processes answers."""

    turns: Counters = field(default_factory=lambda: MemoryCounters(VISITORS))
    attempts: Counters = field(default_factory=lambda: MemoryCounters(ATTEMPTS))
    readings: Counters = field(default_factory=lambda: MemoryCounters(READINGS))
    age: Age = field(default_factory=OwnAge)  # of what is shown: another one when somebody has changed something
    processes: int = 1  # that share this, and the memory of the machine
    measures: Path | None = None  # where each of them writes what it measures

    def tidy(self) -> None:
        """Forget what nobody asks for any more."""
        for counters in (self.turns, self.attempts, self.readings):
            counters.tidy()


def in_store(store: Store, secret: bytes, processes: int, measures: Path | None = None) -> Common:
    """What several processes share through their store."""
    return Common(
        turns=StoreCounters(store, "turns", VISITORS, secret),
        attempts=StoreCounters(store, "attempts", ATTEMPTS, secret),
        readings=StoreCounters(store, "readings", READINGS, secret),
        age=StoreAge(store),
        processes=processes,
        measures=measures,
    )
