"""Ablation of N-EXT's last two stages, which select sentences.

Source: N-EXT thesis 4.1.5 and 4.1.6. Stage 5 drops the sentences of the news block whose similarity to the block is
below the harmonic mean; stage 6 adds similar sentences of other blocks. The thesis measures both together (tables 6.6
and 6.7). Here each is left out in turn. The ground-truth headline stands in for the title of a feed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tidings.charts import Chart, ChartKind, Series
from tidings.extractors.published.n_ext import NEXT, SentenceFilter
from tidings.page import Hints, Page
from tidings_lab.corpora import Sample
from tidings_lab.metrics.texts import word_set_score
from tidings_lab.studies.lengthened import title_of
from tidings_lab.studies.page_groups import corpus_name, large_groups
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.studies.trials import Trials
from tidings_lab.tables import Cell, Table

STAGES: Final = {
    SentenceFilter.PUBLISHED: "all stages",
    SentenceFilter.WHOLE: "without stage 5",
    SentenceFilter.BLOCK: "without stages 5 and 6",
}


@dataclass(frozen=True, slots=True)
class SentenceTrial:
    """The word-set score of one page with one filter."""

    corpus: str
    site: str
    sentences: SentenceFilter
    precision: float
    recall: float
    f1: float


@dataclass(frozen=True, slots=True)
class SentenceAblation:
    """Word-set scores by corpus and filter."""

    trials: Trials[SentenceTrial]

    def tables(self) -> tuple[Table, ...]:
        """Return precision, recall and F of each filter, and the gain over the published one."""
        rows: list[tuple[Cell, ...]] = []
        for name in self._corpora():
            published = self.trials.where(corpus=name, sentences=SentenceFilter.PUBLISHED).column("f1")
            for sentences, stages in STAGES.items():
                trials = self.trials.where(corpus=name, sentences=sentences)
                means = map(trials.mean, ("precision", "recall", "f1"))
                rows.append((name, len(trials), stages, *means, trials.gain("f1", published).signed))
        columns = ("corpus", "pages", "stages", "precision", "recall", "text F", "against all stages")
        return (Table("N-EXT without its last stages", columns, tuple(rows)),)

    def charts(self) -> tuple[Chart, ...]:
        """Return text F of each filter by corpus."""
        names = self._corpora()
        series = tuple(
            Series(stages, tuple(self.trials.where(corpus=name, sentences=sentences).mean("f1") for name in names))
            for sentences, stages in STAGES.items()
        )
        title = "N-EXT without its last stages"
        return (Chart("n-ext-sentences", title, "", "text F", tuple(names), series, ChartKind.BARS),)

    def _corpora(self) -> list[str]:
        return large_groups(self.trials.where(sentences=SentenceFilter.PUBLISHED).column("corpus"))


def run_sentences(samples: Sequence[Sample], each: Each = in_turn) -> SentenceAblation:
    """Measure every filter on every page."""
    return SentenceAblation(Trials.of(_try_sentences, samples, "sentences", each))


def _try_sentences(sample: Sample) -> list[SentenceTrial]:
    page = Page(sample.html, sample.url or None, Hints(title=title_of(sample)))
    trials = []
    for sentences in STAGES:
        score = word_set_score(NEXT(sentences=sentences)(page).text(page), sample.gold["text"])
        trials.append(
            SentenceTrial(corpus_name(sample), sample.site, sentences, score.precision, score.recall, score.f1)
        )
    return trials


SENTENCES: Final = Study(
    "n-ext-sentences", "N-EXT without the stages that select sentences", "N-EXT thesis 4.1.5, 4.1.6", run_sentences
)
