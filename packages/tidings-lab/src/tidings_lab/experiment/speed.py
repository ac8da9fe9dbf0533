"""Comparison of speed: all systems in turn on each page, in one process, so that disturbances affect all equally.

The time is processor time of all threads, from the bytes of a page to its article with fields. The order of systems
rotates from page to page. All pages are read twice and the second time counts, which excludes data that is loaded once
(word lists, names of months). Garbage is collected before each measurement, so that no system pays for another.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from time import process_time

from tidings_lab.corpora import Sample
from tidings_lab.experiment.pool import StepPool, StepTask
from tidings_lab.experiment.run import TIMEOUT, Progress, silent
from tidings_lab.experiment.systems import Document, System
from tidings_lab.metrics.throughput import Throughput


@dataclass(frozen=True, slots=True)
class Timing:
    """The time of each system on a page, in seconds; systems that failed are missing."""

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
    """Return the time of each system on each page. Pages on which a system hangs or crashes are skipped for all."""
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
    """Return at most `most` samples, evenly spaced."""
    if most >= len(samples):
        return list(samples)
    return [samples[place * len(samples) // most] for place in range(most)]


@dataclass(slots=True)
class _TimingSteps:
    """The work function of the worker process that times each system on a page, in rotating order."""

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
            gc.freeze()  # exclude imported modules from later collections
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
        except Exception:  # a failure has no time; it is in the table of failures
            return None
        return process_time() - begin


@dataclass(frozen=True, slots=True)
class ReadingPace:
    """The speed of a system, alone and relative to a rival."""

    pages: int
    median: float  # milliseconds per page
    mean: float
    pages_per_second: float
    megabytes_per_second: float
    ratio: float | None = None  # the rival's time divided by this one's, on pages that both read: 2 is twice as fast

    @classmethod
    def of(cls, system: str, timings: Sequence[Timing], rival: str = "") -> ReadingPace | None:
        """Return the speed of a system from its timings; None if it read no page."""
        own_timings = [timing for timing in timings if system in timing.seconds]
        if not own_timings:
            return None
        seconds = [timing.seconds[system] for timing in own_timings]
        whole = Throughput(len(own_timings), sum(timing.bytes for timing in own_timings), sum(seconds))
        both = [timing for timing in own_timings if rival in timing.seconds]
        own, other = (
            sum(timing.seconds[name] for timing in both) if both else 0.0 for name in (system, rival or system)
        )
        return cls(
            len(own_timings),
            1000 * median(seconds),
            1000 * fmean(seconds),
            whole.pages_per_second,
            whole.megabytes_per_second,
            other / own if both and own else None,
        )
