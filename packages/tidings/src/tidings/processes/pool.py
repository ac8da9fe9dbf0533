"""Pools of workers, for occasional jobs and for streams of jobs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from multiprocessing.connection import wait
from typing import TYPE_CHECKING, Final, Generic, Self, TypeVar

from tidings.errors import TidingsError
from tidings.processes.jobs import JobFailed, JobLimits, JobResult, WorkerSetup
from tidings.processes.system import TICK

if TYPE_CHECKING:
    from concurrent.futures import Executor
from tidings.processes.worker import JobGroup, WorkerProcess

J = TypeVar("J")
R = TypeVar("R")


# -- in the worker ----------------------------------------------------------------------------------------------------


#: Number of groups that a worker may be ahead of the first result.
AHEAD: Final = 4


class InlinePool(Generic[J, R]):
    """Runs jobs in a thread of this process, one at a time and without limits."""

    def __init__(self, setup: WorkerSetup[J, R]) -> None:
        self._runner = setup.open()
        self._thread = _thread("tidings: jobs")

    async def do(self, job: J, worker: int | None = None) -> R:  # noqa: ARG002  # there is only one
        """Return the result of a job.

        Raises:
            JobFailed: the job raised an error.
        """
        try:
            return await _awaited(self._thread, self._runner.do, job)
        except Exception as error:  # a page may trigger any bug of ours; other jobs go on
            raise JobFailed.by(error) from error

    async def close(self) -> None:
        """Release the thread and the job runner."""
        await _awaited(None, self._thread.shutdown)
        await _awaited(None, self._runner.close)


class ProcessPool(Generic[J, R]):
    """Runs jobs in worker processes.

    Args:
        setup: creates the job runner of each worker.
        size: number of workers.
        limits: limits per job.
        as_copies: whether workers are forks of this process, which need not load anything again, if that is safe
            (`may_copy`). Only for commands without connections, locks or databases, which a fork would share.
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

    # -- occasional jobs of an event loop

    def start(self) -> None:
        """Start the workers ahead of the first job."""
        while len(self._seats) < self._size:
            self._seats.append(_Seat(self._worker()))

    @property
    def processes(self) -> list[int]:
        """Return the process IDs of the workers."""
        return [seat.worker.process.pid or 0 for seat in self._seats]

    async def do(self, job: J, worker: int | None = None) -> R:
        """Return the result of a job, from a given worker or the least busy one.

        Raises:
            JobFailed: the job failed.
        """
        self.start()
        seat = (
            min(self._seats, key=lambda each_seat: each_seat.demand)
            if worker is None
            else self._seats[worker % self._size]
        )
        await seat.take()
        try:
            if not seat.worker.process.is_alive():  # it was killed while idle
                seat.worker = await _awaited(seat.thread, self._worker)
            result = await _awaited(seat.thread, seat.worker.exchange, job)
        except Exception:
            # After a failure the worker may be dead. (A cancelled caller does not get here; its worker stays busy.)
            if not seat.worker.process.is_alive():
                seat.worker = await _awaited(seat.thread, self._worker)
            seat.release()
            raise
        seat.release()
        return result

    async def close(self) -> None:
        """Tell the workers to end, and kill those that do not."""
        await _awaited(None, self._end)

    def _end(self) -> None:
        workers = [*self._workers, *(seat.worker for seat in self._seats)]
        for worker in workers:
            worker.dismiss()
        for worker in workers:
            # A worker that is not ready may still be importing, and has nothing to lose.
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
        """Run jobs and yield their results.

        A group of jobs goes to one worker, so that shared data (a page) is sent and prepared once. The clock restarts
        after each job. If a job crashes the worker, another worker runs the rest of the group.

        Args:
            groups: the jobs, read as workers become free.
            ordered: whether results come in the order of the jobs instead of as they finish.

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
            # If the caller stops early, running jobs must not leak into the next run.
            for worker in [worker for worker in self._workers if worker.group]:
                worker.end(0.0)
                self._workers.remove(worker)

    def _assign(self, stream: _JobStream[J, R]) -> None:
        """Give waiting groups of jobs to idle workers, and start more workers up to the limit."""
        idle = [worker for worker in self._workers if worker.group is None]
        for worker in [worker for worker in idle if worker.is_ready and not worker.process.is_alive()]:
            idle.remove(worker)  # it was killed while idle
            self._workers.remove(worker)
        while len(self._workers) < self._size and len(idle) < len(stream.waiting):
            self._workers.append(self._worker())
            idle.append(self._workers[-1])
        for worker in idle:
            if worker.is_ready and stream.waiting:
                worker.give(stream.waiting.popleft())

    def _listen(self, stream: _JobStream[J, R]) -> None:
        """Receive results, and check the time of busy workers."""
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
    """The queue between job groups, workers and results."""

    def __init__(self, groups: Iterable[Sequence[J]], size: int, *, ordered: bool) -> None:
        self._groups = enumerate(group for group in groups if group)
        self._size = size
        self._ordered = ordered
        self._unfinished: dict[int, int] = {}  # number of jobs without result, by started group
        self._results: dict[int, deque[JobResult[J, R]]] = {}  # results that are not yet returned, by group
        self.waiting: deque[JobGroup[J]] = deque()

    @property
    def under_way(self) -> bool:
        """Return whether results are pending."""
        return bool(self._unfinished)

    def fill(self) -> bool:
        """Prepare groups of jobs for idle workers, and return whether any group is waiting. The number of unfinished
        groups is limited.
        """
        most = self._size * (AHEAD if self._ordered else 1) + self._size
        while len(self.waiting) < self._size and len(self._unfinished) < most:
            number, jobs = next(self._groups, (-1, ()))
            if not jobs:
                break
            self._unfinished[number], self._results[number] = len(jobs), deque()
            self.waiting.append(JobGroup(number, deque(jobs)))
        return bool(self.waiting)

    def add(self, group: JobGroup[J], result: R | None, failure: JobFailed | None) -> None:
        """Record the result of the first job of a group."""
        self._results[group.number].append(JobResult(group.jobs.popleft(), result, failure))

    def ready(self) -> Iterator[JobResult[J, R]]:
        """Yield the results that are ready, in the order of the jobs if `ordered`."""
        for number in list(self._results):
            results = self._results[number]
            while results:
                self._unfinished[number] -= 1
                yield results.popleft()
            if not self._unfinished[number]:
                del self._unfinished[number], self._results[number]
            elif self._ordered:
                return


class _Seat(Generic[J, R]):
    """A worker process with a lock, so that it does one job at a time. The process is replaced if it dies."""

    def __init__(self, worker: WorkerProcess[J, R]) -> None:
        from asyncio import Lock

        self.worker = worker
        self.thread = _thread("tidings: waiting for a worker")
        self.free = Lock()
        self.demand = 0  # running and waiting jobs

    async def take(self) -> None:
        """Wait until the worker is free."""
        self.demand += 1
        try:
            await self.free.acquire()
        except BaseException:
            self.demand -= 1
            raise

    def release(self) -> None:
        """Mark the worker as free."""
        self.demand -= 1
        self.free.release()


def _thread(name: str) -> Executor:
    """Return a single-thread executor. Imported late, because job streams do without it."""
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(1, name)


async def _awaited(thread: Executor | None, function: Callable[..., R], *arguments: object) -> R:
    """Run a function in a thread and wait for its result."""
    from asyncio import get_running_loop

    return await get_running_loop().run_in_executor(thread, function, *arguments)
