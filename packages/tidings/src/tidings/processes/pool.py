"""Pools: of jobs that come now and then, and of a stream of jobs.

One worker process: the line to it, and what it does at the other end.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from time import monotonic
from traceback import format_exception
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Self, TypeVar
from weakref import WeakSet

from tidings.errors import TidingsError
from tidings.processes.jobs import Ending, JobFailed, JobLimits, JobResult, JobRunner, WorkerSetup
from tidings.processes.system import TICK, Stopwatch, ignore_interrupts, limit_memory, may_copy, starting

if TYPE_CHECKING:
    from concurrent.futures import Executor

J = TypeVar("J")
R = TypeVar("R")

_SPAWN: Final = multiprocessing.get_context("spawn")
#: Our ends of the lines to all workers: a copy of this process lets go of them, so that each worker hears when it ends.
_OURS: Final[WeakSet[Connection]] = WeakSet()
_START: Final = 120.0  # seconds for a process to load what it needs, on a busy machine
#: How a worker ends that has no memory left; no other way of ending has this code.
_NO_MEMORY: Final = 117
#: The clock on the wall may show so many times what a job may take.
_WALL: Final = 10.0


@dataclass(slots=True, eq=False)
class JobGroup(Generic[J]):
    """Jobs that a worker has, or has still to do."""

    number: int
    jobs: deque[J]


class _Reply(NamedTuple):
    """What a worker sends: nothing when it is ready, then one of these for each job."""

    result: Any
    error: BaseException | None = None

    @property
    def failure(self) -> JobFailed | None:
        return None if self.error is None else JobFailed.by(self.error)


class WorkerProcess(Generic[J, R]):
    """One worker process and the line to it."""

    def __init__(self, setup: WorkerSetup[J, R], limits: JobLimits, *, as_copy: bool = False) -> None:
        self.line, theirs = _SPAWN.Pipe()
        _OURS.add(self.line)
        copied = as_copy and may_copy()
        make = multiprocessing.get_context("fork").Process if copied else _SPAWN.Process
        self.process = make(target=_serve, args=(theirs, setup, limits), daemon=True, name="tidings: worker")
        with starting(copied=copied):
            self.process.start()
        theirs.close()
        self.is_ready = False
        self.group: JobGroup[J] | None = None
        self._seconds = limits.seconds
        self._is_limited = limits.memory is not None
        self._watch = Stopwatch(self.process.pid or 0)
        self._is_watched = False
        self._since = monotonic()

    def give(self, group: JobGroup[J]) -> None:
        """Have it do some jobs."""
        self.group = group
        self._send(tuple(group.jobs))

    def _send(self, jobs: tuple[J, ...]) -> None:
        self._restart()
        with suppress(OSError):  # one that died meanwhile is noticed when it is listened to
            self.line.send(jobs)

    def exchange(self, job: J) -> R:
        """Have it do a job and wait for the result; called in a thread.

        Raises:
            JobFailed: it could not be done.
        """
        while not self.is_ready:
            self._await()
        self._send((job,))
        answer = self._await()
        assert answer is not None  # noqa: S101  # it is ready
        if answer.failure is not None:
            raise answer.failure from answer.error
        result: R = answer.result
        return result

    def _await(self) -> _Reply | None:
        while not self.line.poll(TICK):
            self.check()
        return self.hear()

    def hear(self) -> _Reply | None:
        """What it says: that it is ready (None), or what became of a job.

        Raises:
            JobFailed: it has ended.
            TidingsError: it could not open what it needs.
        """
        try:
            answer: _Reply | TidingsError | None = self.line.recv()
        except (EOFError, OSError) as error:
            self.end(5.0)
            raise _death(self.process.exitcode, is_limited=self._is_limited) from error
        self._restart()
        if isinstance(answer, TidingsError):
            self.end(5.0)
            raise answer
        self.is_ready = True
        if self.group is not None and answer is not None and len(self.group.jobs) == 1:
            self.group = None
        return answer

    def check(self) -> None:
        """See how long it has been at what it does.

        Raises:
            JobFailed: too long; it was ended.
        """
        wall = monotonic() - self._since
        if not self.is_ready:
            if wall > _START:
                self.end(0.0)
                raise JobFailed(f"it was not ready after {_START:g} seconds", Ending.TIME)
        elif not self._is_watched:
            if wall >= TICK:  # most jobs are done before: to ask the system takes as long as some of them
                self._watch.restart()
                self._is_watched = True
        elif self._seconds is not None and (self._watch.charge() > self._seconds or wall > _WALL * self._seconds):
            self.end(0.0)
            raise JobFailed(f"it took longer than {self._seconds:g} seconds and was ended", Ending.TIME)

    def _restart(self) -> None:
        self._since = monotonic()
        self._is_watched = False

    def dismiss(self) -> None:
        """There is nothing more to do."""
        with suppress(OSError):
            self.line.send(None)

    def end(self, seconds: float) -> None:
        """Wait for its end, and end it."""
        self.process.join(seconds)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        with suppress(OSError):
            self.line.close()


def _death(code: int | None, *, is_limited: bool) -> JobFailed:
    # Compiled code cannot raise: where it is given no more memory, it aborts.
    if code == _NO_MEMORY or (is_limited and code == -signal.SIGABRT):
        return JobFailed("it took more memory than is given for one job", Ending.MEMORY)
    if code is not None and code < 0:
        name = next((one.name for one in signal.Signals if one == -code), f"signal {-code}")
        return JobFailed(f"the process was ended by {name}" + (" (out of memory?)" if name == "SIGKILL" else ""))
    return JobFailed(f"the process ended itself with code {code}")


# -- in the worker ----------------------------------------------------------------------------------------------------


def _serve(line: Connection, setup: WorkerSetup[Any, Any], limits: JobLimits) -> None:
    """What a worker does until nobody has anything for it."""
    for other in list(_OURS):  # there are some in a copy only
        other.close()
    ignore_interrupts()
    # So is the end that systemd tells all processes of a service: a worker ends when its line is closed, and not before
    # the job under way is done. `kill -9` ends it at once.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        runner = setup.open()
    except TidingsError as error:
        with suppress(OSError):  # nobody listens any more
            line.send(error)
        return
    if limits.memory is not None:
        limit_memory(limits.memory)
    gc.freeze()  # what was loaded stays, and is no garbage to look for
    try:
        line.send(None)
        while (jobs := line.recv()) is not None:
            for job in jobs:
                line.send(_done(runner, job))
    except MemoryError:  # what is left of the job would be in the way of the next one
        os._exit(_NO_MEMORY)
    except (EOFError, OSError):  # nobody listens any more
        pass
    finally:
        runner.close()


def _done(runner: JobRunner[Any, Any], job: Any) -> _Reply:
    try:
        return _Reply(runner.do(job))
    except MemoryError:
        raise
    except BaseException as error:  # others' code may end in any way; the rest goes on
        return _Reply(None, _sendable(error))


def _sendable(error: BaseException) -> BaseException:
    """Return an error that can be sent; one that cannot is sent as the next of its ancestors that can, with its
    sentence.
    """
    if not isinstance(error, TidingsError):
        error.add_note("In a worker process:\n" + "".join(format_exception(error)))
    if _is_sendable(error):
        return error
    for kind in type(error).__mro__[1:]:
        with suppress(Exception):
            if issubclass(kind, BaseException) and _is_sendable(other := kind(str(error))):
                return other
    return RuntimeError(f"{type(error).__name__}: {error}")


def _is_sendable(error: BaseException) -> bool:
    try:
        return type(pickle.loads(pickle.dumps(error))) is type(error)  # noqa: S301  # our own, just made
    except Exception:
        return False


#: How many groups a worker may be ahead of what is first in line.
AHEAD: Final = 4


class InlinePool(Generic[J, R]):
    """Jobs are done in this process, one after the other, in a thread; nothing holds them to limits."""

    def __init__(self, setup: WorkerSetup[J, R]) -> None:
        self._runner = setup.open()
        self._thread = _thread("tidings: jobs")

    async def do(self, job: J, worker: int | None = None) -> R:  # noqa: ARG002  # there is one only
        """Return the result of a job.

        Raises:
            JobFailed: it raised.
        """
        try:
            return await _awaited(self._thread, self._runner.do, job)
        except Exception as error:  # a page may bring out any mistake of ours; the rest goes on
            raise JobFailed.by(error) from error

    async def close(self) -> None:
        """Let go of the thread and of what it used."""
        await _awaited(None, self._thread.shutdown)
        await _awaited(None, self._runner.close)


class ProcessPool(Generic[J, R]):
    """Jobs are done by worker processes.

    Args:
        setup: what each worker opens.
        size: how many.
        limits: of one job.
        as_copies: workers are copies of this process, which need not load anything again, where that is safe
            (`may_copy`). For a command that holds no connections, locks or databases that a copy would hold too.
    """

    def __init__(
        self, setup: WorkerSetup[J, R], size: int, limits: JobLimits | None = None, *, as_copies: bool = False
    ) -> None:
        self._setup = setup
        self._size = max(1, size)
        self._limits = limits or JobLimits()
        self._as_copies = as_copies
        self._workers: list[WorkerProcess[J, R]] = []
        self._seats: list[_Seat[J, R]] = []

    def _worker(self) -> WorkerProcess[J, R]:
        return WorkerProcess(self._setup, self._limits, as_copy=self._as_copies)

    # -- jobs that come now and then, to a loop that has other things to do

    def start(self) -> None:
        """Start the workers, so that they are ready when the first job comes."""
        while len(self._seats) < self._size:
            self._seats.append(_Seat(self._worker()))

    @property
    def processes(self) -> list[int]:
        """The numbers of the worker processes."""
        return [seat.worker.process.pid or 0 for seat in self._seats]

    async def do(self, job: J, worker: int | None = None) -> R:
        """Return the result of a job, when its worker, or whoever has least to do, is free for it.

        Raises:
            JobFailed: it could not be done.
        """
        self.start()
        seat = min(self._seats, key=lambda one: one.wanted) if worker is None else self._seats[worker % self._size]
        await seat.take()
        try:
            if not seat.worker.process.is_alive():  # it was ended while it had nothing to do
                seat.worker = await _awaited(seat.thread, self._worker)
            result = await _awaited(seat.thread, seat.worker.exchange, job)
        except Exception:
            # Whoever stops waiting (that is none) leaves a worker behind that is still at it: it gets no other job.
            if not seat.worker.process.is_alive():
                seat.worker = await _awaited(seat.thread, self._worker)
            seat.release()
            raise
        seat.release()
        return result

    async def close(self) -> None:
        """Tell the workers to end, and end those that do not."""
        await _awaited(None, self._end)

    def _end(self) -> None:
        workers = [*self._workers, *(seat.worker for seat in self._seats)]
        for worker in workers:
            worker.dismiss()
        for worker in workers:
            # One that has not been given anything yet may still be importing, and has nothing to lose.
            worker.end(5.0 if worker.is_ready and worker.group is None else 0.0)
        self._workers.clear()
        for seat in self._seats:
            seat.thread.shutdown()

    # -- a stream of jobs

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self._end()

    def run(self, groups: Iterable[Sequence[J]], *, ordered: bool = False) -> Generator[JobResult[J, R], None, None]:
        """Do jobs, and give what comes of each.

        A group goes to one worker in one piece, which does its jobs in turn: what they share (a page) is sent, and can
        be prepared, once. After each job the clock starts anew. If one of them ends the worker, another does the rest.

        Args:
            groups: the jobs; they are asked for as workers become free.
            ordered: whether results come in the order of the jobs, not as they are done.

        Raises:
            TidingsError: a worker process cannot be started.
        """
        stream: _JobStream[J, R] = _JobStream(groups, self._size, ordered=ordered)
        try:
            while stream.fill() or stream.under_way:
                self._assign(stream)
                yield from stream.ready()
                if stream.under_way:
                    self._listen(stream)
        finally:
            # Where nobody wanted the rest, what is under way is no part of the next run.
            for worker in [worker for worker in self._workers if worker.group]:
                worker.end(0.0)
                self._workers.remove(worker)

    def _assign(self, stream: _JobStream[J, R]) -> None:
        """Give what waits to workers that are free, and start more of them if there may be more."""
        idle = [worker for worker in self._workers if worker.group is None]
        for worker in [worker for worker in idle if worker.is_ready and not worker.process.is_alive()]:
            idle.remove(worker)  # it was ended while it had nothing to do
            self._workers.remove(worker)
        while len(self._workers) < self._size and len(idle) < len(stream.waiting):
            self._workers.append(self._worker())
            idle.append(self._workers[-1])
        for worker in idle:
            if worker.is_ready and stream.waiting:
                worker.give(stream.waiting.popleft())

    def _listen(self, stream: _JobStream[J, R]) -> None:
        """Hear what workers have done, and look at those that are at something."""
        listening = {worker.line: worker for worker in self._workers if worker.group or not worker.is_ready}
        speaking = wait(list(listening), TICK)
        for line, worker in listening.items():
            group = worker.group
            try:
                if line not in speaking:
                    worker.check()
                elif (answer := worker.hear()) is not None and group is not None:
                    stream.add(group, answer.result, answer.failure)
            except JobFailed as failed:
                self._workers.remove(worker)
                if group is None:
                    raise TidingsError(
                        f"a worker process could not start ({failed}); in a script, keep the call under"
                        " `if __name__ == '__main__':`"
                    ) from None
                stream.add(group, None, failed)
                if group.jobs:
                    stream.waiting.appendleft(group)


class _JobStream(Generic[J, R]):
    """Jobs on their way to workers, and results on their way to whoever asked."""

    def __init__(self, groups: Iterable[Sequence[J]], size: int, *, ordered: bool) -> None:
        self._groups = enumerate(group for group in groups if group)
        self._size = size
        self._ordered = ordered
        self._left: dict[int, int] = {}  # of each group that is begun, jobs without a result
        self._results: dict[int, deque[JobResult[J, R]]] = {}  # of each, those that nobody has got yet
        self.waiting: deque[JobGroup[J]] = deque()

    @property
    def under_way(self) -> bool:
        """Whether there is something to come."""
        return bool(self._left)

    def fill(self) -> bool:
        """Have a job wait for each worker; not too many ahead of a result that is to come first."""
        most = self._size * (AHEAD if self._ordered else 1) + self._size
        while len(self.waiting) < self._size and len(self._left) < most:
            number, jobs = next(self._groups, (-1, ()))
            if not jobs:
                break
            self._left[number], self._results[number] = len(jobs), deque()
            self.waiting.append(JobGroup(number, deque(jobs)))
        return bool(self.waiting)

    def add(self, group: JobGroup[J], result: R | None, failure: JobFailed | None) -> None:
        """The first job of a group is done."""
        self._results[group.number].append(JobResult(group.jobs.popleft(), result, failure))

    def ready(self) -> Iterator[JobResult[J, R]]:
        """Yield results that can be given."""
        for number in list(self._results):
            results = self._results[number]
            while results:
                self._left[number] -= 1
                yield results.popleft()
            if not self._left[number]:
                del self._left[number], self._results[number]
            elif self._ordered:
                return


class _Seat(Generic[J, R]):
    """A worker, or the one that came after it; one job at a time."""

    def __init__(self, worker: WorkerProcess[J, R]) -> None:
        from asyncio import Lock

        self.worker = worker
        self.thread = _thread("tidings: waiting for a worker")
        self.free = Lock()
        self.wanted = 0  # jobs that are done or wait here

    async def take(self) -> None:
        """Wait until the worker is free."""
        self.wanted += 1
        try:
            await self.free.acquire()
        except BaseException:
            self.wanted -= 1
            raise

    def release(self) -> None:
        """The worker is free for the next job."""
        self.wanted -= 1
        self.free.release()


def _thread(name: str) -> Executor:
    """Return a thread for one thing at a time. What it needs takes long to load, and a stream of jobs does without."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1, name)


async def _awaited(thread: Executor | None, function: Callable[..., R], *given: object) -> R:
    """What a function gives, called in that thread or in any."""
    from asyncio import get_running_loop

    return await get_running_loop().run_in_executor(thread, function, *given)
