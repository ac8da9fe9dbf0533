"""From a reading and gold to measures. The headline stands on both sides or on neither (SPEC 8)."""

from __future__ import annotations

from dataclasses import replace

from tidings.errors import TidingsError
from tidings.lab.corpora import Sample, opens_with_headline
from tidings.lab.experiment.rows import Measured
from tidings.lab.experiment.systems import Document, Reading
from tidings.lab.metrics import (
    MEASURES,
    Score,
    author_counts,
    authors_verdict,
    both_sides,
    date_verdict,
    gold_segments,
    headline_verdict,
    is_empty,
    units_for,
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

    def __call__(self, reading: Reading, /) -> Measured:
        """All that gold can tell about a reading."""
        gold = self._sample.gold
        return Measured(
            self._scores(reading),
            gold_segments(reading.text, gold),
            headline_verdict(reading.title, gold),
            authors_verdict(reading.authors, gold),
            date_verdict(reading.date, gold),
            author_counts(reading.authors, gold),
            count_words(reading.text),
        )

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
