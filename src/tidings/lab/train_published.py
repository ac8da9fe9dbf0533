"""Training of the published extractors that learn (`tidings.lab.learners.trainable`), and folds of sites.

A page is prepared once for all folds. What is measured is the text that the extractor takes with weights which have not
seen the page's site.
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
from tidings.extractors.published.sequence import ChainForm
from tidings.extractors.published.trained.weights import save
from tidings.lab.corpora import Sample
from tidings.lab.learners.default import fold_of
from tidings.lab.learners.trainable.classifiers import ClassifierKind, Item, Weights_co, WeightsLearner
from tidings.lab.learners.trainable.content_seeker import Seeking
from tidings.lab.learners.trainable.correlation import Pairing
from tidings.lab.learners.trainable.mss import Scoring
from tidings.lab.learners.trainable.sequence import Labelling
from tidings.lab.learners.trainable.shallow import ShallowBlocks
from tidings.lab.metrics import word_score
from tidings.lab.tables import Cell, Table
from tidings.lab.trainers import TrainingOrder, lessons, with_settings
from tidings.page import Page
from tidings.processes import results


@dataclass(frozen=True, slots=True)
class PublishedScore:
    """One page as read by weights that have not seen its site."""

    corpus: str
    kind: str
    precision: float
    recall: float
    f1: float
    milliseconds: float  # of processor time, from the page to the spans


@dataclass(frozen=True, slots=True)
class PublishedTraining(Generic[Item, Weights_co]):
    """The training of one extractor."""

    extractor: str
    learner: WeightsLearner[Item, Weights_co]

    def run(self, order: TrainingOrder) -> Table | None:
        """Learn from all pages, and where folds are asked for once without each of them.

        Raises:
            InputError: there is too little to learn from.
        """
        learner = with_settings(self.learner, order.settings)
        order.told(f"reading {len(order.samples)} pages")
        prepared = results(partial(_prepared, learner), order.samples, order.jobs)
        items = [item for item in prepared if item is not None]
        if not items:
            raise InputError("training needs pages whose gold text is found on them")
        order.told(f"learning from {len(items)} pages")
        save(learner.fit(items), self.extractor, order.out)
        if not order.folds:
            return None
        folder = order.out.with_suffix(".folds")
        folder.mkdir(exist_ok=True)
        read: list[PublishedScore] = []
        for fold in range(order.folds):
            order.told(f"fold {fold + 1} of {order.folds}: learning")
            inside = [item for item in items if fold_of(item.site, order.folds) != fold]
            outside = [page for page in order.samples if fold_of(page.site, order.folds) == fold]
            if not inside:
                raise InputError("folds need pages of several sites")
            path = folder / f"without-fold-{fold}.npz"
            save(learner.fit(inside), self.extractor, path)
            order.told(f"fold {fold + 1} of {order.folds}: reading {len(outside)} pages")
            read += results(partial(score, self.extractor, path), outside, order.jobs)
        return table(read)


def with_model(name: str, path: Path) -> Extractor:
    """The extractor of that name with weights from a file."""
    return replace(extractor(name), model=str(path))  # type: ignore[type-var]  # every extractor is a dataclass


def score(name: str, path: Path, sample: Sample) -> PublishedScore:
    """How well an extractor reads a page with weights from a file."""
    page = Page(sample.html, sample.url)
    made = with_model(name, path)
    start = process_time()
    spans = made(page)
    taken = 1000 * (process_time() - start)
    found = word_score(spans.text(page), sample.gold["text"])
    return PublishedScore(sample.corpus, sample.page_type, found.precision, found.recall, found.f1, taken)


def table(read: Sequence[PublishedScore]) -> Table:
    """A row for each corpus, and for each kind of page in it."""
    rows: list[tuple[Cell, ...]] = []
    for name, kind in sorted({(page.corpus, kind) for page in read for kind in ("", page.kind)}):
        pages = [page for page in read if page.corpus == name and kind in ("", page.kind)]
        means = (
            np.mean([getattr(page, one) for page in pages]) for one in ("precision", "recall", "f1", "milliseconds")
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
