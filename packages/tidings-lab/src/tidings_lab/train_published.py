"""Trainers of published extractors, each a function of an order.

`tidings lab train memory-based`: remember pages with gold, and measure the memory on sites it has not seen.

Settings are those of `MemoryLearner`, and `page-type`: to learn from pages of one type only, as from articles. Where
folds are asked for, a folder beside the model has an error file for each page.

Training of the published extractors that learn (`tidings_lab.learners.published`, `.classifiers`), and folds of sites.

A page is prepared once for all folds. What is measured is the text that the extractor takes with weights which have not
seen the page's site.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any, Final, Generic

import numpy as np

from tidings.errors import InputError, PageError
from tidings.extractors import Extractor, extractor
from tidings.extractors.model_files import save
from tidings.extractors.published.block_tree.extractor import main_text
from tidings.extractors.published.block_tree.features import FEATURES, TAGS, BlockClass
from tidings.extractors.published.block_tree.tree import BlockDecisionTree
from tidings.extractors.published.memory_based.extractor import CombinedModel, MemoryModel
from tidings.extractors.published.sequence import ChainForm
from tidings.page import Page
from tidings.processes import results
from tidings_lab.annotation.error_files import error_file
from tidings_lab.corpora import Sample
from tidings_lab.learners.blocks.c45 import C45, Pruning
from tidings_lab.learners.blocks.instances import DRAWN, EXPLAINED, BlockPage, draw
from tidings_lab.learners.classifiers import ClassifierKind, Item, Labelling, ShallowBlocks, Weights_co, WeightsLearner
from tidings_lab.learners.default import fold_of
from tidings_lab.learners.memory import ElementExample, MemoryLearner
from tidings_lab.learners.published import Pairing, Scoring, Seeking
from tidings_lab.learners.second_level import BEST, SecondLevel
from tidings_lab.learners.structure import ElementClasses
from tidings_lab.memory_pages import ARTICLE, Tally, example, summed, tally
from tidings_lab.metrics.texts import word_score
from tidings_lab.studies.hybrid_pages import taught_sample
from tidings_lab.studies.memory_domains import predicted
from tidings_lab.tables import Cell, Table
from tidings_lab.trainers import TrainingOrder, lessons, with_settings
from tidings_lab.validation import Trainable, cross_validate, grouped_k_fold

#: The only kind of page that has a headline, an author and a date.
_KIND: Final = "article"


@dataclass(frozen=True, slots=True)
class Settings:
    """What can be set: the learner's own, and how many uninformative blocks of a page it learns from."""

    pruning: Pruning = Pruning.DEFAULT
    confidence: float = 0.25
    least: int = 5
    drawn: int = DRAWN
    parts: bool = False

    def fit(self, pages: Sequence[BlockPage]) -> BlockDecisionTree:
        """A tree of these pages."""
        table = draw(pages, self.drawn, parts=self.parts)
        return C45(self.pruning, self.confidence, self.least).fit(table)


def block_tree(order: TrainingOrder) -> Table | None:
    """Grow the tree from all pages, write it, and where folds are asked for measure trees grown without each.

    Raises:
        InputError: no page has a main block.
    """
    settings = with_settings(Settings(), order.settings)
    samples = [sample for sample in order.samples if sample.page_type in (_KIND, "")]
    order.told(f"labelling the blocks of {len(samples)} articles")
    pages = results(taught_sample, samples, order.jobs)
    order.told("growing the tree")
    tree = settings.fit(pages)
    tree.save(order.out, _card(settings, samples, pages))
    if not order.folds:
        return None
    rows: list[tuple[Cell, ...]] = []
    for out in range(order.folds):
        order.told(f"fold {out + 1}: growing a tree without it, and reading its pages")
        fold = [fold_of(sample.site, order.folds) for sample in samples]
        without = settings.fit([page for page, where in zip(pages, fold, strict=True) if where != out])
        inside = [place for place, where in enumerate(fold) if where == out]
        scores = results(partial(text_f1, tree=without), [samples[place] for place in inside], order.jobs)
        rows.append(
            (f"fold {out + 1}", len(inside), _accuracy(without, [pages[place] for place in inside]), _mean(scores))
        )
    counts = np.array([row[1] for row in rows], np.float64)
    means = (float(np.average([row[at] for row in rows], weights=counts)) for at in (2, 3))
    rows.append(("all", len(samples), *means))
    return Table(
        "Measured on sites that were not learned from", ("sites", "pages", "block accuracy", "word F1"), tuple(rows)
    )


