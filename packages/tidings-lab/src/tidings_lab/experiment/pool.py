"""Steps with an item, each in a worker process: what raises, hangs or dies on one step costs that step, no more.

A task is an item and the steps to take with it, in order. The work function yields one result for each step, so that
what steps share (a parsed page) is made once. There is no network for what is measured: a page is read from the bytes
at hand, and nothing is fetched for it.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Generic, NamedTuple, NoReturn, TypeVar

from tidings.processes import Ending, JobLimits, JobResult, ProcessPool
from tidings_lab.experiment.rows import StepOutcome

Item = TypeVar("Item")
Result = TypeVar("Result")
#: From an item and the steps to take with it, a result for each step.
Work = Callable[[Item, tuple[str, ...]], Iterator[Result]]

_LONGEST_REASON: Final = 300  # some errors quote the whole page
_OUTCOMES: Final = {Ending.RAISED: StepOutcome.RAISED, Ending.TIME: StepOutcome.KILLED}


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


class _StepJob(NamedTuple):
    """The first of the steps that are left of an item."""

    item: Any
    left: tuple[str, ...]


class StepPool(Generic[Item, Result]):
    """A number of worker processes with the same work.

    Args:
        work: what to do; it is sent to each worker once, so it must be picklable.
        size: how many workers.
        timeout: seconds that one step may take.
    """

    def __init__(self, work: Work[Item, Result], size: int, timeout: float) -> None:
        self._pool: ProcessPool[_StepJob, Result] = ProcessPool(_StepSetup(work), size, JobLimits(timeout))

    def __enter__(self) -> StepPool[Item, Result]:
        return self

    def __exit__(self, *raised: object) -> None:
        self._pool.__exit__(None, None, None)

    def run(self, tasks: Iterable[StepTask[Item]]) -> Generator[StepDone[Item, Result], None, None]:
        """Do the tasks; steps come as they are done.

        Raises:
            TidingsError: a worker process cannot be started.
        """
        groups = ([_StepJob(one.item, one.steps[at:]) for at in range(len(one.steps))] for one in tasks)
        results = self._pool.run(groups)
        try:
            yield from map(_done, results)
        finally:
            results.close()


def _done(told: JobResult[_StepJob, Result]) -> StepDone[Any, Result]:
    step, failure = told.job, told.failure
    if failure is None:
        return StepDone(step.item, step.left[0], StepOutcome.READ, told.result)
    outcome = _OUTCOMES.get(failure.ending, StepOutcome.DIED)
    error = failure.error
    reason = str(failure) if error is None else " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_REASON]
    return StepDone(step.item, step.left[0], outcome, reason=reason)


@dataclass(frozen=True, slots=True)
class _StepSetup:
    work: Work[Any, Any]

    def open(self) -> _StepRunner:
        # What a system prints is no result of ours.
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, 1)
        os.dup2(nowhere, 2)
        refuse_network()
        return _StepRunner(self.work)


@dataclass(slots=True)
class _StepRunner:
    """Takes steps, those of one item from one run of the work."""

    work: Work[Any, Any]
    item: Any = None
    results: Iterator[Any] = field(default_factory=lambda: iter(()))

    def do(self, job: _StepJob) -> Any:
        if job.item is not self.item:
            self.item, self.results = job.item, self.work(job.item, job.left)
        is_last = len(job.left) == 1
        try:
            result = next(self.results)
        except BaseException:
            is_last = True  # what is left begins anew
            raise
        finally:
            if is_last:
                self.item = None
        return result

    def close(self) -> None:
        """There is nothing to let go of."""


def refuse_network() -> None:
    """From now on this process makes no connection and looks up no address. For worker processes only."""
    setattr(socket.socket, "connect", _refuse)  # noqa: B010  # mypy: a method is not to be set, and here it is
    setattr(socket.socket, "connect_ex", _refuse)  # noqa: B010
    setattr(socket, "getaddrinfo", _refuse)  # noqa: B010


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise OSError("there is no network while systems are measured")
