"""One line of the large table: what one system made of one page, measured.

What can become of a step.

From a reading and gold to measures. The headline stands on both sides or on neither (SPEC 8).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from tidings.errors import TidingsError
from tidings.text import count_words
from tidings_lab.corpora import Sample, opens_with_headline
from tidings_lab.experiment.systems import Document, Reading
from tidings_lab.metrics.fields import FieldVerdict, author_counts, authors_verdict, date_verdict, headline_verdict
from tidings_lab.metrics.score import Counts, Score
from tidings_lab.metrics.structure import structure_scores
from tidings_lab.metrics.texts import MEASURES, both_sides, gold_segments, is_empty, units_for


class StepOutcome(StrEnum):
    """What became of a step."""

    READ = "read"
    RAISED = "raised"
    KILLED = "killed"  # it took longer than it may
    DIED = "died"  # and took the process with it


@dataclass(frozen=True, slots=True)
class RowMeasures:
    """How near a result is to gold. What gold does not tell is absent or UNSCORED."""

    scores: Mapping[str, Score | None] = field(default_factory=dict)  # by measure; None where gold text is empty
    segments: Counts | None = None
    headline: FieldVerdict = FieldVerdict.UNSCORED
    authors: FieldVerdict = FieldVerdict.UNSCORED
    date: FieldVerdict = FieldVerdict.UNSCORED
    author_counts: Counts = field(default_factory=Counts)
    words: int = 0  # in the result; 0 is nothing returned
    units: Mapping[str, tuple[float, int]] = field(
        default_factory=dict
    )  # of structure: how many were kept, of how many


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One system on one page. Where the system failed, `measured` is what an empty result scores."""

    system: str
    sample: Sample
    outcome: StepOutcome
    measured: RowMeasures
    reason: str = ""
    seconds: float = 0.0  # processor time of the system alone, the page shared by ours
    page_seconds: float = 0.0  # processor time of building that page
    bytes: int = 0
    cached: bool = False

    @property
    def failed(self) -> bool:
        """Whether there is no result."""
        return self.outcome is not StepOutcome.READ

    def f1(self, measure: str) -> float | None:
        """F1 by a measure, None where gold has no text for it."""
        score = self.measured.scores.get(measure)
        return None if score is None else score.f1


def to_record(row: ResultRow) -> dict[str, Any]:
    """What is kept of a row on disk: all but the sample, which its key stands for."""
    measured = row.measured
    return {
        "outcome": row.outcome.value,
        "reason": row.reason,
        "seconds": row.seconds,
        "page_seconds": row.page_seconds,
        "bytes": row.bytes,
        "scores": {name: score and [score.precision, score.recall] for name, score in measured.scores.items()},
        "segments": _list(measured.segments),
        "headline": measured.headline.value,
        "authors": measured.authors.value,
        "date": measured.date.value,
        "author_counts": _list(measured.author_counts),
        "words": measured.words,
        "units": {name: list(pair) for name, pair in measured.units.items()},
    }


def from_record(record: Mapping[str, Any], system: str, sample: Sample) -> ResultRow:
    """A row as it was kept.

    Raises:
        KeyError, TypeError, ValueError: the record is none of ours.
    """
    measured = RowMeasures(
        scores={name: None if pair is None else Score(*pair) for name, pair in record["scores"].items()},
        segments=None if record["segments"] is None else Counts(*record["segments"]),
        headline=FieldVerdict(record["headline"]),
        authors=FieldVerdict(record["authors"]),
        date=FieldVerdict(record["date"]),
        author_counts=Counts(*record["author_counts"]),
        words=int(record["words"]),
        units={name: (float(kept), int(count)) for name, (kept, count) in record["units"].items()},
    )
    return ResultRow(
        system,
        sample,
        StepOutcome(record["outcome"]),
        measured,
        str(record["reason"]),
        float(record["seconds"]),
        float(record["page_seconds"]),
        int(record["bytes"]),
        cached=True,
    )


def _list(counts: Counts | None) -> list[int] | None:
    return None if counts is None else [counts.tp, counts.fp, counts.fn, counts.tn]


def settled(sample: Sample, document: Document | None = None) -> Sample:
    """A sample that says whether its gold text opens with the headline; where nothing tells, the page is looked at."""
    if sample.headline_in_text is not None or not sample.gold.get("text"):
        return sample
    try:
        page = document.page if document else None
        return replace(sample, headline_in_text=opens_with_headline(sample, page))
    except TidingsError:
        return replace(sample, headline_in_text=False)


class Examiner:
    """Compares readings of one page with its gold, which is cut into words once.

    Args:
        sample: the page, settled.
        measures: text measures, names of `lab.metrics.MEASURES`.
    """

    __slots__ = ("_cut", "_empty", "_measures", "_sample", "_units")

    def __init__(self, sample: Sample, measures: tuple[str, ...]) -> None:
        gold = sample.gold.get("text")
        self._sample = sample
        self._measures = () if gold is None else measures
        self._empty = is_empty(gold or "")
        self._units = units_for(gold or "", sample.lang)
        self._cut: dict[str, list[str]] = {}

    def __call__(self, reading: Reading, /) -> RowMeasures:
        """All that gold can tell about a reading."""
        gold = self._sample.gold
        return RowMeasures(
            self._scores(reading),
            gold_segments(reading.text, gold),
            headline_verdict(reading.title, gold),
            authors_verdict(reading.authors, gold),
            date_verdict(reading.date, gold),
            author_counts(reading.authors, gold),
            count_words(reading.text),
            self._structure(reading.markdown),
        )

    def _structure(self, markdown: str) -> dict[str, tuple[float, int]]:
        gold = self._sample.gold
        if not gold.get("units"):
            return {}
        found = structure_scores(markdown, gold["units"], str(gold.get("markdown") or ""))
        return {name: (sum(values), len(values)) for name, values in found.items()}

    def _scores(self, reading: Reading) -> dict[str, Score | None]:
        if self._empty:
            return dict.fromkeys(self._measures)
        result, gold = both_sides(self._sample, reading.text, reading.title)
        return {name: MEASURES[name](result, gold, self._remembered) for name in self._measures}

    def _remembered(self, text: str) -> list[str]:
        """What is counted in a text; several measures ask for the same, and several systems give the same."""
        if text not in self._cut:
            self._cut[text] = self._units(text)
        return self._cut[text]
