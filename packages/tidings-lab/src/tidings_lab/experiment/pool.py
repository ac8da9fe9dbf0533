"""A pool of worker processes that run several steps on each item; an error, a hang or a crash affects only the step in
which it happens.

A task is an item and the steps to run on it, in order. The work function yields a result for each step, so that steps
can share data such as a parsed page. Workers have no network: a page is read from its bytes, and nothing is fetched for
it.
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
#: A function from an item and its steps to a result for each step.
Work = Callable[[Item, tuple[str, ...]], Iterator[Result]]

_LONGEST_REASON: Final = 300  # some errors quote the whole page
_OUTCOMES: Final = {Ending.RAISED: StepOutcome.RAISED, Ending.TIME: StepOutcome.KILLED}


@dataclass(frozen=True, slots=True)
class StepTask(Generic[Item]):
    """An item with the names of the steps that the work function runs on it, such as the systems to measure."""

    item: Item
    steps: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StepDone(Generic[Item, Result]):
    """The result of a step on an item, or the reason of its failure."""

    item: Item
    step: str
    outcome: StepOutcome
    result: Result | None = None
    reason: str = ""


class _StepJob(NamedTuple):
    """An item with its remaining steps, of which the first one is run."""

    item: Any
    remaining: tuple[str, ...]


class StepPool(Generic[Item, Result]):
    """A pool of worker processes that run the same work function.

    Args:
        work: the work function; it is sent to each worker once, so it must be picklable.
        size: the number of workers.
        timeout: seconds per step.
    """

    def __init__(self, work: Work[Item, Result], size: int, timeout: float) -> None:
        self._pool: ProcessPool[_StepJob, Result] = ProcessPool(_StepSetup(work), size, JobLimits(timeout))

    def __enter__(self) -> StepPool[Item, Result]:
        return self

    def __exit__(self, *raised: object) -> None:
        self._pool.__exit__(None, None, None)

    def run(self, tasks: Iterable[StepTask[Item]]) -> Generator[StepDone[Item, Result], None, None]:
        """Run the tasks and yield steps as they finish.

        Raises:
            TidingsError: a worker process cannot be started.
        """
        groups = ([_StepJob(task.item, task.steps[at:]) for at in range(len(task.steps))] for task in tasks)
        results = self._pool.run(groups)
        try:
            yield from map(_done, results)
        finally:
            results.close()


def _done(job_result: JobResult[_StepJob, Result]) -> StepDone[Any, Result]:
    step, failure = job_result.job, job_result.failure
    if failure is None:
        return StepDone(step.item, step.remaining[0], StepOutcome.READ, job_result.result)
    outcome = _OUTCOMES.get(failure.ending, StepOutcome.DIED)
    error = failure.error
    reason = str(failure) if error is None else " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST_REASON]
    return StepDone(step.item, step.remaining[0], outcome, reason=reason)


@dataclass(frozen=True, slots=True)
class _StepSetup:
    work: Work[Any, Any]

    def open(self) -> _StepRunner:
        # Discard what systems print.
        devnull = os.open(os.devnull, os.O_WRONLY)
        os.dup2(devnull, 1)
        os.dup2(devnull, 2)
        refuse_network()
        return _StepRunner(self.work)


@dataclass(slots=True)
class _StepRunner:
    """Runs the steps of items in a worker process; the work function is called once for all steps of an item."""

    work: Work[Any, Any]
    item: Any = None
    results: Iterator[Any] = field(default_factory=lambda: iter(()))

    def do(self, job: _StepJob) -> Any:
        if job.item is not self.item:
            self.item, self.results = job.item, self.work(job.item, job.remaining)
        is_last = len(job.remaining) == 1
        try:
            result = next(self.results)
        except BaseException:
            is_last = True  # restart the work function for the remaining steps
            raise
        finally:
            if is_last:
                self.item = None
        return result

    def close(self) -> None:
        """Do nothing: there are no resources to release."""


def refuse_network() -> None:
    """Disable connections and name lookups in this process. For worker processes only."""
    setattr(socket.socket, "connect", _refuse)  # noqa: B010  # mypy: a method is not to be set, and here it is
    setattr(socket.socket, "connect_ex", _refuse)  # noqa: B010
    setattr(socket, "getaddrinfo", _refuse)  # noqa: B010


def _refuse(*_: Any, **__: Any) -> NoReturn:
    raise OSError("there is no network while systems are measured")
