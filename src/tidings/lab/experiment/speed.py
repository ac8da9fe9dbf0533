"""Speed side by side: on each page all systems in turn, in one process, so that whatever disturbs one disturbs all.

The time is whole: from the bytes of a page to its article with fields, processor time of all threads. Who goes first
changes from page to page. All pages are read twice and the second time counts: what is loaded once (word lists, the
months of a language) is no part of it. Garbage is collected before each, so that none pays for what another left.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean, median
from time import process_time

from tidings.lab.corpora import Sample
from tidings.lab.experiment.crew import Crew, Task
from tidings.lab.experiment.run import TIMEOUT, Progress, silent
from tidings.lab.experiment.systems import Document, System
from tidings.lab.metrics import Throughput


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
    work = _Timing({system.name: system for system in systems})
    tasks = [Task((sample, number), ("all",)) for number, sample in enumerate(samples)]
    with Crew(work, 1, timeout * len(systems)) as crew:
        for done, step in enumerate(crew.run([*tasks, *tasks]), 1):
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
class _Timing:
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
                self._seconds(name, data, sample.url)
            gc.collect()
            gc.freeze()  # imported modules need no looking through at each collection
            self.ready = True
        times = {name: self._seconds(name, data, sample.url) for name in (*names[first:], *names[:first])}
        for _ in steps:
            yield Timing(sample.id, len(data), {name: time for name, time in times.items() if time is not None})

    def _seconds(self, name: str, data: bytes, url: str) -> float | None:
        document = Document(data, url)
        gc.collect()
        begin = process_time()
        try:
            self.systems[name](document)
        except Exception:  # what fails has no time; the table of failures has it
            return None
        return process_time() - begin


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast a system is."""

    pages: int
    median: float  # milliseconds a page
    mean: float
    pages_per_second: float
    megabytes_per_second: float
    ratio: float | None = None  # of the rival's time to this one's, over pages that both read: 2 is twice as fast

    @classmethod
    def of(cls, system: str, timings: Sequence[Timing], rival: str = "") -> Pace | None:
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
