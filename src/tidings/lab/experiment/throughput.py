"""Pages a second by the number of worker processes (N-EXT thesis 6.2.3, figure 6.3).

As there, each count reads the same pages several times, and each worker its own share of them. Counts take turns round
by round, so that what else the machine does falls on all alike; the rounds are what an analysis of variance compares.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from tidings.lab.corpora import Sample
from tidings.lab.experiment.crew import Crew, Task
from tidings.lab.experiment.run import TIMEOUT, Progress, silent
from tidings.lab.experiment.systems import Document, System
from tidings.lab.metrics import Throughput

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
        crews = {count: stack.enter_context(Crew(_Reading(system), count, timeout * _AT_ONCE)) for count in taken}
        for number in range(rounds + 1):
            for place, (count, crew) in enumerate(crews.items()):
                # The first round starts the workers and fills their caches; it is not counted.
                shift = _shift(crew, groups if number else groups[:1] * count)
                if number:
                    taken[count].append(shift)
                progress(number * len(crews) + place + 1, (rounds + 1) * len(crews))
    return [Shift(count, tuple(several)) for count, several in taken.items()]


def _shift(crew: Crew[tuple[Sample, ...], Throughput], groups: Sequence[tuple[Sample, ...]]) -> Throughput:
    pages = size = 0
    begin = perf_counter()
    for step in crew.run(Task(group, ("read",)) for group in groups):
        if step.result is not None:
            pages += step.result.pages
            size += step.result.bytes
    return Throughput(pages, size, perf_counter() - begin)


@dataclass(frozen=True, slots=True)
class _Reading:
    """The work of a worker: a few pages, from the file to the article."""

    system: System

    def __call__(self, samples: tuple[Sample, ...], steps: tuple[str, ...], /) -> Iterator[Throughput]:
        for _ in steps:
            pages = size = 0
            for sample in samples:
                data = sample.html
                try:
                    self.system(Document(data, sample.url))
                except Exception:  # noqa: S112  # what cannot be read is in no figure
                    continue
                pages += 1
                size += len(data)
            yield Throughput(pages, size, 0.0)
