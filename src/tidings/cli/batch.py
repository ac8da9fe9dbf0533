"""Many pages through one function, on several cores; what fails is set aside and named, and the rest goes on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Generic, TypeVar

from tidings.errors import TidingsError

if TYPE_CHECKING:  # one page needs no processes
    from concurrent.futures import Future, ProcessPoolExecutor

Item = TypeVar("Item")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Done(Generic[Item, Result]):
    """One item and what came of it: a result, or the reason why there is none."""

    item: Item
    result: Result | None
    reason: str | None = None


def default_jobs() -> int:
    """As many as there are cores to use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def run(work: Callable[[Item], Result], items: Sequence[Item], jobs: int) -> Iterator[Done[Item, Result]]:
    """Results in the order of the items. Expected failures become reasons; only a bug raises."""
    if jobs <= 1 or len(items) <= 1:
        yield from (attempt(work, item) for item in items)
        return
    from concurrent.futures.process import BrokenProcessPool

    rest = list(items)
    while rest:
        done = 0
        try:
            with _workers(min(jobs, len(rest))) as pool:
                for result in _windowed(pool, work, rest, 8 * jobs):
                    done += 1
                    yield result
            return
        except BrokenProcessPool:
            # A worker died. Whatever was under way is tried alone, so that the guilty page is the one that is named.
            rest = rest[done:]
            yield _alone(work, rest.pop(0))


def attempt(work: Callable[[Item], Result], item: Item) -> Done[Item, Result]:
    """Do one item here and now."""
    try:
        return Done(item, work(item))
    except TidingsError as error:
        return Done(item, None, str(error))


def _windowed(
    pool: ProcessPoolExecutor, work: Callable[[Item], Result], items: list[Item], window: int
) -> Iterator[Done[Item, Result]]:
    """Keep a bounded number of items under way, so that memory does not grow with the batch."""
    from tidings.processes import starting

    source = iter(items)
    under_way: list[Future[Done[Item, Result]]] = []
    with starting():
        under_way += [pool.submit(attempt, work, item) for item in islice(source, window)]
    while under_way:
        yield under_way.pop(0).result()
        under_way += [pool.submit(attempt, work, item) for item in islice(source, 1)]


def _alone(work: Callable[[Item], Result], item: Item) -> Done[Item, Result]:
    from concurrent.futures.process import BrokenProcessPool

    from tidings.processes import starting

    try:
        with _workers(1) as pool:
            with starting():
                only = pool.submit(attempt, work, item)
            return only.result()
    except BrokenProcessPool:
        return Done(item, None, "the worker process died on this page (out of memory, or killed)")


@contextmanager
def _workers(count: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes. Whoever leaves early, as by Ctrl-C, does not wait for what they are at."""
    import multiprocessing
    from concurrent.futures import ProcessPoolExecutor

    from tidings.processes import ignore_interrupts

    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, mp_context=spawn, initializer=ignore_interrupts)
    try:
        yield pool
    except BaseException:
        working = list((pool._processes or {}).values())  # Python 3.14 has `kill_workers`
        pool.shutdown(wait=False, cancel_futures=True)
        for process in working:
            process.kill()
        raise
    finally:
        pool.shutdown()
