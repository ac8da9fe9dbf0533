"""One line of the large table: what one system made of one page, measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tidings.lab.corpora import Sample
from tidings.lab.experiment.outcome import Outcome
from tidings.lab.metrics import Counts, Score, Verdict


@dataclass(frozen=True, slots=True)
class Measured:
    """How near a result is to gold. What gold does not tell is absent or UNSCORED."""

    scores: Mapping[str, Score | None] = field(default_factory=dict)  # by measure; None where gold text is empty
    segments: Counts | None = None
    headline: Verdict = Verdict.UNSCORED
    authors: Verdict = Verdict.UNSCORED
    date: Verdict = Verdict.UNSCORED
    author_counts: Counts = field(default_factory=Counts)
    words: int = 0  # in the result; 0 is nothing returned


@dataclass(frozen=True, slots=True)
class Row:
    """One system on one page. Where the system failed, `measured` is what an empty result scores."""

    system: str
    sample: Sample
    outcome: Outcome
    measured: Measured
    reason: str = ""
    seconds: float = 0.0  # processor time of the system alone, the page shared by ours
    page_seconds: float = 0.0  # processor time of building that page
    bytes: int = 0
    cached: bool = False

    @property
    def failed(self) -> bool:
        """Whether there is no result."""
        return self.outcome is not Outcome.READ

    def f1(self, measure: str) -> float | None:
        """F1 by a measure, None where gold has no text for it."""
        score = self.measured.scores.get(measure)
        return None if score is None else score.f1


def to_record(row: Row) -> dict[str, Any]:
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
    }


def from_record(record: Mapping[str, Any], system: str, sample: Sample) -> Row:
    """A row as it was kept.

    Raises:
        KeyError, TypeError, ValueError: the record is none of ours.
    """
    measured = Measured(
        scores={name: None if pair is None else Score(*pair) for name, pair in record["scores"].items()},
        segments=None if record["segments"] is None else Counts(*record["segments"]),
        headline=Verdict(record["headline"]),
        authors=Verdict(record["authors"]),
        date=Verdict(record["date"]),
        author_counts=Counts(*record["author_counts"]),
        words=int(record["words"]),
    )
    return Row(
        system,
        sample,
        Outcome(record["outcome"]),
        measured,
        str(record["reason"]),
        float(record["seconds"]),
        float(record["page_seconds"]),
        int(record["bytes"]),
        cached=True,
    )


def _list(counts: Counts | None) -> list[int] | None:
    return None if counts is None else [counts.tp, counts.fp, counts.fn, counts.tn]
