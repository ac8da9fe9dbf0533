"""Reading in processes of their own: it takes most of the time, and a page that kills its reader must cost only itself
(HOSTILE 18).

A worker gets a job, does it, and sends the result back; one that dies or takes too long is replaced, and whoever gave
the job is told. Nothing is shared but the store. A worker may be given limits of memory and of processor time: then a
job that goes beyond them is the end of it.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import signal
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Final, Generic, Protocol, TypeVar

from tidings.errors import TidingsError
from tidings.news.watch.desk import Job, Opening, Result
from tidings.processes import ignore_interrupts, starting

if sys.platform != "win32":
    import resource

J = TypeVar("J")
R = TypeVar("R")
J_contra = TypeVar("J_contra", contravariant=True)
R_co = TypeVar("R_co", covariant=True)

_SPAWN: Final = multiprocessing.get_context("spawn")
_START: Final = 120.0  # seconds for a process to load what it needs, on a busy machine
#: How a worker ends that has no memory left; no other way of ending has this code.
_NO_MEMORY: Final = 117
#: Address space beyond memory that is written to: libraries that are loaded late.
_LOADED_LATE: Final = 64 * 1024 * 1024


class Lost(TidingsError):
    """A worker died, or was ended, over a job, or could not do it."""


class Ending(StrEnum):
    """Why a worker ended over a job."""

    MEMORY = "memory"  # it needed more than it was given
    TIME = "time"  # it took longer than it was given
    UNKNOWN = "unknown"  # somebody ended it, or a mistake in a library did


class WorkerDied(Lost):
    """A worker died, or was ended, over a job."""

    def __init__(self, sentence: str, ending: Ending = Ending.UNKNOWN) -> None:
        super().__init__(sentence)
        self.ending = ending


@dataclass(frozen=True, slots=True)
class WorkerLimits:
    """What one job may take; where the platform cannot hold it to that (Windows, memory on macOS), patience ends it."""

    memory: int | None = None  # bytes beyond what a worker has when it is ready
    seconds: float | None = None  # of processor time


class JobRunner(Protocol[J_contra, R_co]):
    """Does jobs in a worker."""

    def do(self, job: J_contra) -> R_co:
        """The result of a job."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...


class RunnerFactory(Protocol[J_contra, R_co]):
    """Makes what does the jobs; it can be sent to a worker."""

    def open(self) -> JobRunner[J_contra, R_co]:
        """Open it, there.

        Raises:
            TidingsError: it cannot be opened.
        """
        ...


class Doing(Protocol):
    """Does jobs."""

    async def do(self, job: Job, lane: int | None = None) -> Result:
        """The result of a job.

        Args:
            job: what is to be done.
            lane: which of the workers is to do it, where that matters.

        Raises:
            Lost: the worker died over it.
        """
        ...

    async def close(self) -> None:
        """Let go of everything."""
        ...


class Here:
    """Jobs are done in this process, one after the other, in a thread."""

    def __init__(self, opening: Opening) -> None:
        self._desk = opening.open()
        self._thread = ThreadPoolExecutor(1, "tidings: reading")

    async def do(self, job: Job, lane: int | None = None) -> Result:  # noqa: ARG002  # there is one only
        """The result of a job.

        Raises:
            Lost: reading it went wrong in a way that nobody expected.
        """
        result = await asyncio.get_running_loop().run_in_executor(self._thread, _done, self._desk, job)
        if isinstance(result, _Raised):
            raise Lost(str(result))
        return result

    async def close(self) -> None:
        """Close the store."""
        await asyncio.to_thread(self._thread.shutdown)
        await asyncio.to_thread(self._desk.close)


class Crew(Generic[J, R]):
    """Jobs are done by worker processes.

    Args:
        opening: what each worker opens.
        size: how many.
        patience: seconds that one job may take.
        limits: of memory and processor time of one job.
    """

    def __init__(
        self, opening: RunnerFactory[J, R], size: int, patience: float, limits: WorkerLimits | None = None
    ) -> None:
        self._opening = opening
        self._patience = patience
        self._limits = limits or WorkerLimits()
        self._threads = ThreadPoolExecutor(size, "tidings: waiting for a worker")
        self._places = [_Place(self._worker()) for _ in range(size)]

    def _worker(self) -> _Worker[J, R]:
        return _Worker(self._opening, self._limits)

    async def do(self, job: J, lane: int | None = None) -> R:
        """The result of a job, when its worker, or whoever has least to do, is free for it.

        Raises:
            Lost: the worker died over it, or had to be ended.
        """
        place = (
            min(self._places, key=lambda one: one.wanted) if lane is None else self._places[lane % len(self._places)]
        )
        await place.take()
        loop = asyncio.get_running_loop()
        # Whoever stops waiting leaves a worker behind that is still at it: that one gets no other job.
        try:
            if not place.worker.process.is_alive():  # it was ended while it had nothing to do
                place.worker = await loop.run_in_executor(self._threads, self._worker)
            result = await loop.run_in_executor(self._threads, place.worker.exchange, job, self._patience)
        except Lost:
            if not place.worker.process.is_alive():
                place.worker = await loop.run_in_executor(self._threads, self._worker)
            place.release()
            raise
        place.release()
        return result

    @property
    def processes(self) -> list[int]:
        """The numbers of the worker processes."""
        return [place.worker.process.pid or 0 for place in self._places]

    async def close(self) -> None:
        """Tell the workers to end, and end those that do not."""
        await asyncio.to_thread(self._end)

    def _end(self) -> None:
        for place in self._places:
            place.worker.dismiss()
        for place in self._places:
            # One that has not been given anything yet may still be importing, and has nothing to lose.
            place.worker.end(5.0 if place.worker.is_ready else 0.0)
        self._threads.shutdown()


