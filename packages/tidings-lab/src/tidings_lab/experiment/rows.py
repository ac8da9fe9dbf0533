"""A row of the result table: the measures of one system on one page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from tidings_lab.corpora import Sample
from tidings_lab.metrics.fields import FieldVerdict
from tidings_lab.metrics.score import Counts, Score


class StepOutcome(StrEnum):
    """The outcome of a step."""

    READ = "read"
    RAISED = "raised"
    KILLED = "killed"  # after the timeout
    DIED = "died"  # with the worker process


@dataclass(frozen=True, slots=True)
class RowMeasures:
    """The measures of a result. Measures without ground truth are absent or UNSCORED."""

    scores: Mapping[str, Score | None] = field(default_factory=dict)  # by measure; None if gold text is empty
    segments: Counts | None = None
    headline: FieldVerdict = FieldVerdict.UNSCORED
    authors: FieldVerdict = FieldVerdict.UNSCORED
    date: FieldVerdict = FieldVerdict.UNSCORED
    author_counts: Counts = field(default_factory=Counts)
    words: int = 0  # in the result; 0 if it is empty
    units: Mapping[str, tuple[float, int]] = field(
        default_factory=dict
    )  # structural units: how many were kept, of how many


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One system on one page. If the system failed, `measured` is the measures of an empty result."""

    system: str
    sample: Sample
    outcome: StepOutcome
    measured: RowMeasures
    reason: str = ""
    seconds: float = 0.0  # processor time of the system, without building a shared page
    page_seconds: float = 0.0  # processor time of building that page
    bytes: int = 0
    cached: bool = False

    @property
    def failed(self) -> bool:
        """Return whether the system has no result for the page."""
        return self.outcome is not StepOutcome.READ

    def f1(self, measure: str) -> float | None:
        """Return the F1 by a measure; None if the ground truth has no text for it."""
        score = self.measured.scores.get(measure)
        return None if score is None else score.f1


def to_record(row: ResultRow) -> dict[str, Any]:
    """Convert a row to a record for the result cache, without its sample, which is part of the cache key."""
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
    """Restore a row from a record of the result cache.

    Raises:
        KeyError, TypeError, ValueError: the record has another format.
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
