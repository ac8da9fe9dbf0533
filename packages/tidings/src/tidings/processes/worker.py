"""A worker process: the connection to it, and its main loop."""

from __future__ import annotations

import gc
import multiprocessing
import os
import pickle
import signal
from collections import deque
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from time import monotonic
from traceback import format_exception
from typing import Any, Final, Generic, NamedTuple, TypeVar
from weakref import WeakSet

from tidings.errors import TidingsError
from tidings.processes.jobs import Ending, JobFailed, JobLimits, JobRunner, WorkerSetup
from tidings.processes.system import TICK, Stopwatch, ignore_interrupts, limit_memory, may_copy, starting

J = TypeVar("J")
R = TypeVar("R")
_SPAWN: Final = multiprocessing.get_context("spawn")
#: Our ends of the connections to all workers. A forked worker closes them, so that each worker notices when we end.
_OURS: Final[WeakSet[Connection]] = WeakSet()
_START: Final = 120.0  # seconds to start a process on a busy machine
#: Exit code of a worker that is out of memory.
_NO_MEMORY: Final = 117
#: Wall-clock limit as a multiple of the time limit.
_WALL: Final = 10.0


@dataclass(slots=True, eq=False)
class JobGroup(Generic[J]):
    """Jobs for a worker that are not finished."""

    number: int
    jobs: deque[J]


class _Reply(NamedTuple):
    """A message of a worker: None when it is ready, then one of these for each job."""

    result: Any
    error: BaseException | None = None

    @property
    def failure(self) -> JobFailed | None:
        return None if self.error is None else JobFailed.by(self.error)


class WorkerProcess(Generic[J, R]):
    """A worker process and the connection to it."""

    def __init__(self, setup: WorkerSetup[J, R], limits: JobLimits, *, as_copy: bool = False) -> None:
        self.line, theirs = _SPAWN.Pipe()
        _OURS.add(self.line)
        is_copy = as_copy and may_copy()
        make = multiprocessing.get_context("fork").Process if is_copy else _SPAWN.Process
        self.process = make(target=_serve, args=(theirs, setup, limits), daemon=True, name="tidings: worker")
        with starting(copied=is_copy):
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
        """Send jobs to the worker."""
        self.group = group
        self._send(tuple(group.jobs))

    def _send(self, jobs: tuple[J, ...]) -> None:
        self._restart()
        with suppress(OSError):  # a crash is noticed when its messages are read
            self.line.send(jobs)

    def exchange(self, job: J) -> R:
        """Run a job and wait for the result; called in a thread.

        Raises:
            JobFailed: the job failed.
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
        """Receive a message: None if the worker is ready, else the result of a job.

        Raises:
            JobFailed: the worker has ended.
            TidingsError: the worker could not start.
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
        """End the worker if it exceeds the time limit.

        Raises:
            JobFailed: the worker took too long and was ended.
        """
        wall = monotonic() - self._since
        if not self.is_ready:
            if wall > _START:
                self.end(0.0)
                raise JobFailed(f"it was not ready after {_START:g} seconds", Ending.TIME)
        elif not self._is_watched:
            if wall >= TICK:  # most jobs are faster than reading /proc
                self._watch.restart()
                self._is_watched = True
        elif self._seconds is not None and (self._watch.charge() > self._seconds or wall > _WALL * self._seconds):
            self.end(0.0)
            raise JobFailed(f"it took longer than {self._seconds:g} seconds and was ended", Ending.TIME)

    def _restart(self) -> None:
        self._since = monotonic()
        self._is_watched = False

    def dismiss(self) -> None:
        """Tell the worker that there are no more jobs."""
        with suppress(OSError):
            self.line.send(None)

    def end(self, seconds: float) -> None:
        """Wait for the worker to end, and kill it after some seconds."""
        self.process.join(seconds)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()
        with suppress(OSError):
            self.line.close()


def _death(code: int | None, *, is_limited: bool) -> JobFailed:
    # Compiled code aborts if it is out of memory.
    if code == _NO_MEMORY or (is_limited and code == -signal.SIGABRT):
        return JobFailed("it took more memory than a job may", Ending.MEMORY)
    if code is not None and code < 0:
        name = next((each_signal.name for each_signal in signal.Signals if each_signal == -code), f"signal {-code}")
        return JobFailed(f"the process was ended by {name}" + (" (out of memory?)" if name == "SIGKILL" else ""))
    return JobFailed(f"the process ended itself with code {code}")


def _serve(line: Connection, setup: WorkerSetup[Any, Any], limits: JobLimits) -> None:
    """Run the main loop of a worker process: do jobs until there are no more."""
    for other in list(_OURS):  # only in a forked worker
        other.close()
    ignore_interrupts()
    # Also ignore SIGTERM, which systemd sends to all processes of a service: a worker ends when its connection is
    # closed, after its current job. `kill -9` ends it at once.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        runner = setup.open()
    except TidingsError as error:
        with suppress(OSError):  # the parent has ended
            line.send(error)
        return
    if limits.memory is not None:
        limit_memory(limits.memory)
    gc.freeze()  # loaded objects stay, so the collector need not scan them
    try:
        line.send(None)
        while (jobs := line.recv()) is not None:
            for job in jobs:
                line.send(_done(runner, job))
    except MemoryError:  # leftovers of the job would affect the next one
        os._exit(_NO_MEMORY)
    except (EOFError, OSError):  # the parent has ended
        pass
    finally:
        runner.close()


def _done(runner: JobRunner[Any, Any], job: Any) -> _Reply:
    try:
        return _Reply(runner.do(job))
    except MemoryError:
        raise
    except BaseException as error:  # foreign code may raise anything; other jobs go on
        return _Reply(None, _sendable(error))


def _sendable(error: BaseException) -> BaseException:
    """Return a picklable error: the error itself, or its nearest picklable base class with its message."""
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
        return type(pickle.loads(pickle.dumps(error))) is type(error)  # noqa: S301  # created by us
    except Exception:
        return False
