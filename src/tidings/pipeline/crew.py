"""Reading in processes of their own: it takes most of the time, and a page that kills its reader must cost only itself
(HOSTILE 18).

A worker gets a job, does it, and sends the result back; one that dies or takes too long is replaced, and whoever gave
the job is told. Nothing is shared but the store.
"""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Final, Protocol

from tidings.errors import TidingsError
from tidings.pipeline.desk import Desk, Job, Opening, Result
from tidings.processes import ignore_interrupts, starting

_SPAWN: Final = multiprocessing.get_context("spawn")
_START: Final = 120.0  # seconds for a process to load what it needs, on a busy machine


class Lost(TidingsError):
    """A worker died, or was ended, over a job, or could not do it."""


class WorkerDied(Lost):
    """A worker died, or was ended, over a job."""


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


class Crew:
    """Jobs are done by worker processes.

    Args:
        opening: what each worker opens.
        size: how many.
        patience: seconds that one job may take.
    """

    def __init__(self, opening: Opening, size: int, patience: float) -> None:
        self._opening = opening
        self._patience = patience
        self._threads = ThreadPoolExecutor(size, "tidings: waiting for a worker")
        self._places = [_Place(_Worker(opening)) for _ in range(size)]

    async def do(self, job: Job, lane: int | None = None) -> Result:
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
            result = await loop.run_in_executor(self._threads, place.worker.exchange, job, self._patience)
        except Lost:
            if not place.worker.process.is_alive():
                place.worker = await loop.run_in_executor(self._threads, _Worker, self._opening)
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


class _Place:
    """A worker, or the one that came after it; one job at a time."""

    def __init__(self, worker: _Worker) -> None:
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


class _Worker:
    """One worker process and the line to it."""

    def __init__(self, opening: Opening) -> None:
        self._line, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_serve, args=(theirs, opening), daemon=True, name="tidings: reader")
        with starting():
            self.process.start()
        theirs.close()
        self.is_ready = False

    def exchange(self, job: Job, patience: float) -> Result:
        """Send a job and wait for its result; called in a thread."""
        try:
            if not self.is_ready:
                self._wait(_START)
                self.is_ready = True
            self._line.send(job)
            self._wait(patience)
            result: Result | _Raised = self._line.recv()
        except (EOFError, OSError) as error:
            self.end(5.0)
            raise WorkerDied(_ending(self.process.exitcode)) from error
        if isinstance(result, _Raised):
            raise Lost(str(result))
        return result

    def _wait(self, seconds: float) -> None:
        if not self._line.poll(seconds):
            self.end(0.0)
            raise WorkerDied(f"reading took longer than {seconds:.0f} seconds and was ended")
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


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        name = next((one.name for one in signal.Signals if one == -code), f"signal {-code}")
        return f"the process that read it was ended by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
    return f"the process that read it ended with code {code}"


def _serve(line: Connection, opening: Opening) -> None:
    """What a worker does until nobody has anything for it."""
    ignore_interrupts()
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    try:
        desk = opening.open()
    except TidingsError as error:
        line.send(error)
        return
    line.send(None)
    try:
        while (job := _next(line)) is not None:
            line.send(_done(desk, job))
    except OSError:  # nobody listens any more
        pass
    finally:
        desk.close()


def _next(line: Connection) -> Job | None:
    try:
        job: Job | None = line.recv()
    except EOFError:
        return None
    return job


def _done(desk: Desk, job: Job) -> Result | _Raised:
    try:
        return desk.do(job)
    except Exception as error:  # a page may bring out any mistake of ours; the rest goes on
        return _Raised(f"reading it raised {type(error).__name__}: {error}"[:300])
