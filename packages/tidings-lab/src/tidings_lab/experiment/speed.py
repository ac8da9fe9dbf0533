"""Speed side by side: on each page all systems in turn, in one process, so that whatever disturbs one disturbs all.

The time is whole: from the bytes of a page to its article with fields, processor time of all threads. Who goes first
changes from page to page. All pages are read twice and the second time counts: what is loaded once (word lists, the
months of a language) is no part of it. Garbage is collected before each, so that none pays for what another left.

Pages a second by the number of worker processes (N-EXT thesis 6.2.3, figure 6.3).

As there, each count reads the same pages several times, and each worker its own share of them. Counts take turns round
by round, so that what else the machine does falls on all alike; the rounds are what an analysis of variance compares.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from statistics import fmean, median
from time import perf_counter, process_time
from typing import Final

from tidings_lab.corpora import Sample
from tidings_lab.experiment.pool import StepPool, StepTask
from tidings_lab.experiment.run import TIMEOUT, Progress, silent
from tidings_lab.experiment.systems import Document, System
from tidings_lab.metrics.score import Throughput


@dataclass(frozen=True, slots=True)
class Timing:
    """One page, and the seconds of each system that could read it."""

    id: str
    bytes: int
    seconds: Mapping[str, float]


def time_in_turn(
    systems: Sequence[System],
    samples: Sequence[Sample],
    *,
    timeout: float = TIMEOUT,
    progress: Progress = silent,
) -> list[Timing]:
    """The time of each system on each page. A page on which one hangs or dies is left out for all."""
    timings = []
    work = _TimingSteps({system.name: system for system in systems})
    tasks = [StepTask((sample, number), ("all",)) for number, sample in enumerate(samples)]
    with StepPool(work, 1, timeout * len(systems)) as pool:
        for done, step in enumerate(pool.run([*tasks, *tasks]), 1):
            if step.result is not None and done > len(tasks):
                timings.append(step.result)
            progress(done, 2 * len(tasks))
    return timings


def spread(samples: Sequence[Sample], most: int) -> list[Sample]:
    """So many samples at most, taken evenly from all of them."""
    if most >= len(samples):
        return list(samples)
    return [samples[place * len(samples) // most] for place in range(most)]


@dataclass(slots=True)
class _TimingSteps:
    """The work of the one worker."""

    systems: dict[str, System]
    ready: bool = False

    def __call__(self, item: tuple[Sample, int], steps: tuple[str, ...], /) -> Iterator[Timing]:
        sample, number = item
        data = sample.html
        names = list(self.systems)
        first = number % len(names)
        if not self.ready:
            for name in names:
                self._seconds(name, data, sample)
            gc.collect()
            gc.freeze()  # imported modules need no looking through at each collection
            self.ready = True
        times = {name: self._seconds(name, data, sample) for name in (*names[first:], *names[:first])}
        for _ in steps:
            yield Timing(sample.id, len(data), {name: time for name, time in times.items() if time is not None})

    def _seconds(self, name: str, data: bytes, sample: Sample) -> float | None:
        document = Document(data, sample.url, site=sample.site)
        gc.collect()
        begin = process_time()
        try:
            self.systems[name](document)
        except Exception:  # what fails has no time; the table of failures has it
            return None
        return process_time() - begin


@dataclass(frozen=True, slots=True)
class ReadingPace:
    """How fast a system is."""

    pages: int
    median: float  # milliseconds a page
    mean: float
    pages_per_second: float
    megabytes_per_second: float
    ratio: float | None = None  # of the rival's time to this one's, over pages that both read: 2 is twice as fast

    @classmethod
    def of(cls, system: str, timings: Sequence[Timing], rival: str = "") -> ReadingPace | None:
        """The pace of a system, None if it read no page."""
        mine = [timing for timing in timings if system in timing.seconds]
        if not mine:
            return None
        seconds = [timing.seconds[system] for timing in mine]
        whole = Throughput(len(mine), sum(timing.bytes for timing in mine), sum(seconds))
        both = [timing for timing in mine if rival in timing.seconds]
        own, other = (
            sum(timing.seconds[name] for timing in both) if both else 0.0 for name in (system, rival or system)
        )
        return cls(
            len(mine),
            1000 * median(seconds),
            1000 * fmean(seconds),
            whole.pages_per_second,
            whole.megabytes_per_second,
            other / own if both and own else None,
        )


ROUNDS: Final = 10  # as in the thesis
_AT_ONCE: Final = 4  # pages in a task: the way to a worker and back is then no part of the time


@dataclass(frozen=True, slots=True)
class Shift:
    """The rounds of one count of workers."""

    workers: int
    rounds: tuple[Throughput, ...]

    @property
    def pages_per_second(self) -> tuple[float, ...]:
        """Of each round."""
        return tuple(one.pages_per_second for one in self.rounds)


def by_workers(
    system: System,
    samples: Sequence[Sample],
    counts: Sequence[int] = (1, 2, 4),
    *,
    rounds: int = ROUNDS,
    timeout: float = TIMEOUT,
    progress: Progress = silent,
) -> list[Shift]:
    """The pages read by so many workers in each round. A page that cannot be read is in no figure."""
    groups = [tuple(samples[start : start + _AT_ONCE]) for start in range(0, len(samples), _AT_ONCE)]
    taken: dict[int, list[Throughput]] = {count: [] for count in counts}
    with ExitStack() as stack:
        pools = {
            count: stack.enter_context(StepPool(_TimedReading(system), count, timeout * _AT_ONCE)) for count in taken
        }
        for number in range(rounds + 1):
            for place, (count, pool) in enumerate(pools.items()):
                # The first round starts the workers and fills their caches; it is not counted.
                shift = _shift(pool, groups if number else groups[:1] * count)
                if number:
                    taken[count].append(shift)
                progress(number * len(pools) + place + 1, (rounds + 1) * len(pools))
    return [Shift(count, tuple(several)) for count, several in taken.items()]


def _shift(pool: StepPool[tuple[Sample, ...], Throughput], groups: Sequence[tuple[Sample, ...]]) -> Throughput:
    pages = size = 0
    begin = perf_counter()
    for step in pool.run(StepTask(group, ("read",)) for group in groups):
        if step.result is not None:
            pages += step.result.pages
            size += step.result.bytes
    return Throughput(pages, size, perf_counter() - begin)


@dataclass(frozen=True, slots=True)
class _TimedReading:
    """The work of a worker: a few pages, from the file to the article."""

    system: System

    def __call__(self, samples: tuple[Sample, ...], steps: tuple[str, ...], /) -> Iterator[Throughput]:
        for _ in steps:
            pages = size = 0
            for sample in samples:
                data = sample.html
                try:
                    self.system(Document(data, sample.url, site=sample.site))
                except Exception:  # noqa: S112  # what cannot be read is in no figure
                    continue
                pages += 1
                size += len(data)
            yield Throughput(pages, size, 0.0)
