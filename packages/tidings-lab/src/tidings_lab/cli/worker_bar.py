"""Work on several cores with a progress bar, for the commands of the laboratory."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from rich.console import Console

from tidings.cli.output import tracked
from tidings.processes import in_order

Given = TypeVar("Given")


Got = TypeVar("Got")


@dataclass(frozen=True, slots=True)
class WorkerBar:
    """Work for each of several things on several cores, with a bar; what cannot be read is counted and named."""

    jobs: int
    console: Console

    def __call__(self, work: Callable[[Given], Got], things: Sequence[Given], what: str, /) -> Iterator[Got]:
        """Yield the result of each job; count the jobs that failed and print the first reason."""
        reasons = []
        done = in_order(work, things, self.jobs)
        for one in tracked(done, what, len(things)):
            if one.result is not None:
                yield one.result
            else:
                reasons.append(one.reason)
        if reasons:
            self.console.print(f"{what}: {len(reasons)} left out, the first because {reasons[0]}", highlight=False)

    def alone(self) -> WorkerBar:
        """Return the same bar for one process."""
        return replace(self, jobs=1)
