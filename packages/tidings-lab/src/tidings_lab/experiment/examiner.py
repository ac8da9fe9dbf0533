"""Computes the measures of a system's result from the ground truth of its page.

The headline is on both sides or on neither (SPEC 8).
"""

from __future__ import annotations

from dataclasses import replace

from tidings.errors import TidingsError
from tidings.text import count_words
from tidings_lab.corpora import Sample, opens_with_headline
from tidings_lab.experiment.rows import RowMeasures
from tidings_lab.experiment.systems import Document, Reading
from tidings_lab.metrics.fields import author_counts, authors_verdict, date_verdict, headline_verdict
from tidings_lab.metrics.page_scores import both_sides, is_empty
from tidings_lab.metrics.score import Score
from tidings_lab.metrics.segments import gold_segments
from tidings_lab.metrics.structure import structure_scores
from tidings_lab.metrics.texts import MEASURES, units_for


def settled(sample: Sample, document: Document | None = None) -> Sample:
    """Return a sample whose `headline_in_text` is set.

    If the corpus does not declare it, the ground truth is compared with the page.
    """
    if sample.headline_in_text is not None or not sample.gold.get("text"):
        return sample
    try:
        page = document.page if document else None
        return replace(sample, headline_in_text=opens_with_headline(sample, page))
    except TidingsError:
        return replace(sample, headline_in_text=False)


class Examiner:
    """Measures results for a page against its ground truth, whose words are split only once.

    Args:
        sample: the page, with `headline_in_text` set (`settled`).
        measures: text measures, names in `metrics.texts.MEASURES`.
    """

    __slots__ = ("_cache", "_empty", "_measures", "_sample", "_units")

    def __init__(self, sample: Sample, measures: tuple[str, ...]) -> None:
        gold = sample.gold.get("text")
        self._sample = sample
        self._measures = () if gold is None else measures
        self._empty = is_empty(gold or "")
        self._units = units_for(gold or "", sample.lang)
        self._cache: dict[str, list[str]] = {}

    def __call__(self, reading: Reading, /) -> RowMeasures:
        """Return all measures of a system's result for the page."""
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
        scores = structure_scores(markdown, gold["units"], str(gold.get("markdown") or ""))
        return {name: (sum(values), len(values)) for name, values in scores.items()}

    def _scores(self, reading: Reading) -> dict[str, Score | None]:
        if self._empty:
            return dict.fromkeys(self._measures)
        result, gold = both_sides(self._sample, reading.text, reading.title)
        return {name: MEASURES[name](result, gold, self._units_of) for name in self._measures}

    def _units_of(self, text: str) -> list[str]:
        """Return the units of a text, memoised because several measures and systems use the same text."""
        if text not in self._cache:
            self._cache[text] = self._units(text)
        return self._cache[text]
