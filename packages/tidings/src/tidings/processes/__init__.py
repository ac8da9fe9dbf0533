"""Work in processes of its own: because there are several cores, and because what a page does to its reader must cost
only that page (HOSTILE 18).

A worker opens what it needs (`WorkerSetup`), then does one job after the other. A job that raises, takes too long,
needs too much memory or brings its worker to an end is a `JobFailed`; the worker is replaced, and all other jobs are
done. `ProcessPool.do` is for a server that has jobs now and then, `ProcessPool.run` for a stream of them, `in_order`
for one function and many items.

How long a job takes is told by a clock that does not run while others hold the processor. On a busy machine, or one
that was put to sleep, honest work can take minutes by the clock on the wall. So a process that wants to run is
charged the processor time it got; one that waits (a lock, a connection, a sleep) is charged the time it waits. Where
the system does not tell (no /proc), the clock on the wall has to do. It is also the last word: ten times what a job
may take.

Each process has one thread for its numbers, and all of them are deaf to Ctrl-C: a terminal sends it to every process
of a command, but it is meant for the one that started the others and will end them.

One function and many items, here or in several processes.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final, Generic, NamedTuple, Self, TypeVar, cast

from tidings.errors import TidingsError
from tidings.processes.jobs import Ending, JobFailed, JobLimits, JobResult, JobRunner, WorkerPool, WorkerSetup

if TYPE_CHECKING:
    from tidings.processes.pool import InlinePool, ProcessPool

J = TypeVar("J")
R = TypeVar("R")

#: Items that go to a worker at one time.
_MOST_AT_ONCE: Final = 8
#: Fewer than this are not worth the start of processes.
_FEW: Final = 20


def in_order(
    work: Callable[[J], R],
    items: Sequence[J],
    processes: int,
    limits: JobLimits | None = None,
    *,
    as_copies: bool = False,
) -> Iterator[JobResult[J, R]]:
    """One function on many items, in their order; here, if one process is enough. What raises by mistake, raises here.

    Args:
        work: the function; it is sent to each worker once, so it must be picklable.
        items: what it is called with.
        processes: how many.
        limits: of one item, where there are processes.
        as_copies: as for a `ProcessPool`.
    """
    if processes <= 1 or len(items) <= 1:
        yield from (_attempt(work, item) for item in items)
        return
    from tidings.processes.pool import AHEAD, ProcessPool  # one page needs no processes

    with ProcessPool(_Calls(work), processes, limits, as_copies=as_copies) as pool:
        for done in pool.run(_groups(items, AHEAD * processes), ordered=True):
            failure = done.failure
            if failure is not None and failure.error is not None and not isinstance(failure.error, TidingsError):
                raise failure.error
            yield done


def results(work: Callable[[J], R], items: Sequence[J], processes: int) -> list[R]:
    """What one function gives for many items, in their order. What fails, raises here."""
    found = []
    for done in in_order(work, items, processes if len(items) >= _FEW else 1):
        if done.failure is not None:
            raise done.failure.error or done.failure
        found.append(done.result)
    return cast("list[R]", found)


def cores() -> int:
    """Return how many there are to use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _groups(items: Sequence[J], parts: int) -> Iterator[Sequence[J]]:
    """Yield groups for workers, smaller ones towards the end: so all of them end at about the same time."""
    begin = 0
    while begin < len(items):
        at_once = max(1, min(_MOST_AT_ONCE, (len(items) - begin) // parts))
        yield items[begin : begin + at_once]
        begin += at_once


def _attempt(work: Callable[[J], R], item: J) -> JobResult[J, R]:
    try:
        return JobResult(item, work(item))
    except TidingsError as error:
        return JobResult(item, None, JobFailed.by(error))


class _Calls(NamedTuple, Generic[J, R]):
    """A worker that calls one function."""

    function: Callable[[J], R]

    def open(self) -> Self:
        return self

    def do(self, job: J) -> R:
        return self.function(job)

    def close(self) -> None:
        """There is nothing to let go of."""


__all__ = [
    "Ending",
    "InlinePool",
    "JobFailed",
    "JobLimits",
    "JobResult",
    "JobRunner",
    "ProcessPool",
    "WorkerPool",
    "WorkerSetup",
    "cores",
    "in_order",
    "results",
]


def __getattr__(name: str) -> Any:
    if name in ("InlinePool", "ProcessPool"):  # one page needs no processes
        from tidings.processes import pool

        return getattr(pool, name)
    raise AttributeError(f"module 'tidings.processes' has no attribute {name!r}")
