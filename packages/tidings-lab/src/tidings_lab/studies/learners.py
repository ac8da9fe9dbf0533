"""Comparison of learners for block classification by accuracy and cost: same features, same training sites.

No document has this comparison. The hybrid approach compares four learners on its own features and settles on a
decision tree (section 4.4). Here one of five folds of sites is the test set; the word weights and all learners are
trained on the others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from time import process_time
from typing import Final

import numpy as np

from tidings.charts import Chart, ChartKind, Series
from tidings.errors import InputError, MissingExtra
from tidings.extractors.learned.choice import Preference, choose
from tidings.extractors.learned.lexicon import Lexicon
from tidings.extractors.learned.stages import ARTICLE
from tidings.page import Page, Spans
from tidings_lab.corpora import Sample
from tidings_lab.learners.default import Training
from tidings_lab.learners.rival_learners import Boosted, Convolution, Crf, DecisionTree, Linear, RandomForest
from tidings_lab.learners.rival_pages import LookedPage, MarkedPage, lexicon, look, mark
from tidings_lab.learners.taught_pages import BlockJudge, Rival
from tidings_lab.metrics.texts import word_score
from tidings_lab.studies.study import Each, Study, in_turn
from tidings_lab.studies.trials import Trials
from tidings_lab.tables import Cell, Table
from tidings_lab.training.samples import lessons

FOLDS: Final = 5
MEASURED: Final = 0  # the test fold
REPEATS: Final = 3  # of each timing, in processor time; the fastest counts
_TRAINING: Final = Training()

#: Learners whose settings are not tuned; the boosted trees have those of the default extractor.
RIVALS: Final[Mapping[str, Rival]] = {
    "logistic regression": Linear(),
    "decision tree": DecisionTree(),
    "random forest": RandomForest(),
    "conditional random field": Crf(),
    "convolution": Convolution(),
}
BOOSTED: Final = "boosted trees"


@dataclass(frozen=True, slots=True)
class LearnerTrial:
    """The results of a learner on a page."""

    learner: str
    site: str
    kind: str
    accuracy: float  # share of blocks classified correctly
    word_f1: float
    milliseconds: float  # processor time from features to probabilities


@dataclass(frozen=True, slots=True)
class Learners:
    """Scores of all learners, the size of their weights, and their training times."""

    trials: Trials[LearnerTrial]
    size: Mapping[str, int]
    seconds: Mapping[str, float]
    learned_from: int  # pages

    def tables(self) -> tuple[Table, ...]:
        """Return a table with a row per learner."""
        base = self._of(BOOSTED)
        rows: list[tuple[Cell, ...]] = []
        for name in self.size:
            trials = self._of(name)
            rows.append(
                (
                    name,
                    trials.mean("accuracy"),
                    articles.mean("word_f1") if (articles := self._of(name, ARTICLE)) else "–",
                    trials.mean("word_f1"),
                    "" if name == BOOSTED else trials.gain("word_f1", base.column("word_f1")).signed,
                    trials.mean("milliseconds"),
                    round(self.size[name] / 1024),
                    round(self.seconds[name]),
                )
            )
        columns = (
            "learner", "block accuracy", "word F1, articles", "word F1, all pages", f"against {BOOSTED}",
            "ms a page", "weights, KiB", "learning, s",
        )  # fmt: skip
        title = (
            f"Learned from {self.learned_from} pages, measured on {len(base)} of other sites, "
            f"{len(self._of(BOOSTED, ARTICLE))} of them articles"
        )
        return (Table(title, columns, tuple(rows)),)

    def charts(self) -> tuple[Chart, ...]:
        """Return a chart of the word F1 of each learner."""
        names = tuple(self.size)
        series = tuple(
            Series(label, tuple(self._of(name, kind).mean("word_f1") for name in names))
            for label, kind in (("articles", ARTICLE), ("all pages", ""))
            if self._of(BOOSTED, kind)
        )
        return (Chart("learners", "Learners on the same features", "", "word F1", names, series, ChartKind.POINTS),)

    def _of(self, name: str, kind: str = "") -> Trials[LearnerTrial]:
        return self.trials.where(learner=name, **({"kind": kind} if kind else {}))


def run(samples: Sequence[Sample], each: Each = in_turn, rivals: Mapping[str, Rival] = RIVALS) -> Learners:
    """Train learners on four folds of sites, and measure them on the fifth.

    Raises:
        InputError: one of the two has no pages.
        MissingExtra: a library to learn with is not installed.
    """
    if any(find_spec(library) is None for library in ("catboost", "pycrfsuite", "rapidfuzz", "sklearn")):
        raise MissingExtra("comparing learners", "lab")
    pages = list(each(_mark, [sample for sample in samples if sample.may_teach], "labelling"))
    inside = [marked for _, marked in pages if marked.fold != MEASURED and marked.labelled is not None]
    if len({marked.fold for marked in inside}) < 2 or all(marked.fold != MEASURED for _, marked in pages):
        raise InputError("learners are compared on pages of many sites: name a larger corpus")
    folds = sorted({marked.fold for _, marked in pages})
    words = dict(each.alone()(partial(_lexicon, inside), folds, "learning words"))
    shown = [
        (sample, marked, words[marked.fold])
        for sample, marked in pages
        if marked.fold == MEASURED or marked.labelled is not None
    ]
    seen = list(each(_look, shown, "features"))
    taught = [looked for _, looked in seen if looked.fold != MEASURED]
    compared = {**rivals, BOOSTED: Boosted(_TRAINING.boosting)}
    learned = list(each.alone()(partial(_learn, taught), list(compared.items()), "learning"))
    judges = {name: judge for name, judge, _ in learned}
    if BOOSTED not in judges:
        raise InputError("there is too little to learn from: name a larger corpus")
    outside = [(sample, looked) for sample, looked in seen if looked.fold == MEASURED]
    return Learners(
        Trials.of(partial(_measure, judges), outside, "measuring", each.alone()),
        {name: judge.size for name, judge in judges.items()},
        {name: seconds for name, _, seconds in learned},
        len(taught),
    )


def _mark(sample: Sample) -> tuple[Sample, MarkedPage]:
    (lesson,) = lessons([sample])
    return sample, mark(lesson, FOLDS)


def _lexicon(pages: Sequence[MarkedPage], fold: int) -> tuple[int, Lexicon]:
    return fold, lexicon(pages, fold, _TRAINING)


def _look(task: tuple[Sample, MarkedPage, Lexicon]) -> tuple[Sample, LookedPage]:
    sample, marked, words = task
    return sample, look(marked, words, _TRAINING)


def _learn(pages: Sequence[LookedPage], task: tuple[str, Rival]) -> tuple[str, BlockJudge, float]:
    """Train a learner; return its name, the trained model, and the seconds of processor time."""
    name, rival = task
    start = process_time()
    return name, rival.fit([page.taught for page in pages]), process_time() - start


def _measure(judges: Mapping[str, BlockJudge], task: tuple[Sample, LookedPage]) -> list[LearnerTrial]:
    """Measure every learner on one page."""
    sample, looked_page = task
    page, block_features = Page(sample.html, sample.url), looked_page.features
    trials = []
    for name, judge in judges.items():
        times = []
        for _ in range(REPEATS):
            start = process_time()
            probability = judge.probabilities(block_features.rows)
            times.append(process_time() - start)
        accuracy = float(np.mean((probability > 0.5) == looked_page.taught.content)) if len(probability) else 1.0
        chosen, _ = choose(probability, block_features.words, Preference.BALANCED)
        spans = page.shown(Spans.of_blocks(page, block_features.blocks[chosen])) & page.scope
        score = word_score(spans.text(page), sample.gold["text"]).f1
        trials.append(LearnerTrial(name, sample.site, sample.page_type, accuracy, score, 1000 * min(times)))
    return trials


STUDY: Final = Study(
    "learners", "Learners of content and the rest, on the same features", "hybrid rules 4.4, and others", run
)
