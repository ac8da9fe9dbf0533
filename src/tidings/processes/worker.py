"""One worker process: the line to it, and what it does at the other end."""

from __future__ import annotations

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

from tidings.errors import TidingsError
from tidings.processes.jobs import Ending, JobFailed, JobLimits, JobRunner, WorkerSetup
from tidings.processes.system import TICK, Stopwatch, ignore_interrupts, limit_memory, starting

J = TypeVar("J")
R = TypeVar("R")

_SPAWN: Final = multiprocessing.get_context("spawn")
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

    def __init__(self, setup: WorkerSetup[J, R], limits: JobLimits) -> None:
        self.line, theirs = _SPAWN.Pipe()
        self.process = _SPAWN.Process(target=_serve, args=(theirs, setup, limits), daemon=True, name="tidings: worker")
        with starting():
            self.process.start()
        theirs.close()
        self.is_ready = False
        self.group: JobGroup[J] | None = None
        self._seconds = limits.seconds
        self._watch = Stopwatch(self.process.pid or 0)
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
            raise _death(self.process.exitcode) from error
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
        elif self._seconds is not None and (self._watch.charge() > self._seconds or wall > _WALL * self._seconds):
            self.end(0.0)
            raise JobFailed(f"it took longer than {self._seconds:g} seconds and was ended", Ending.TIME)

    def _restart(self) -> None:
        self._since = monotonic()
        self._watch.restart()

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


def _death(code: int | None) -> JobFailed:
    if code == _NO_MEMORY:
        return JobFailed("it took more memory than is given for one job", Ending.MEMORY)
    if code is not None and code < 0:
        name = next((one.name for one in signal.Signals if one == -code), f"signal {-code}")
        return JobFailed(f"the process was ended by {name}" + (" (out of memory?)" if name == "SIGKILL" else ""))
    return JobFailed(f"the process ended itself with code {code}")


# -- in the worker ----------------------------------------------------------------------------------------------------


def _serve(line: Connection, setup: WorkerSetup[Any, Any], limits: JobLimits) -> None:
    """What a worker does until nobody has anything for it."""
    ignore_interrupts()
    # So is the end that systemd tells all processes of a service: a worker ends when its line is closed, and not before
    # the job under way is done. `kill -9` ends it at once.
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    try:
        runner = setup.open()
    except TidingsError as error:
        line.send(error)
        return
    if limits.memory is not None:
        limit_memory(limits.memory)
    line.send(None)
    try:
        while (jobs := _next(line)) is not None:
            for job in jobs:
                line.send(_done(runner, job))
    except MemoryError:  # what is left of the job would be in the way of the next one
        os._exit(_NO_MEMORY)
    except OSError:  # nobody listens any more
        pass
    finally:
        runner.close()


def _next(line: Connection) -> Any:
    try:
        return line.recv()
    except EOFError:
        return None


def _done(runner: JobRunner[Any, Any], job: Any) -> _Reply:
    try:
        return _Reply(runner.do(job))
    except MemoryError:
        raise
    except BaseException as error:  # others' code may end in any way; the rest goes on
        return _Reply(None, _sendable(error))


def _sendable(error: BaseException) -> BaseException:
    """An error that can be sent; one that cannot is sent as the next of its ancestors that can, with its sentence."""
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
