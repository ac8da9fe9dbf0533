"""Attempts to sign in: the more of them failed, the longer the next one has to wait.

Counted by name and address together, so that nobody can lock out somebody else; by address, for those who try one
password on many names; and by name, loosely, for those who try from many addresses: that costs a minute at most.
"""

from __future__ import annotations

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from math import ceil
from typing import Final

#: Keys that are remembered; those that failed longest ago are forgotten first.
_MOST: Final = 20_000
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


@dataclass(slots=True)
class Attempts:
    """Failures by key. Safe for many threads; a failure counts before it is known to be one."""

    clock: Callable[[], float] = time.monotonic
    _failed: OrderedDict[tuple[str, str], tuple[int, float]] = field(default_factory=OrderedDict)
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, name: str, address: str) -> int:
        """Somebody tries: 0, or the whole seconds to wait, and then nothing is counted."""
        now = self.clock()
        with self._lock:
            waits = [self._wait(key, patience, now) for key, patience in _keys(name, address)]
            if max(waits) > 0:
                return ceil(max(waits))
            for key, _ in _keys(name, address):
                failures, _ = self._known(key, now)
                self._failed.pop(key, None)
                self._failed[key] = (failures + 1, now)
            while len(self._failed) > _MOST:
                self._failed.popitem(last=False)
        return 0

    def succeeded(self, name: str, address: str) -> None:
        """It was the right password: this name from this address begins anew; the others lose one failure."""
        now = self.clock()
        with self._lock:
            (both, _), *others = _keys(name, address)
            self._failed.pop(both, None)
            for key, _ in others:
                failures, at = self._known(key, now)
                if failures:
                    self._failed[key] = (failures - 1, at)

    def _wait(self, key: tuple[str, str], patience: _Patience, now: float) -> float:
        failures, at = self._known(key, now)
        return at + patience.wait(failures) - now if failures else 0.0

    def _known(self, key: tuple[str, str], now: float) -> tuple[int, float]:
        failures, at = self._failed.get(key, (0, now))
        return (failures, at) if now - at < _FORGOTTEN else (0, now)


def _keys(name: str, address: str) -> tuple[tuple[tuple[str, str], _Patience], ...]:
    return ((name, address), _BOTH), (("", address), _ADDRESS), ((name, ""), _NAME)
