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
    """Does a piece of work for each of several things, here or on several cores, and shows how far it is."""

    @property
    def jobs(self) -> int:
        """How many processes may run at once."""
        ...

    def __call__(self, work: Callable[[Given], Got], things: Sequence[Given], what: str, /) -> Iterable[Got]:
        """The results in the order of the things; what fails for a known reason is left out."""
        ...

    def alone(self) -> Each:
        """The same in this process, one after the other: for work that is timed."""
        ...


@dataclass(frozen=True, slots=True)
class InTurn:
    """One after the other, telling nobody: the simplest `Each`."""

    jobs: int = 1

    def __call__(self, work: Callable[[Given], Got], things: Sequence[Given], what: str, /) -> Iterable[Got]:  # noqa: ARG002
        """The results, as they are asked for."""
        return map(work, things)

    def alone(self) -> InTurn:
        """It is so already."""
        return self


in_turn: Final = InTurn()


class StudyFigures(Protocol):
    """What a study found."""

    def tables(self) -> tuple[Table, ...]:
        """The figures, the most telling table first."""
        ...

    def charts(self) -> tuple[Chart, ...]:
        """The same as pictures."""
        ...


@dataclass(frozen=True, slots=True)
class Study:
    """An experiment of one of the documents, under the name by which the command line knows it."""

    name: str
    title: str
    citation: str
    run: Callable[[Sequence[Sample], Each], StudyFigures]


def some(samples: Sequence[Sample], limit: int | None) -> list[Sample]:
    """At most so many samples, the same ones each time, whatever their order; the order stays as it was."""
    if limit is None or limit >= len(samples):
        return list(samples)
    chosen = sorted(samples, key=lambda sample: hashlib.sha256(sample.id.encode(errors="surrogatepass")).digest())
    wanted = {sample.id for sample in chosen[:limit]}
    return [sample for sample in samples if sample.id in wanted]
