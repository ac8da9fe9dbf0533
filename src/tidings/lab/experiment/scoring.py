"""From a reading and gold to measures. The headline stands on both sides or on neither (SPEC 8)."""

from __future__ import annotations

from dataclasses import replace

from tidings.errors import TidingsError
from tidings.lab.corpora import Sample, opens_with_headline
from tidings.lab.experiment.rows import Measured
from tidings.lab.experiment.systems import Document, Reading
from tidings.lab.metrics import (
    author_counts,
    authors_verdict,
    date_verdict,
    gold_segments,
    headline_verdict,
    text_score,
)
from tidings.text import count_words


def settled(sample: Sample, document: Document | None = None) -> Sample:
    """A sample that says whether its gold text opens with the headline; where nothing tells, the page is looked at."""
    if sample.headline_in_text is not None or not sample.gold.get("text"):
        return sample
    try:
        page = document.page if document else None
        return replace(sample, headline_in_text=opens_with_headline(sample, page))
    except TidingsError:
        return replace(sample, headline_in_text=False)


def measure(sample: Sample, reading: Reading, measures: tuple[str, ...]) -> Measured:
    """All that gold can tell about a reading."""
    gold = sample.gold
    scores = {}
    if gold.get("text") is not None:
        scores = {name: text_score(sample, reading.text, reading.title, name) for name in measures}
    return Measured(
        scores,
        gold_segments(reading.text, gold),
        headline_verdict(reading.title, gold),
        authors_verdict(reading.authors, gold),
        date_verdict(reading.date, gold),
        author_counts(reading.authors, gold),
        count_words(reading.text),
    )
