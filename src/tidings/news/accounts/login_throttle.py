"""Attempts to sign in: the more of them failed, the longer the next one has to wait.

Counted by name and address together, so that nobody can lock out somebody else; by address, for those who try one
password on many names; and by name, loosely, for those who try from many addresses: that costs a minute at most. An
address that may be a proxy's which nobody has named is not counted by itself: it would be everybody's.

A browser that was signed in with the name before (`news.accounts.sessions`) is counted by itself alone, so that no
stranger can make it wait.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from typing import Final

from tidings.news.web.counters import Counters, CounterTable, MemoryCounters
from tidings.news.web.proxies import may_stand_for_many

#: Seconds after which failures are forgotten.
_FORGOTTEN: Final = 3600.0


@dataclass(frozen=True, slots=True)
class _Patience:
    """How many failures cost nothing, and how long one waits at most; each further failure doubles the wait."""

    free: int
    longest: float

    def wait(self, failures: int) -> float:
        return 0.0 if failures < self.free else min(self.longest, 2.0 ** min(failures - self.free, 20))


_BOTH: Final = _Patience(5, 900)
_ADDRESS: Final = _Patience(30, 900)
_NAME: Final = _Patience(100, 60)
#: A minute at most for whoever has forgotten a password; whoever stole the browser has fourteen hundred guesses a day.
_DEVICE: Final = _Patience(5, 60)


@dataclass(slots=True)
class LoginThrottle:
    """Failures by key; one counts before it is known to be one. Safe for threads, and processes that share them."""

    clock: Callable[[], float] = time.time
    counters: Counters = field(default_factory=MemoryCounters)

    def begin(self, name: str, address: str, device: str = "") -> int:
        """Somebody tries: 0, or the whole seconds to wait, and then nothing is counted.

        Args:
            name: whom they say they are.
            address: where they are.
            device: the digest of a browser that was signed in with this name before.
        """
        keys, now = _keys(name, address, device), self.clock()

        def work(failed: CounterTable) -> int:
            waits = [_wait(failed, key, patience, now) for key, patience in keys]
            if max(waits) > 0:
                return ceil(max(waits))
            for key, _ in keys:
                failures, _ = _known(failed, key, now)
                failed.put(key, (failures + 1, now))
            return 0

        return self.counters.change(work)

    def succeeded(self, name: str, address: str, device: str = "") -> None:
        """It was the right password: this name from this address begins anew; the others lose one failure."""
        (both, _), *others = _keys(name, address, device)
        now = self.clock()

        def work(failed: CounterTable) -> None:
            failed.drop(both)
            for key, _ in others:
                failures, at = _known(failed, key, now)
                if failures:
                    failed.put(key, (failures - 1, at))

        self.counters.change(work)


def _wait(failed: CounterTable, key: str, patience: _Patience, now: float) -> float:
    failures, at = _known(failed, key, now)
    return at + patience.wait(failures) - now if failures else 0.0


def _known(failed: CounterTable, key: str, now: float) -> tuple[int, float]:
    failures, at = failed.get(key) or (0, now)
    return (int(failures), at) if now - at < _FORGOTTEN else (0, now)


def _keys(name: str, address: str, device: str) -> list[tuple[str, _Patience]]:
    if device:
        return [(f"{name}\0device {device}", _DEVICE)]
    keys = [(f"{name}\0{address}", _BOTH), (f"{name}\0", _NAME)]
    return keys if may_stand_for_many(address) else [*keys, (f"\0{address}", _ADDRESS)]
