"""Many rows summed up: a line for each system, groups of pages apart, and what failed.

Means are of F1 over pages with their interval; the difference from the first system is paired page by page, with whole
sites drawn or turned together. A page on which a system failed counts as one on which it returned nothing.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from tidings.errors import InputError
from tidings_lab.experiment.rows import ResultRow, StepOutcome
from tidings_lab.experiment.speed import ReadingPace, Timing
from tidings_lab.metrics.fields import FieldScore
from tidings_lab.metrics.score import Counts, Summary, summarise
from tidings_lab.metrics.texts import MEASURES
from tidings_lab.statistics.paired_tests import bootstrap_difference, permutation_test

#: Not a text measure: F1 over the segments that gold wants in and wants out.
SEGMENTS: Final = "segments"
#: Differences that chance gives more rarely than this are called significant, as in all the documents.
ALPHA: Final = 0.05
#: A type or language with fewer pages stands in no table of its own.
SMALLEST_GROUP: Final = 3
#: Sites that have a column of their own, those with most pages.
_MOST_SITES: Final = 20


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """How far a system is from the first one, and how sure that is."""

    mean: float
    low: float
    high: float
    p: float

    @property
    def significant(self) -> bool:
        """Whether chance alone hardly gives it."""
        return self.p < ALPHA


@dataclass(frozen=True, slots=True)
class SystemLine:
    """One system over all pages."""

    system: str
    pages: int
    summary: Summary  # of F1 by the main measure
    precision: float
    recall: float
    others: Mapping[str, float]  # mean F1 by the other measures
    difference: ScoreDifference | None  # None for the first system
    segments: Counts | None
    headline: FieldScore
    authors: FieldScore
    date: FieldScore
    outcomes: Mapping[StepOutcome, int]
    pace: ReadingPace | None

    @property
    def failed(self) -> int:
        """Pages without a result."""
        return self.pages - self.outcomes.get(StepOutcome.READ, 0)


@dataclass(frozen=True, slots=True)
class PageGroup:
    """Pages of one type, language or site: the mean of each system."""

    kind: str
    name: str
    pages: int
    means: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems side by side: the best first."""

    measure: str
    pages: int
    corpora: tuple[str, ...]
    first: str  # the system that the others are compared with
    rival: str  # the system that times are compared with
    lines: tuple[SystemLine, ...]
    groups: tuple[PageGroup, ...]
    failures: tuple[ResultRow, ...]
    rows: tuple[ResultRow, ...]
    timed: int  # pages on which speed was measured


def compare(
    rows: Iterable[ResultRow],
    timings: Sequence[Timing] = (),
    *,
    systems: Sequence[str],
    measures: Sequence[str],
    rival: str = "",
) -> Comparison:
    """Sum up rows.

    Args:
        rows: of a run.
        timings: of the same systems, measured in turn.
        systems: their names, the one that others are compared with first.
        measures: the main measure first. Where no page has gold text, segments take its place.
        rival: the system whose time is 1; the first one if not told.

    Raises:
        InputError: there are no rows, or no gold to compare with.
    """
    kept = tuple(rows)
    if not kept:
        raise InputError("there is nothing to compare: no page was measured")
    measure = _main(kept, measures)
    by_system: dict[str, list[ResultRow]] = {name: [] for name in systems}
    for row in sorted(kept, key=_page):
        by_system[row.system].append(row)
    rival = rival or systems[0]
    first = by_system[systems[0]]
    lines = [
        _line(name, mine, first, measure, measures, ReadingPace.of(name, timings, rival))
        for name, mine in by_system.items()
    ]
    return Comparison(
        measure,
        len({_page(row) for row in kept}),
        tuple(dict.fromkeys(row.sample.corpus for row in kept)),
        systems[0],
        rival,
        tuple(sorted(lines, key=lambda line: -line.summary.mean)),
        (
            *_groups("type", kept, measure, _type_of),
            *_groups("language", kept, measure, _language_of),
            *_groups("site", kept, measure, _site_of)[:_MOST_SITES],
        ),
        tuple(row for row in kept if row.failed),
        kept,
        len(timings),
    )


