"""Work on several processor cores with a progress bar, for the commands of the laboratory."""

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
    """Runs a function on many items in worker processes, with a progress bar; failed items are counted."""

    jobs: int
    console: Console

    def __call__(self, work: Callable[[Given], Got], things: Sequence[Given], what: str, /) -> Iterator[Got]:
        """Yield the function's result for each item; print how many items failed, with the first reason.

        Args:
            work: the function to run in the worker processes.
            things: the items.
            what: the label of the progress bar.
        """
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
        """Return a copy that uses a single process."""
        return replace(self, jobs=1)
