"""What a study is: samples in, figures out; and what it gets to work with.

How studies score a text and gather pages into groups.

Several means side by side: analysis of variance, and Scheffé's test for each pair (N-EXT thesis 5.3).
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Any, Final, Protocol, TypeVar

import numpy as np

from tidings.charts import Chart
from tidings.errors import InputError
from tidings.fields import read
from tidings.fields.headline import headline_text
from tidings.page import Page, Spans
from tidings_lab.corpora import Sample
from tidings_lab.metrics.page_scores import text_score
from tidings_lab.metrics.score import Score
from tidings_lab.statistics.anova import Anova, anova
from tidings_lab.statistics.bootstrap import Interval
from tidings_lab.statistics.paired_tests import bootstrap_difference
from tidings_lab.statistics.scheffe import scheffe
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


class Trials(tuple[Got, ...]):
    """What was tried: a record for each page, or for each page and way to read it."""

    __slots__ = ()

    @classmethod
    def of(cls, work: Callable[[Given], Iterable[Got]], things: Sequence[Given], what: str, each: Each) -> Trials[Got]:
        """What the work tries on each of several things, one after the other."""
        return cls(trial for trials in each(work, things, what) for trial in trials)

    def where(self, **values: object) -> Trials[Got]:
        """Those whose fields have these values."""
        return Trials(one for one in self if all(getattr(one, name) == value for name, value in values.items()))

    def column(self, name: str) -> list[Any]:
        """A field of each; with a full stop in its name, a field of a field."""
        return list(map(attrgetter(name), self))

    def mean(self, name: str) -> float:
        """The mean of a field; not a number where nothing was tried."""
        return float(np.mean(self.column(name))) if self else math.nan

    def means(self, name: str) -> tuple[float, ...]:
        """The means of a field that has a value for each of several settings."""
        return tuple(np.mean(self.column(name), axis=0).tolist())

    def gain(self, name: str, base: Sequence[float]) -> Interval:
        """What a field is above other values of the same pages, with an interval by sites, where there are several."""
        sites = self.column("site")
        return bootstrap_difference(self.column(name), base, sites if len(set(sites)) > 1 else None)


def some(samples: Sequence[Sample], limit: int | None) -> list[Sample]:
    """At most so many samples, the same ones each time, whatever their order; the order stays as it was."""
    if limit is None or limit >= len(samples):
        return list(samples)
    chosen = sorted(samples, key=lambda sample: hashlib.sha256(sample.id.encode(errors="surrogatepass")).digest())
    wanted = {sample.id for sample in chosen[:limit]}
    return [sample for sample in samples if sample.id in wanted]


#: A smaller group tells nothing of its kind of page.
SMALLEST = 3


def own_headline(sample: Sample, page: Page) -> str:
    """The page's headline, where the measure may need it: not if the corpus says that gold texts have none."""
    return "" if sample.headline_in_text is False else headline_text(page, read(page).language)


def scored(sample: Sample, page: Page, spans: Spans, measure: str = "words", headline: str | None = None) -> Score:
    """What an extractor's spans score on a page, with the headline on both sides or on neither (SPEC 8).

    Who scores a page often finds its headline once (`own_headline`) and gives it.

    Raises:
        InputError: there is no gold text to measure against.
    """
    found = own_headline(sample, page) if headline is None else headline
    score = text_score(sample, spans.text(page), found, measure)
    if score is None:
        raise InputError(f"the page {sample.id} has no gold text")
    return score


def group(sample: Sample) -> str:
    """The kind of page that a sample is: corpus, language, and its type unless it is an article."""
    kind = (sample.corpus or sample.file.parent.parent.name, sample.lang, sample.page_type)
    return " ".join(kind[:2] if sample.page_type == "article" else kind)


def large_groups(groups: Sequence[str]) -> list[str]:
    """The groups that are large enough to have a row of their own, by name."""
    return sorted(name for name, count in Counter(groups).items() if count >= SMALLEST)


def analysed(title: str, names: Sequence[str], groups: Sequence[Sequence[float]]) -> tuple[Table, Table]:
    """The table of an analysis of variance, and the pairs of groups with whether they differ at p < 0.05."""
    found = anova(groups)
    columns = ("groups", "values in each", "F", "F table (0.05)", "p", "means differ")
    sizes = ", ".join(str(size) for size in sorted(set(found.sizes)))
    row = (len(groups), sizes, found.f, found.f_table(), found.p, "yes" if found.significant() else "no")
    return Table(f"{title}: analysis of variance", columns, (row,)), _pairs(title, names, found)


def _pairs(title: str, names: Sequence[str], found: Anova) -> Table:
    rows = tuple(
        (
            f"{names[pair.first]} – {names[pair.second]}",
            found.means[pair.first] - found.means[pair.second],
            pair.f,
            pair.critical,
            "yes" if pair.differs else "no",
        )
        for pair in scheffe(found)
    )
    return Table(f"{title}: Scheffé's test", ("pair", "difference", "F", "critical", "differ"), rows)