def value(row: ResultRow, measure: str) -> float | None:
    """F1 of a page by a measure, None where gold does not tell."""
    if measure != SEGMENTS:
        return row.f1(measure)
    counts = row.measured.segments
    return counts.f1 if counts is not None and counts.tp + counts.fn else None


def _page(row: ResultRow) -> tuple[str, str, str]:
    return row.sample.corpus, row.sample.id, str(row.sample.file)


def _main(rows: tuple[ResultRow, ...], measures: Sequence[str]) -> str:
    for measure in (*measures[:1], SEGMENTS):
        if any(value(row, measure) is not None for row in rows):
            return measure
    raise InputError("no page has gold text or gold segments; there is nothing to compare with")


def _line(
    name: str,
    rows: list[ResultRow],
    first: list[ResultRow],
    measure: str,
    measures: Sequence[str],
    pace: ReadingPace | None,
) -> SystemLine:
    summary = summarise(
        [value(row, measure) for row in rows],
        [row.sample.site for row in rows],
        [not row.measured.words for row in rows],
    )
    segments = [row.measured.segments for row in rows if row.measured.segments is not None]
    scores = [score for row in rows if (score := row.measured.scores.get(measure)) is not None]
    whole = sum(segments, Counts())
    return SystemLine(
        name,
        len(rows),
        summary,
        fmean(score.precision for score in scores) if scores else whole.precision,
        fmean(score.recall for score in scores) if scores else whole.recall,
        {other: mean for other in measures if other != measure and (mean := _mean(rows, other)) is not None},
        None if rows is first else _difference(rows, first, measure),
        whole if segments else None,
        FieldScore.of(row.measured.headline for row in rows),
        FieldScore.of(row.measured.authors for row in rows),
        FieldScore.of(row.measured.date for row in rows),
        Counter(row.outcome for row in rows),
        pace,
    )


def _mean(rows: Iterable[ResultRow], measure: str) -> float | None:
    values = [found for row in rows if (found := value(row, measure)) is not None]
    return fmean(values) if values else None


def _difference(rows: list[ResultRow], first: list[ResultRow], measure: str) -> ScoreDifference | None:
    """Paired page by page: rows are in the order of pages, for every system the same ones."""
    pairs = [
        (mine, theirs, row.sample.site or row.sample.id)
        for row, other in zip(rows, first, strict=True)
        if (mine := value(row, measure)) is not None and (theirs := value(other, measure)) is not None
    ]
    if not pairs:
        return None
    scores, others = [mine for mine, _, _ in pairs], [theirs for _, theirs, _ in pairs]
    sites = [site for _, _, site in pairs]
    between = bootstrap_difference(scores, others, sites)
    return ScoreDifference(between.mean, between.low, between.high, permutation_test(scores, others, sites).p)


def _type_of(row: ResultRow) -> str:
    return row.sample.page_type


def _language_of(row: ResultRow) -> str:
    return row.sample.lang


def _site_of(row: ResultRow) -> str:
    return row.sample.site


def _groups(kind: str, rows: tuple[ResultRow, ...], measure: str, name: Callable[[ResultRow], str]) -> list[PageGroup]:
    """The pages of each type, language or site, the largest first; none if all are of one."""
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if (score := value(row, measure)) is not None and name(row):
            found[name(row)][row.system].append(score)
    sizes = {group: max(map(len, systems.values())) for group, systems in found.items()}
    if len(sizes) < 2:
        return []
    return [
        PageGroup(kind, group, sizes[group], {system: fmean(scores) for system, scores in found[group].items()})
        for group in sorted(sizes, key=lambda group: (-sizes[group], group))
        if sizes[group] >= SMALLEST_GROUP
    ]


def check_measures(measures: Sequence[str]) -> tuple[str, ...]:
    """Measures by name, each once.

    Raises:
        InputError: there is none of that name.
    """
    for name in measures:
        if name not in MEASURES:
            raise InputError(f"there is no measure called {name!r}; there are: {', '.join(MEASURES)}")
    return tuple(dict.fromkeys(measures))
