"""What a worker is given to do in tests: it never ends, sleeps, or asks for too much."""

from __future__ import annotations

import time


def never_ends() -> None:
    """Work, for ever."""
    while True:
        pass


def sleeps(seconds: float) -> float:
    """Wait, as a page does that hangs."""
    time.sleep(seconds)
    return seconds


def holds(megabytes: int) -> int:
    """Take so much memory, and write to it."""
    return len(b"\1" * (megabytes * 1_000_000))


def stumbles() -> None:
    """Make a mistake."""
    raise ZeroDivisionError("a mistake of ours")
