"""Training of the memory-based extractor (`tidings lab train memory-based`), and its cross-validation by site.

Settings are those of `MemoryLearner`, and `page-type`, which restricts the training pages to one type. With folds, a
folder next to the model gets an error file for each page.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Final

from tidings.errors import InputError, PageError
from tidings.extractors.published.memory_based.extractor import CombinedModel, MemoryModel
from tidings.page import Page
from tidings.processes import results
from tidings_lab.annotation.error_files import error_file
from tidings_lab.corpora import Sample
from tidings_lab.learners.element_classes import ElementClasses
from tidings_lab.learners.memory import ElementExample, MemoryLearner
from tidings_lab.learners.second_level import BEST, SecondLevel
from tidings_lab.memory_pages import ARTICLE, Tally, example, predicted, summed, tally
from tidings_lab.tables import Table
from tidings_lab.training.settings import with_settings
from tidings_lab.training.trainers import TrainingOrder
from tidings_lab.validation import Trainable, cross_validate, grouped_k_fold

_UNSAFE: Final = re.compile(r"[^\w.-]+")


def memory_based(order: TrainingOrder) -> Table | None:
    """Train a memory-based model; with folds, return precision, recall and F of each class on unseen sites.

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
    order.report(f"labelling {len(samples)} pages")
    examples = [example_ for example_ in results(_example, samples, order.jobs) if example_ is not None]
    if not examples:
        raise InputError("none of these pages can be read")
    order.report(f"remembering {len(examples)} pages")
    learner.fit(examples).save(order.out)
    if not order.folds:
        return None
    without: Trainable[ElementExample, MemoryModel | CombinedModel] = replace(learner, card={})
    outcomes = cross_validate(
        without,
        grouped_k_fold(examples, order.folds),
        predicted,
        lambda done, total: order.report(f"fold {done} of {total}"),
    )
    folder = order.out.with_suffix(".errors")
    folder.mkdir(exist_ok=True)
    by_id = {sample.id: sample for sample in samples}
    for outcome in outcomes:
        page, pairs = by_id[outcome.item.id], outcome.result
        errors = error_file(Page(page.html, page.url), outcome.item.classes, ElementClasses.of_pairs(pairs))
        if errors:
            folder.joinpath(f"{_UNSAFE.sub('-', page.id)}.error").write_text(errors, "utf-8", "surrogatepass")
    return _table([tally(outcome.item.classes.pairs, outcome.result) for outcome in outcomes])


def _example(sample: Sample) -> ElementExample | None:
    try:
        return example(sample)
    except PageError:
        return None


def _table(tallies: list[Tally]) -> Table:
    total = summed(tallies)
    rows = [
        (kind.name.lower(), total[kind].tp + total[kind].fn, total[kind].precision, total[kind].recall, total[kind].f1)
        for kind in ARTICLE
    ]
    title = "Measured on sites that were not learned from, counted by elements"
    return Table(title, ("class", "in gold", "precision", "recall", "F"), tuple(rows))
