"""A comparison of systems: a summary per system, means by group of pages, and failures.

Means are of F1 over pages with their interval. The difference from the first system is paired by page, with whole sites
resampled or flipped together. A page on which a system failed counts as an empty result.
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
from tidings_lab.metrics.score import Counts
from tidings_lab.metrics.summary import Summary, summarise
from tidings_lab.metrics.texts import MEASURES
from tidings_lab.statistics.paired_tests import bootstrap_difference, permutation_test

#: Not a text measure: F1 over the desired and undesired segments of the ground truth.
SEGMENTS: Final = "segments"
#: The level of significance, as in all the documents.
ALPHA: Final = 0.05
#: The least number of pages of a group with its own means.
SMALLEST_GROUP: Final = 3
#: The number of sites with their own means, those with most pages.
_MOST_SITES: Final = 20


@dataclass(frozen=True, slots=True)
class ScoreDifference:
    """The difference of a system from the first one, with confidence interval and p-value."""

    mean: float
    low: float
    high: float
    p: float

    @property
    def significant(self) -> bool:
        """Return whether the difference is significant."""
        return self.p < ALPHA


@dataclass(frozen=True, slots=True)
class SystemLine:
    """The summary of a system over all pages."""

    system: str
    pages: int
    summary: Summary  # of F1 by the main measure
    precision: float
    recall: float
    other_means: Mapping[str, float]  # mean F1 by the other measures
    difference: ScoreDifference | None  # None for the first system
    segments: Counts | None
    headline: FieldScore
    authors: FieldScore
    date: FieldScore
    outcomes: Mapping[StepOutcome, int]
    pace: ReadingPace | None

    @property
    def failed(self) -> int:
        """Return the number of pages without a result."""
        return self.pages - self.outcomes.get(StepOutcome.READ, 0)


@dataclass(frozen=True, slots=True)
class PageGroup:
    """Pages of one type, language or site, with the mean of each system."""

    kind: str
    name: str
    pages: int
    means: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Systems sorted by their mean."""

    measure: str
    pages: int
    corpora: tuple[str, ...]
    first: str  # the baseline for scores
    rival: str  # the baseline for speed
    lines: tuple[SystemLine, ...]
    groups: tuple[PageGroup, ...]
    failures: tuple[ResultRow, ...]
    rows: tuple[ResultRow, ...]
    timed: int  # number of pages on which speed was measured


def compare(
    rows: Iterable[ResultRow],
    timings: Sequence[Timing] = (),
    *,
    systems: Sequence[str],
    measures: Sequence[str],
    rival: str = "",
) -> Comparison:
    """Summarise the rows of a run: means, intervals and differences of the systems, and means by group of pages.

    Args:
        rows: the rows of a run.
        timings: times of the same systems, measured in turn.
        systems: their names, beginning with the baseline.
        measures: the main measure first. If no page has gold text, segments take its place.
        rival: the baseline for speed; the first system if empty.

    Raises:
        InputError: there are no rows, or no ground truth to compare with.
    """
    all_rows = tuple(rows)
    if not all_rows:
        raise InputError("there is nothing to compare: no page was measured")
    measure = _main(all_rows, measures)
    by_system: dict[str, list[ResultRow]] = {name: [] for name in systems}
    for row in sorted(all_rows, key=_page):
        by_system[row.system].append(row)
    rival = rival or systems[0]
    first = by_system[systems[0]]
    lines = [
        _line(name, own_rows, first, measure, measures, ReadingPace.of(name, timings, rival))
        for name, own_rows in by_system.items()
    ]
    return Comparison(
        measure,
        len({_page(row) for row in all_rows}),
        tuple(dict.fromkeys(row.sample.corpus for row in all_rows)),
        systems[0],
        rival,
        tuple(sorted(lines, key=lambda line: -line.summary.mean)),
        (
            *_groups("type", all_rows, measure, _type_of),
            *_groups("story", all_rows, measure, _story_of),
            *_groups("language", all_rows, measure, _language_of),
            *_groups("site", all_rows, measure, _site_of)[:_MOST_SITES],
        ),
        tuple(row for row in all_rows if row.failed),
        all_rows,
        len(timings),
    )


