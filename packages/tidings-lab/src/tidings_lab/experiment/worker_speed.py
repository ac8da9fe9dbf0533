"""Pages per second by the number of worker processes (N-EXT thesis 6.2.3, figure 6.3).

As in the thesis, each number of workers reads the same pages several times, split among the workers. The numbers take
turns by round, so that other load on the machine affects all equally; the rounds are the samples of an analysis of
variance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from time import perf_counter
from typing import Final

from tidings_lab.corpora import Sample
from tidings_lab.experiment.pool import StepPool, StepTask
from tidings_lab.experiment.run import TIMEOUT, Progress, silent
from tidings_lab.experiment.systems import Document, System
from tidings_lab.metrics.throughput import Throughput

ROUNDS: Final = 10  # as in the thesis
_AT_ONCE: Final = 4  # pages per task, so that communication with workers does not matter


@dataclass(frozen=True, slots=True)
class Shift:
    """The throughput of each round with a certain number of worker processes."""

    workers: int
    rounds: tuple[Throughput, ...]

    @property
    def pages_per_second(self) -> tuple[float, ...]:
        """Return pages per second of each round."""
        return tuple(round_.pages_per_second for round_ in self.rounds)


def by_workers(
    system: System,
    samples: Sequence[Sample],
    counts: Sequence[int] = (1, 2, 4),
    *,
    rounds: int = ROUNDS,
    timeout: float = TIMEOUT,
    progress: Progress = silent,
) -> list[Shift]:
    """Return the throughput of each number of workers by round. Pages that cannot be read do not count."""
    groups = [tuple(samples[start : start + _AT_ONCE]) for start in range(0, len(samples), _AT_ONCE)]
    measured: dict[int, list[Throughput]] = {count: [] for count in counts}
    with ExitStack() as stack:
        pools = {
            count: stack.enter_context(StepPool(_TimedReading(system), count, timeout * _AT_ONCE)) for count in measured
        }
        for number in range(rounds + 1):
            for place, (count, pool) in enumerate(pools.items()):
                # The first round starts the workers and fills their caches, so it does not count.
                shift = _shift(pool, groups if number else groups[:1] * count)
                if number:
                    measured[count].append(shift)
                progress(number * len(pools) + place + 1, (rounds + 1) * len(pools))
    return [Shift(count, tuple(rounds_of_count)) for count, rounds_of_count in measured.items()]


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
    """The work function that measures how long a system takes for several pages, including reading their files."""

    system: System

    def __call__(self, samples: tuple[Sample, ...], steps: tuple[str, ...], /) -> Iterator[Throughput]:
        for _ in steps:
            pages = size = 0
            for sample in samples:
                data = sample.html
                try:
                    self.system(Document(data, sample.url, site=sample.site))
                except Exception:  # noqa: S112  # pages that cannot be read do not count
                    continue
                pages += 1
                size += len(data)
            yield Throughput(pages, size, 0.0)
