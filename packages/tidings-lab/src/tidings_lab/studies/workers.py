"""Throughput by number of workers: the same pages repeatedly, by one, two, four … processes or threads.

Source: N-EXT thesis 6.2.3, figure 6.3: 100 pages, ten runs each; on four cores the time falls significantly up to four
threads, and no further with 8 or 16. Runs of different kinds take turns, so that other load on the machine affects all.
Starting the processes and importing Tidings does not count: sixteen workers are started once, and a run with fewer
splits the pages into fewer parts. On a slow or busy machine fewer pages are timed, so that the study takes at most
three minutes.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import cycle, islice
from threading import Barrier
from time import perf_counter
from typing import Final

import numpy as np

from tidings.charts import Chart, ChartKind, Series
from tidings.extractors import extractor
from tidings.page import Page
from tidings_lab.corpora import Sample
from tidings_lab.metrics.throughput import Throughput
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.studies.variance_tables import analysed
from tidings_lab.tables import Table

RUNS: Final = 10
PAGES: Final = 100
METHOD: Final = "n-ext"
#: The numbers of figure 6.3, independent of the machine: more workers than cores should gain nothing.
COUNTS: Final = (1, 2, 4, 8, 16)
#: A run of one worker takes at most this many seconds: 100 runs take at most two minutes.
_SECONDS: Final = 1.0
_FEWEST: Final = 16  # pages: one for each worker


class Worker(Enum):
    """The kind of worker."""

    PROCESS = "processes"
    THREAD = "threads"  # as in the thesis; in Python they share one interpreter


@dataclass(frozen=True, slots=True)
class WorkerTiming:
    """The seconds of each run with a number of workers of one kind."""

    worker: Worker
    count: int
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Timings:
    """The times of all runs."""

    pages: int
    megabytes: float
    timings: tuple[WorkerTiming, ...]

    def tables(self) -> tuple[Table, ...]:
        """Return tables of time and throughput, and of the comparison of means for processes and for threads."""
        rows = []
        for timing in self.timings:
            seconds = float(np.mean(timing.seconds))
            alone = next(other for other in self.timings if other.worker is timing.worker and other.count == 1)
            speed = Throughput(self.pages, round(self.megabytes * 1e6), seconds)
            spread = float(np.std(timing.seconds, ddof=1)) if len(timing.seconds) > 1 else 0.0
            ratio = float(np.mean(alone.seconds)) / seconds
            figures = (seconds, spread, min(timing.seconds), speed.pages_per_second, speed.megabytes_per_second, ratio)
            rows.append((timing.worker.value, timing.count, *figures))
        columns = ("workers", "number", "seconds", "deviation", "fastest", "pages/s", "MB/s", "times one worker")
        title = f"{METHOD} on {self.pages} pages, {len(self.timings[0].seconds)} runs"
        return (Table(title, columns, tuple(rows)), *self._compared())

    def _compared(self) -> list[Table]:
        tables: list[Table] = []
        for worker in Worker:
            timings = [timing for timing in self.timings if timing.worker is worker]
            if len(timings) > 1 and len(timings[0].seconds) > 1:
                names = [str(timing.count) for timing in timings]
                tables += analysed(f"Number of {worker.value}", names, [timing.seconds for timing in timings])
        return tables

    def charts(self) -> tuple[Chart, ...]:
        """Return figure 6.3: time against the number of workers."""
        counts = sorted({timing.count for timing in self.timings})
        series = []
        for worker in Worker:
            timings = {timing.count: timing for timing in self.timings if timing.worker is worker}
            if set(timings) == set(counts):
                seconds_by_count = [timings[count].seconds for count in counts]
                name = f"{worker.value}\n(mean, fastest, slowest)"
                series.append(
                    Series.banded(
                        name, ((float(np.mean(seconds)), min(seconds), max(seconds)) for seconds in seconds_by_count)
                    )
                )
        x, y = "workers", f"seconds for {self.pages} pages"
        title = f"Time of {METHOD} by number of workers"
        return (Chart("workers", title, x, y, tuple(map(str, counts)), tuple(series), ChartKind.POINTS),)


def run(samples: Sequence[Sample], each: Each = in_turn) -> Timings:
    """Time runs with one, two, four, eight and sixteen workers."""
    pages = _affordable([sample.html for sample in samples[:PAGES]])
    tasks = [(worker, count) for _ in range(RUNS) for worker in Worker for count in COUNTS]
    seconds_of: dict[tuple[Worker, int], list[float]] = {}
    with ExitStack() as stack:
        pools = {worker: stack.enter_context(_pool(worker, max(COUNTS))) for worker in Worker}
        for task, seconds in zip(tasks, each.alone()(partial(_time, pools, pages), tasks, "timing"), strict=True):
            seconds_of.setdefault(task, []).append(seconds)
    timings = tuple(
        WorkerTiming(worker, count, tuple(all_seconds)) for (worker, count), all_seconds in seconds_of.items()
    )
    return Timings(len(pages), sum(map(len, pages)) / 1e6, timings)


def _affordable(pages: Sequence[bytes]) -> list[bytes]:
    """Return 100 pages, repeated if there are fewer, or fewer if this process takes too long for them."""
    selected: list[bytes] = []
    begin = perf_counter()
    for page in islice(cycle(pages), PAGES):
        if len(selected) >= _FEWEST and perf_counter() - begin > _SECONDS:
            break
        _extract(page)
        selected.append(page)
    return selected


def _time(pools: Mapping[Worker, Executor], pages: Sequence[bytes], task: tuple[Worker, int]) -> float:
    """Return the seconds from the first page to the last."""
    worker, count = task
    parts = [pages[start::count] for start in range(count)]
    begin = perf_counter()
    list(pools[worker].map(_extract_all, parts))
    return perf_counter() - begin


def _pool(worker: Worker, count: int) -> Executor:
    """Return a pool whose workers have all imported Tidings."""
    if worker is Worker.THREAD:
        return ThreadPoolExecutor(count)
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(count, mp_context=context, initializer=_start, initargs=(context.Barrier(count),))
    list(pool.map(_extract_all, [()] * count))
    return pool


def _start(barrier: Barrier) -> None:
    """Import what the extraction needs, and wait for the other workers."""
    _extract(b"<p>A page.</p>")
    barrier.wait()


def _extract_all(pages: Sequence[bytes]) -> int:
    return sum(map(_extract, pages))


def _extract(data: bytes) -> int:
    page = Page(data)
    return extractor(METHOD)(page).characters


STUDY: Final = Study("workers", "Throughput by number of workers", "N-EXT thesis 6.2.3, figure 6.3", run)