def text_f1(sample: Sample, tree: BlockDecisionTree) -> float:
    """Word F1 of the main block that a tree finds."""
    page = Page(sample.html, sample.url)
    return word_score(main_text(page, tree).text(page), str(sample.gold["text"])).f1


def _accuracy(tree: BlockDecisionTree, pages: Sequence[BlockPage]) -> float:
    """The share of drawn blocks that get their class."""
    table = draw(pages)
    return float(np.mean(tree.classify(table.rows) == table.labels)) if len(table) else 0.0


def _card(settings: Settings, samples: Sequence[Sample], pages: Sequence[BlockPage]) -> dict[str, Any]:
    """What is to be known of a tree: what it asks, what it tells, what it was grown from and how."""
    used = [sample for sample, page in zip(samples, pages, strict=True) if page.explained >= EXPLAINED]
    return {
        "what": "decision tree of the extractor block-tree: the class of a block of a page",
        "features": FEATURES,
        "tags": TAGS,
        "classes": [one.label for one in BlockClass],
        "learned_from": dict(sorted(Counter(f"{one.corpus} ({one.more.get('licence', '')})" for one in used).items())),
        "sites": len({one.site for one in used}),
        "settings": {
            "pruning": settings.pruning.value,
            "confidence": settings.confidence,
            "least": settings.least,
            "drawn": settings.drawn,
            "parts": settings.parts,
        },
    }


def _mean(values: Sequence[float]) -> float:
    return float(np.mean(values)) if values else 0.0


_UNSAFE: Final = re.compile(r"[^\w.-]+")


def memory_based(order: TrainingOrder) -> Table | None:
    """Write a model, and where folds are asked for give precision, recall and F of each class on other sites.

    Raises:
        InputError: a setting is unknown, or no page can be read.
    """
    settings = dict(order.settings)
    kind = settings.pop("page-type", "")
    samples = [sample for sample in order.samples if kind in ("", sample.page_type)]
    corpora = Counter(sample.corpus or sample.file.parent.name for sample in samples)
    levels = settings.pop("levels", "1")
    if levels not in ("1", "2") or (levels == "2" and settings):
        raise InputError(
            "levels is 1 or 2; the classifiers of two levels have settings of their own, so no other is set"
        )
    card = {"corpora": dict(sorted(corpora.items()))}
    learner: MemoryLearner | SecondLevel = (
        with_settings(MemoryLearner(card=card), settings) if levels == "1" else SecondLevel(BEST, card=card)
    )
    order.told(f"labelling {len(samples)} pages")
    examples = [one for one in results(_example, samples, order.jobs) if one is not None]
    if not examples:
        raise InputError("none of these pages can be read")
    order.told(f"remembering {len(examples)} pages")
    learner.fit(examples).save(order.out)
    if not order.folds:
        return None
    without: Trainable[ElementExample, MemoryModel | CombinedModel] = replace(learner, card={})
    found = cross_validate(
        without,
        grouped_k_fold(examples, order.folds),
        predicted,
        lambda done, total: order.told(f"fold {done} of {total}"),
    )
    folder = order.out.with_suffix(".errors")
    folder.mkdir(exist_ok=True)
    by_id = {sample.id: sample for sample in samples}
    for outcome in found:
        page, pairs = by_id[outcome.item.id], outcome.result
        wrong = error_file(Page(page.html, page.url), outcome.item.classes, ElementClasses.of_pairs(pairs))
        if wrong:
            folder.joinpath(f"{_UNSAFE.sub('-', page.id)}.error").write_text(wrong, "utf-8", "surrogatepass")
    return _table([tally(outcome.item.classes.pairs, outcome.result) for outcome in found])


def _example(sample: Sample) -> ElementExample | None:
    try:
        return example(sample)
    except PageError:
        return None


def _table(tallies: list[Tally]) -> Table:
    total = summed(tallies)
    rows = [
        (one.name.lower(), total[one].tp + total[one].fn, total[one].precision, total[one].recall, total[one].f1)
        for one in ARTICLE
    ]
    title = "Measured on sites that were not learned from, counted by elements"
    return Table(title, ("class", "in gold", "precision", "recall", "F"), tuple(rows))


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
