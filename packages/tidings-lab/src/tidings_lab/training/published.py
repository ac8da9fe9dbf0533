"""Training of published extractors with learned weights, and cross-validation by site.

A page is prepared once for all folds. The score is that of the text which the extractor selects with weights that were
not trained on the page's site.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import Generic

import numpy as np

from tidings.errors import InputError
from tidings.extractors import Extractor, extractor
from tidings.extractors.model_files import save
from tidings.extractors.published.sequence import ChainForm
from tidings.page import Page
from tidings.processes import results
from tidings_lab.corpora import Sample
from tidings_lab.learners.content_seeker import Seeking
from tidings_lab.learners.correlation_clustering import Pairing
from tidings_lab.learners.sequence_labelling import Labelling
from tidings_lab.learners.shallow_blocks import ShallowBlocks
from tidings_lab.learners.site_folds import fold_of
from tidings_lab.learners.sklearn_classifiers import ClassifierKind
from tidings_lab.learners.trigrams import Scoring
from tidings_lab.learners.weights_learner import Item, Weights_co, WeightsLearner
from tidings_lab.metrics.texts import word_score
from tidings_lab.tables import Cell, Table
from tidings_lab.training.samples import lessons
from tidings_lab.training.settings import with_settings
from tidings_lab.training.trainers import TrainingOrder


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """The scores of a page with weights that were not trained on its site."""

    corpus: str
    kind: str
    precision: float
    recall: float
    f1: float
    milliseconds: float  # processor time from page to spans


@dataclass(frozen=True, slots=True)
class PublishedTraining(Generic[Item, Weights_co]):
    """The training of a published extractor."""

    extractor: str
    learner: WeightsLearner[Item, Weights_co]

    def run(self, order: TrainingOrder) -> Table | None:
        """Train on all pages; with folds, also without each fold, and return the scores.

        Raises:
            InputError: there is too little training data.
        """
        learner = with_settings(self.learner, order.settings)
        order.report(f"reading {len(order.samples)} pages")
        prepared = results(partial(_prepared, learner), order.samples, order.jobs)
        items = [item for item in prepared if item is not None]
        if not items:
            raise InputError("training needs pages whose gold text is found on them")
        order.report(f"learning from {len(items)} pages")
        save(learner.fit(items), self.extractor, order.out)
        if not order.folds:
            return None
        folder = order.out.with_suffix(".folds")
        folder.mkdir(exist_ok=True)
        scores: list[PublishedScore] = []
        for fold in range(order.folds):
            order.report(f"fold {fold + 1} of {order.folds}: learning")
            inside = [item for item in items if fold_of(item.site, order.folds) != fold]
            outside = [page for page in order.samples if fold_of(page.site, order.folds) == fold]
            if not inside:
                raise InputError("folds need pages of several sites")
            path = folder / f"without-fold-{fold}.npz"
            save(learner.fit(inside), self.extractor, path)
            order.report(f"fold {fold + 1} of {order.folds}: reading {len(outside)} pages")
            scores += results(partial(score, self.extractor, path), outside, order.jobs)
        return table(scores)


def with_model(name: str, path: Path) -> Extractor:
    """Return the extractor with weights from a file."""
    return replace(extractor(name), model=str(path))  # type: ignore[type-var]  # every extractor is a dataclass


def score(name: str, path: Path, sample: Sample) -> PublishedScore:
    """Return the scores of an extractor with weights from a file on a page."""
    page = Page(sample.html, sample.url)
    method = with_model(name, path)
    start = process_time()
    spans = method(page)
    milliseconds = 1000 * (process_time() - start)
    scores = word_score(spans.text(page), sample.gold["text"])
    return PublishedScore(sample.corpus, sample.page_type, scores.precision, scores.recall, scores.f1, milliseconds)


def table(scores: Sequence[PublishedScore]) -> Table:
    """Return a row for each corpus, and for each kind of page in it."""
    rows: list[tuple[Cell, ...]] = []
    for name, kind in sorted({(page.corpus, kind) for page in scores for kind in ("", page.kind)}):
        pages = [page for page in scores if page.corpus == name and kind in ("", page.kind)]
        means = (
            np.mean([getattr(page, name_of_measure) for page in pages])
            for name_of_measure in ("precision", "recall", "f1", "milliseconds")
        )
        rows.append((name, kind or "all", len(pages), *map(float, means)))
    columns = ("corpus", "kind", "pages", "precision", "recall", "word F1", "ms a page")
    return Table("Measured on sites that were not learned from", columns, tuple(rows))


def _prepared(learner: WeightsLearner[Item, Weights_co], sample: Sample) -> Item | None:
    (lesson,) = lessons([sample])
    return learner.prepare(lesson)


# -- what `tidings lab train` calls -----------------------------------------------------------------------------

Trains = Callable[[TrainingOrder], Table | None]
mss: Trains = PublishedTraining("mss", Scoring()).run
shallow_tree: Trains = PublishedTraining("shallow-tree", ShallowBlocks(ClassifierKind.TREE)).run
shallow_svm: Trains = PublishedTraining("shallow-svm", ShallowBlocks(ClassifierKind.SVM)).run
crf: Trains = PublishedTraining("crf", Labelling(ChainForm.FIELD)).run
maxent: Trains = PublishedTraining("maxent", Labelling(ChainForm.ALONE)).run
memm: Trains = PublishedTraining("memm", Labelling(ChainForm.MARKOV)).run
content_seeker: Trains = PublishedTraining("content-seeker-learned", Seeking()).run
correlation_clustering: Trains = PublishedTraining("correlation-clustering", Pairing()).run
