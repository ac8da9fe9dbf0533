"""Worker processes: parallel work, and isolation, so that a page that crashes its worker affects only itself (HOSTILE
18).

A worker opens what it needs (`WorkerSetup`) and then runs jobs one after the other. A job that raises, takes too long,
needs too much memory or crashes its worker results in a `JobFailed`; the worker is replaced and the other jobs run.
`ProcessPool.do` is for servers with occasional jobs, `ProcessPool.run` for a stream of jobs, and `in_order` for a
function and many items.

The time of a job is measured by a clock that stops while other processes use the processor, because on a busy or
suspended machine honest work may take minutes of wall-clock time. A running process is charged its processor time, and
a waiting one (for a lock, a connection, a sleep) the time that it waits. Without /proc the wall clock is used. It is
also the final limit: ten times the limit of a job.

Each process uses one thread for numeric libraries and ignores Ctrl-C: a terminal sends it to all processes of a
command, but only the parent should react and end its children.
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

#: Largest number of items sent to a worker at once.
_MOST_AT_ONCE: Final = 8
#: With fewer items, starting processes does not pay.
_FEW: Final = 20


def in_order(
    work: Callable[[J], R],
    items: Sequence[J],
    processes: int,
    limits: JobLimits | None = None,
    *,
    as_copies: bool = False,
) -> Iterator[JobResult[J, R]]:
    """Apply a function to many items in order, in this process if one is enough. Unexpected errors are raised here.

    Args:
        work: the function, which must be picklable.
        items: its arguments.
        processes: number of processes.
        limits: limits per item, if processes are used.
        as_copies: see `ProcessPool`.
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
    """Apply a function to many items and return the results in order. Errors are raised here."""
    values = []
    for done in in_order(work, items, processes if len(items) >= _FEW else 1):
        if done.failure is not None:
            raise done.failure.error or done.failure
        values.append(done.result)
    return cast("list[R]", values)


def cores() -> int:
    """Return the number of usable cores."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _groups(items: Sequence[J], parts: int) -> Iterator[Sequence[J]]:
    """Yield groups of items, smaller ones towards the end, so that all workers finish at about the same time."""
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
    """A worker that calls a function."""

    function: Callable[[J], R]

    def open(self) -> Self:
        return self

    def do(self, job: J) -> R:
        return self.function(job)

    def close(self) -> None:
        """Do nothing; there is nothing to close."""


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
