"""What all processes that serve one house have in common, so that a visitor cannot tell how many there are.

With one process, as usual, that is plain memory. With several (`tidings serve --workers`) it is memory that they share.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tidings.news.web.keeping import Age, OwnAge
from tidings.news.web.ledger import Ledger, Remembered

#: Visitors whose turns are remembered, keys of failed attempts, and readings, so that none counts twice.
VISITORS: Final = 10_000
ATTEMPTS: Final = 20_000
READINGS: Final = 100_000


def _one() -> int:
    return 1


def _none() -> int:
    return 0


@dataclass(frozen=True, slots=True)
class Common:
    """What is counted and known once for a house, whoever of its processes answers."""

    turns: Ledger = field(default_factory=lambda: Remembered(VISITORS))
    attempts: Ledger = field(default_factory=lambda: Remembered(ATTEMPTS))
    readings: Ledger = field(default_factory=lambda: Remembered(READINGS))
    age: Age = field(default_factory=OwnAge)  # of what is shown: it grows when somebody has changed something
    processes: int = 1  # that share this, and the memory of the machine
    serving: Callable[[], int] = _one  # how many of them serve now
    replaced: Callable[[], int] = _none  # how many had to be started again
    measures: Path | None = None  # where each of them writes what it measures
