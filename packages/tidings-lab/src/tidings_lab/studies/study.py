"""The form of a study: samples in, figures out, with a helper that runs work on several cores."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, Protocol, TypeVar

from tidings.charts import Chart
from tidings_lab.corpora import Sample
from tidings_lab.tables import Table

Given = TypeVar("Given")
Got = TypeVar("Got")


class Each(Protocol):
    """A function that applies another function to several items, possibly in several processes, and reports
    progress.
    """

    @property
    def jobs(self) -> int:
        """Return the maximal number of processes."""
        ...

    def __call__(self, work: Callable[[Given], Got], things: Sequence[Given], what: str, /) -> Iterable[Got]:
        """Return the results in the order of the items; items that fail with a known error are skipped."""
        ...

    def alone(self) -> Each:
        """Return a version that runs in this process, one item after the other, for timed work."""
        ...


@dataclass(frozen=True, slots=True)
class InTurn:
    """The simplest `Each`: one item after the other, without progress reports."""

    jobs: int = 1

    def __call__(self, work: Callable[[Given], Got], things: Sequence[Given], what: str, /) -> Iterable[Got]:  # noqa: ARG002
        """Return the results lazily."""
        return map(work, things)

    def alone(self) -> InTurn:
        """Return itself, because it runs in this process already."""
        return self


in_turn: Final = InTurn()


class StudyFigures(Protocol):
    """The results of a study."""

    def tables(self) -> tuple[Table, ...]:
        """Return the results as tables, the most important first."""
        ...

    def charts(self) -> tuple[Chart, ...]:
        """Return the results as charts."""
        ...


@dataclass(frozen=True, slots=True)
class Study:
    """An experiment of one of the documents, with its name on the command line."""

    name: str
    title: str
    citation: str
    run: Callable[[Sequence[Sample], Each], StudyFigures]


def sample_subset(samples: Sequence[Sample], limit: int | None) -> list[Sample]:
    """Return at most `limit` samples, independent of their order, in the given order."""
    if limit is None or limit >= len(samples):
        return list(samples)
    chosen = sorted(samples, key=lambda sample: hashlib.sha256(sample.id.encode(errors="surrogatepass")).digest())
    selected_ids = {sample.id for sample in chosen[:limit]}
    return [sample for sample in samples if sample.id in selected_ids]
