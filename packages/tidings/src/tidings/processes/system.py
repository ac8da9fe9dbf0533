"""What the system tells of processes, holds them to, and lets them hear: time, memory, Ctrl-C."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import resource_tracker
from pathlib import Path
from time import monotonic
from typing import Final, NamedTuple

if sys.platform != "win32":
    import resource

#: Seconds between looks at a process. A longer gap is a machine that stood still, and nobody's fault.
TICK: Final = 0.25
_LONGEST_GAP: Final = 4 * TICK
#: What the numeric libraries ask for the number of their threads: processes are the parallel part.
_THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
#: Address space beyond memory that is written to: libraries that are loaded late.
_LOADED_LATE: Final = 64 * 1024 * 1024


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
        """Return seconds since the start, by what the process did since the last look."""
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
    """Return the line of /proc/PID/stat: the name, in parentheses, may hold anything, parentheses too (proc(5))."""
    fields = line[line.rindex(")") + 2 :].split()
    return Usage((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), fields[0] == "R")


def limit_memory(more: int) -> None:
    """From now on this process may take so many bytes more, where the platform can hold it to that."""
    statm = Path("/proc/self/statm")
    if sys.platform == "win32" or not statm.exists():
        return
    size, _, _, _, _, written, *_ = (int(pages) * resource.getpagesize() for pages in statm.read_text().split())
    resource.setrlimit(resource.RLIMIT_DATA, (written + more, written + more))
    resource.setrlimit(resource.RLIMIT_AS, (size + more + _LOADED_LATE,) * 2)


def may_copy() -> bool:
    """Return whether a copy of this process is whole (fork(2)): nothing of ours runs beside it that would be missing
    there.

    The threads of the numeric library end by themselves before a copy is made, and start again when they are needed.
    """
    return sys.platform == "linux" and threading.active_count() == 1


@contextmanager
def starting(*, copied: bool = False) -> Iterator[None]:
    """Processes are started in here, each with one thread for its numbers. Ctrl-C that comes is heard at the end."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        with _unheard(tracked=not copied):
            yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _unheard(*, tracked: bool) -> Iterator[None]:
    """Ctrl-C reaches nothing that is started in here, nor does it leave something half started."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    if tracked:  # the first process that is no copy would start it, and that lets signals through again
        resource_tracker.ensure_running()
    # What a thread does not hear, the processes that it starts do not hear from their first moment on. Another thread
    # of this process may hear it, and Python then raises in the main one.
    is_main = threading.current_thread() is threading.main_thread()
    raises = is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    heard: list[int] = []
    if raises:
        signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if raises:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if heard:
        raise KeyboardInterrupt


def ignore_interrupts() -> None:
    """Ctrl-C is for the one who started this process; called when it begins."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
