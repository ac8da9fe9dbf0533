"""Process time, memory limits and interrupts, by means of the operating system."""

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

#: Seconds between measurements of a process. A longer gap means that the machine was suspended.
TICK: Final = 0.25
_LONGEST_GAP: Final = 4 * TICK
#: Environment variables for the number of threads of numeric libraries: here processes are parallel, not threads.
_THREADS: Final = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
#: Extra address space for libraries that are loaded late.
_LOADED_LATE: Final = 64 * 1024 * 1024


class Usage(NamedTuple):
    """The processor time and state of a process."""

    seconds: float  # processor time so far
    runs: bool  # running or runnable


@dataclass(slots=True)
class Stopwatch:
    """Measures the time of a process; `charge` must be called at every tick."""

    process: int
    spent: float = 0.0
    _measured_at: float = 0.0
    _seconds: float = 0.0

    def restart(self) -> None:
        """Start again from zero."""
        now = usage(self.process)
        self.spent, self._measured_at, self._seconds = 0.0, monotonic(), now.seconds if now else 0.0

    def charge(self) -> float:
        """Add the time since the last call, and return the total in seconds. While the process runs, its processor time
        counts, otherwise the elapsed time.
        """
        now, at = usage(self.process), monotonic()
        gap = min(at - self._measured_at, _LONGEST_GAP)
        self.spent += max(0.0, now.seconds - self._seconds) if now is not None and now.runs else gap
        self._measured_at, self._seconds = at, now.seconds if now else 0.0
        return self.spent


def usage(process: int) -> Usage | None:
    """Return processor time and state of a process; None if the system does not report them."""
    try:
        return read_usage(Path(f"/proc/{process}/stat").read_text(encoding="utf-8", errors="replace"))
    except (OSError, ValueError, IndexError):
        return None


def read_usage(line: str) -> Usage:
    """Parse /proc/PID/stat. The name in parentheses may contain anything, even parentheses (proc(5))."""
    fields = line[line.rindex(")") + 2 :].split()
    return Usage((int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), fields[0] == "R")


def limit_memory(more: int) -> None:
    """Limit the further memory of this process, if the platform supports it."""
    statm = Path("/proc/self/statm")
    if sys.platform == "win32" or not statm.exists():
        return
    size, _, _, _, _, written, *_ = (int(pages) * resource.getpagesize() for pages in statm.read_text().split())
    resource.setrlimit(resource.RLIMIT_DATA, (written + more, written + more))
    resource.setrlimit(resource.RLIMIT_AS, (size + more + _LOADED_LATE,) * 2)


def may_copy() -> bool:
    """Return whether this process can be forked safely (fork(2)): it has no other threads, which a fork would lack.

    The threads of numeric libraries end before a fork and restart on demand.
    """
    return sys.platform == "linux" and threading.active_count() == 1


@contextmanager
def starting(*, copied: bool = False) -> Iterator[None]:
    """Return a context for starting processes, each with one numeric thread. Ctrl-C is deferred to its end."""
    before = {name: os.environ.get(name) for name in _THREADS}
    os.environ.update(dict.fromkeys(_THREADS, "1"))
    try:
        with _without_interrupts(tracked=not copied):
            yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


@contextmanager
def _without_interrupts(*, tracked: bool) -> Iterator[None]:
    """Block Ctrl-C for started processes, and defer it in this process, so that no process is half started."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    if tracked:  # the first spawned process would start it, which unblocks signals
        resource_tracker.ensure_running()
    # Child processes inherit the signal mask of the thread. Another thread of this process may receive the signal, and
    # Python then raises in the main thread.
    is_main = threading.current_thread() is threading.main_thread()
    raises = is_main and signal.getsignal(signal.SIGINT) is signal.default_int_handler
    deferred: list[int] = []
    if raises:
        signal.signal(signal.SIGINT, lambda number, _: deferred.append(number))
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
        if raises:
            signal.signal(signal.SIGINT, signal.default_int_handler)
    if deferred:
        raise KeyboardInterrupt


def ignore_interrupts() -> None:
    """Ignore Ctrl-C, which is for the parent process. Called when a worker starts."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
