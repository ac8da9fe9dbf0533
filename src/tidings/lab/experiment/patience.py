"""How long a process has been at something, by a clock that does not run while others hold the processor.

On a busy machine, or one that was put to sleep, an honest step can take minutes by the clock on the wall. So a process
that wants to run is charged the processor time it got; one that waits (a lock, a connection, a sleep) is charged the
time it waits. Where the system does not tell (no /proc), the clock on the wall has to do.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

#: Seconds between looks. A longer gap is a machine that stood still, and nobody's fault.
TICK: Final = 0.25
_LONGEST_GAP: Final = 4 * TICK


class Usage(NamedTuple):
    """What the system tells about a process."""

    seconds: float  # of processor time so far
    runs: bool  # or would, if there were a processor for it


@dataclass(slots=True)
class Stopwatch:
    """The time of one process; `charge` is to be called every tick."""

    process: int
    spent: float = 0.0
    _looked: float = 0.0
    _seconds: float = 0.0

    def restart(self) -> None:
        """Begin anew, now."""
        now = usage(self.process)
        self.spent, self._looked, self._seconds = 0.0, monotonic(), now.seconds if now else 0.0

    def charge(self) -> float:
        """Seconds since the start, by what the process did since the last look."""
        now, at = usage(self.process), monotonic()
        gap = min(at - self._looked, _LONGEST_GAP)
        self.spent += max(0.0, now.seconds - self._seconds) if now is not None and now.runs else gap
        self._looked, self._seconds = at, now.seconds if now else 0.0
        return self.spent


def usage(process: int) -> Usage | None:
    """Processor time and state of a process, None where the system does not tell."""
    try:
        return read_usage(Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError, IndexError):
        return None


def read_usage(line: str) -> Usage:
    """The line of /proc/PID/stat: the name, in parentheses, may hold anything, parentheses too (proc(5))."""
    fields = line[line.rindex(")") + 2 :].split()
    return Usage((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), fields[0] == "R")
