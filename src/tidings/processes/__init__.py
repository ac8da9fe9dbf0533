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
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from tidings.processes.batches import cores, in_order, results
from tidings.processes.jobs import Ending, JobFailed, JobLimits, JobResult, JobRunner, WorkerPool, WorkerSetup

if TYPE_CHECKING:
    from tidings.processes.pool import InlinePool, ProcessPool

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