def value(row: ResultRow, measure: str) -> float | None:
    """Return the F1 of a page by a measure; None without ground truth."""
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
    total_segments = sum(segments, Counts())
    return SystemLine(
        name,
        len(rows),
        summary,
        fmean(score.precision for score in scores) if scores else total_segments.precision,
        fmean(score.recall for score in scores) if scores else total_segments.recall,
        {other: mean for other in measures if other != measure and (mean := _mean(rows, other)) is not None},
        None if rows is first else _difference(rows, first, measure),
        total_segments if segments else None,
        FieldScore.of(row.measured.headline for row in rows),
        FieldScore.of(row.measured.authors for row in rows),
        FieldScore.of(row.measured.date for row in rows),
        Counter(row.outcome for row in rows),
        pace,
    )


def _mean(rows: Iterable[ResultRow], measure: str) -> float | None:
    values = [score for row in rows if (score := value(row, measure)) is not None]
    return fmean(values) if values else None


def _difference(rows: list[ResultRow], first: list[ResultRow], measure: str) -> ScoreDifference | None:
    """Return the difference of a system from the first one, paired by page; the rows of all systems are in the same
    order of pages.
    """
    pairs = [
        (score, first_score, row.sample.site or row.sample.id)
        for row, other in zip(rows, first, strict=True)
        if (score := value(row, measure)) is not None and (first_score := value(other, measure)) is not None
    ]
    if not pairs:
        return None
    scores, first_scores = [score for score, _, _ in pairs], [first_score for _, first_score, _ in pairs]
    sites = [site for _, _, site in pairs]
    interval_ = bootstrap_difference(scores, first_scores, sites)
    return ScoreDifference(
        interval_.mean, interval_.low, interval_.high, permutation_test(scores, first_scores, sites).p
    )


def _type_of(row: ResultRow) -> str:
    return row.sample.page_type


def _story_of(row: ResultRow) -> str:
    """Return the group of an article by its kind of story (list or running text); an empty string for other
    page types.
    """
    if row.sample.page_type != "article":
        return ""
    return "a list" if row.sample.list_shape else "running text"


def _language_of(row: ResultRow) -> str:
    return row.sample.lang


def _site_of(row: ResultRow) -> str:
    return row.sample.site


def _groups(kind: str, rows: tuple[ResultRow, ...], measure: str, name: Callable[[ResultRow], str]) -> list[PageGroup]:
    """Return the mean of each system by page type, shape of the story, language or site, the largest group first.

    The list is empty if there is only one group.

    Args:
        kind: "type", "story", "language" or "site", for the tables.
        rows: the rows of all systems.
        measure: the measure to average.
        name: returns the group of a row; rows with an empty name are skipped.
    """
    scores_by_group: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for row in rows:
        if (score := value(row, measure)) is not None and name(row):
            scores_by_group[name(row)][row.system].append(score)
    sizes = {group: max(map(len, systems.values())) for group, systems in scores_by_group.items()}
    if len(sizes) < 2:
        return []
    return [
        PageGroup(
            kind, group, sizes[group], {system: fmean(scores) for system, scores in scores_by_group[group].items()}
        )
        for group in sorted(sizes, key=lambda group: (-sizes[group], group))
        if sizes[group] >= SMALLEST_GROUP
    ]


def check_measures(measures: Sequence[str]) -> tuple[str, ...]:
    """Return the distinct measures.

    Raises:
        InputError: a measure does not exist.
    """
    for name in measures:
        if name not in MEASURES:
            raise InputError(f"there is no measure called {name!r}; there are: {', '.join(MEASURES)}")
    return tuple(dict.fromkeys(measures))