class _Place(Generic[J, R]):
    """A worker, or the one that came after it; one job at a time."""

    def __init__(self, worker: _Worker[J, R]) -> None:
        self.worker = worker
        self.free = asyncio.Lock()
        self.wanted = 0  # jobs that are done or wait here

    async def take(self) -> None:
        """Wait until the worker is free."""
        self.wanted += 1
        try:
            await self.free.acquire()
        except asyncio.CancelledError:
            self.wanted -= 1
            raise

    def release(self) -> None:
        """The worker is free for the next job."""
        self.wanted -= 1
        self.free.release()


class _Worker(Generic[J, R]):
    """One worker process and the line to it."""

    def __init__(self, opening: RunnerFactory[J, R], limits: WorkerLimits) -> None:
        self._line, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(
            target=_serve, args=(theirs, opening, limits), daemon=True, name="tidings: reader"
        )
        with starting():
            self.process.start()
        theirs.close()
        self.is_ready = False

    def exchange(self, job: J, patience: float) -> R:
        """Send a job and wait for its result; called in a thread."""
        try:
            if not self.is_ready:
                self._wait(_START)
                self.is_ready = True
            self._line.send(job)
            self._wait(patience)
            result: R | _Raised = self._line.recv()
        except (EOFError, OSError) as error:
            self.end(5.0)
            raise _death(self.process.exitcode) from error
        if isinstance(result, _Raised):
            raise Lost(str(result))
        return result

    def _wait(self, seconds: float) -> None:
        if not self._line.poll(seconds):
            self.end(0.0)
            raise WorkerDied(f"reading took longer than {seconds:.0f} seconds and was ended", Ending.TIME)
        if not self.is_ready:
            told = self._line.recv()
            if isinstance(told, TidingsError):
                raise told

    def dismiss(self) -> None:
        """There is nothing more to do."""
        with suppress(OSError):
            self._line.send(None)

    def end(self, seconds: float) -> None:
        """Wait for its end, and end it."""
        self.process.join(seconds)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        with suppress(OSError):
            self._line.close()


class _Raised(Exception):
    """Reading raised what it should not have."""


class _OutOfMemory(_Raised):
    """There was no memory left."""


def _death(code: int | None) -> WorkerDied:
    if code == _NO_MEMORY:
        return WorkerDied("reading it took more memory than is given for one job", Ending.MEMORY)
    if code is not None and code < 0:
        name = next((one.name for one in signal.Signals if one == -code), f"signal {-code}")
        if name == "SIGXCPU":
            return WorkerDied("reading it took more processor time than is given for one job", Ending.TIME)
        guess = " (out of memory?)" if name == "SIGKILL" else ""
        return WorkerDied(f"the process that read it was ended by {name}{guess}")
    return WorkerDied(f"the process that read it ended with code {code}")


def _limit_memory(more: int) -> None:
    """From now on this process may take so many bytes more, where the platform can hold it to that."""
    statm = Path("/proc/self/statm")
    if sys.platform == "win32" or not statm.exists():
        return
    size, _, _, _, _, written, *_ = (int(pages) * resource.getpagesize() for pages in statm.read_text().split())
    resource.setrlimit(resource.RLIMIT_DATA, (written + more, written + more))
    resource.setrlimit(resource.RLIMIT_AS, (size + more + _LOADED_LATE,) * 2)


def _limit_time(seconds: float) -> None:
    """From now on this process may work for so many seconds more; then SIGXCPU ends it."""
    if sys.platform == "win32":
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    soft = ceil(used.ru_utime + used.ru_stime + seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))


def _serve(line: Connection, opening: RunnerFactory[Any, Any], limits: WorkerLimits) -> None:
    """What a worker does until nobody has anything for it."""
    ignore_interrupts()
    # So is the end that systemd tells all processes of a service: a worker ends when its line is closed, and not before
    # the page under way is read. `kill -9` ends it at once.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        desk = opening.open()
    except TidingsError as error:
        line.send(error)
        return
    if limits.memory is not None:
        _limit_memory(limits.memory)
    line.send(None)
    try:
        while (job := _next(line)) is not None:
            if limits.seconds is not None:
                _limit_time(limits.seconds)
            result = _done(desk, job)
            if isinstance(result, _OutOfMemory):
                os._exit(_NO_MEMORY)  # what is left of the job would be in the way of the next one
            line.send(result)
    except MemoryError:  # the job or its result is too large to be sent
        os._exit(_NO_MEMORY)
    except OSError:  # nobody listens any more
        pass
    finally:
        desk.close()


def _next(line: Connection) -> Any:
    try:
        return line.recv()
    except EOFError:
        return None


def _done(desk: JobRunner[J, R], job: J) -> R | _Raised:
    try:
        return desk.do(job)
    except MemoryError:
        return _OutOfMemory("reading it took more memory than there is")
    except Exception as error:  # a page may bring out any mistake of ours; the rest goes on
        return _Raised(f"reading it raised {type(error).__name__}: {error}"[:300])
