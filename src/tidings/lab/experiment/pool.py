"""No network for what is measured: a page is read from the bytes at hand, and nothing is fetched for it.

Worker processes that are watched from outside: what raises, hangs or dies on one step costs that step, no more.

A task is an item and the steps to take with it, in order. The work function yields one result for each step, so that
what steps share (a parsed page) is made once. After each result the clock starts anew (`Stopwatch`: a busy machine is
nobody's fault); a worker that takes too long is killed and another takes its place, and does the steps that were left.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import socket
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from types import TracebackType
from typing import Any, Final, Generic, NoReturn, Self, TypeVar

from tidings.errors import TidingsError
from tidings.lab.experiment.rows import StepOutcome
from tidings.processes.system import TICK, Stopwatch, ignore_interrupts, starting


def refuse_network() -> None:
    """From now on this process makes no connection and looks up no address. For worker processes only."""
    setattr(socket.socket, "connect", _refuse)  # noqa: B010  # mypy: a method is not to be set, and here it is
    setattr(socket.socket, "connect_ex", _refuse)  # noqa: B010
    setattr(socket, "getaddrinfo", _refuse)  # noqa: B010


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise OSError("there is no network while systems are measured")


Item = TypeVar("Item")
Result = TypeVar("Result")
#: From an item and the steps to take with it, a result for each step.
Work = Callable[[Item, tuple[str, ...]], Iterator[Result]]

_SPAWN: Final = multiprocessing.get_context("spawn")
_READY, _RESULT, _RAISED = "ready", "result", "raised"
_LONGEST_REASON: Final = 300  # some errors quote the whole page


@dataclass(frozen=True, slots=True)
class StepTask(Generic[Item]):
    """An item and the steps to take with it."""

    item: Item
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepDone(Generic[Item, Result]):
    """One step of one item, and what came of it."""

    item: Item
    step: str
    outcome: StepOutcome
    result: Result | None = None
    reason: str = ""


@dataclass(slots=True, eq=False)
class _StepWorker(Generic[Item]):
    process: BaseProcess
    connection: Connection
    ready: bool = False
    task: StepTask[Item] | None = None
    watch: Stopwatch = field(init=False)

    def __post_init__(self) -> None:
        self.watch = Stopwatch(self.process.pid or 0)

    def give(self, task: StepTask[Item]) -> None:
        self.task = task
        self.watch.restart()
        # One that died meanwhile is noticed when it is listened to.
        with suppress(OSError):
            self.connection.send(task)

    def end(self) -> None:
        self.process.kill()
        self.process.join()
        self.connection.close()


class Crew(Generic[Item, Result]):
    """A number of worker processes with the same work.

    Args:
        work: what to do; it is sent to each worker once, so it must be picklable.
        size: how many workers.
        timeout: seconds that one step may take.
    """

    def __init__(self, work: Work[Item, Result], size: int, timeout: float) -> None:
        self.work = work
        self.size = max(1, size)
        self.timeout = timeout
        self._workers: list[_StepWorker[Item]] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def run(self, tasks: Iterable[StepTask[Item]]) -> Generator[StepDone[Item, Result], None, None]:
        """Do the tasks; steps come as they are done.

        Raises:
            TidingsError: a worker process cannot be started.
        """
        waiting = deque(task for task in tasks if task.steps)
        try:
            yield from self._all(waiting)
        finally:
            # Where nobody wanted the rest, what is under way is no part of the next run.
            for worker in [worker for worker in self._workers if worker.task]:
                worker.end()
                self._workers.remove(worker)

    def _all(self, waiting: deque[StepTask[Item]]) -> Iterator[StepDone[Item, Result]]:
        while waiting or any(worker.task for worker in self._workers):
            while waiting and (idle := self._idle()):
                idle.give(waiting.popleft())
            busy = {worker.connection: worker for worker in self._workers if worker.task}
            speaking = wait(list(busy), TICK)
            for connection, worker in busy.items():
                if connection in speaking:
                    yield from self._heard(worker, waiting)
            for worker in busy.values():
                if worker.task and worker.ready and worker.watch.charge() > self.timeout:
                    reason = f"it took longer than {self.timeout:g} seconds"
                    yield self._lost(worker, StepOutcome.KILLED, reason, waiting)

    def _idle(self) -> _StepWorker[Item] | None:
        """A worker that has nothing to do, a new one if there may be more."""
        idle = next((worker for worker in self._workers if worker.task is None), None)
        if idle is None and len(self._workers) < self.size:
            ours, theirs = _SPAWN.Pipe()
            process = _SPAWN.Process(target=_serve, args=(theirs, self.work), daemon=True)
            with starting():
                process.start()
            theirs.close()
            idle = _StepWorker(process, ours)
            self._workers.append(idle)
        return idle

    def _heard(self, worker: _StepWorker[Item], waiting: deque[StepTask[Item]]) -> Iterator[StepDone[Item, Result]]:
        try:
            kind, content = worker.connection.recv()
        except (EOFError, OSError):
            worker.process.join()
            if not worker.ready:
                raise TidingsError(
                    "a worker process could not start; in a script, keep the call under `if __name__ == '__main__':`"
                ) from None
            yield self._lost(worker, StepOutcome.DIED, _ending(worker.process.exitcode), waiting)
            return
        worker.ready = True
        worker.watch.restart()
        task = worker.task
        if kind == _READY or task is None:
            return
        rest = task.steps[1:]
        if kind == _RAISED:
            worker.task = None
            if rest:
                waiting.appendleft(StepTask(task.item, rest))
            yield StepDone(task.item, task.steps[0], StepOutcome.RAISED, reason=str(content))
            return
        worker.task = StepTask(task.item, rest) if rest else None
        yield StepDone(task.item, task.steps[0], StepOutcome.READ, content)

    def _lost(
        self, worker: _StepWorker[Item], outcome: StepOutcome, reason: str, waiting: deque[StepTask[Item]]
    ) -> StepDone[Item, Result]:
        """A worker is gone, or must go; the steps it had not begun are for another."""
        task = worker.task
        assert task is not None  # noqa: S101  # only those with a task are listened to
        worker.end()
        self._workers.remove(worker)
        if task.steps[1:]:
            waiting.appendleft(StepTask(task.item, task.steps[1:]))
        return StepDone(task.item, task.steps[0], outcome, reason=reason)


def _ending(code: int | None) -> str:
    if code is not None and code < 0:
        name = next((one.name for one in signal.Signals if one == -code), f"signal {-code}")
        return f"the process was ended by {name}" + (" (out of memory?)" if name == "SIGKILL" else "")
    return f"the process ended itself with code {code}"


def _serve(connection: Connection, work: Work[Any, Any]) -> None:
    """What a worker does: tasks in, results out, one message a step."""
    ignore_interrupts()
    # What a system prints is no result of ours.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
    os.dup2(nowhere, 2)
    refuse_network()
    connection.send((_READY, None))
    while True:
        try:
            task = connection.recv()
        except EOFError:
            return
        try:
            for result in work(task.item, task.steps):
                connection.send((_RESULT, result))
        except BaseException as error:  # a system may end in any way; the run goes on
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            connection.send((_RAISED, reason[:_LONGEST_REASON]))
