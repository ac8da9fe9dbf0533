"""`tidings lab train memory-based`: remember pages with gold, and measure the memory on sites it has not seen.

Settings are those of `MemoryLearner`, and `page-type`: to learn from pages of one type only, as from articles. Where
folds are asked for, a folder beside the model has an error file for each page.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from typing import Final

from tidings.errors import InputError, PageError
from tidings.lab.annotation_format import error_file
from tidings.lab.corpora import Sample
from tidings.lab.learners.element_classes import ElementClasses
from tidings.lab.learners.memory import ElementExample, MemoryLearner
from tidings.lab.memory_pages import ARTICLE, Tally, example, summed, tally
from tidings.lab.studies.memory_domains import predicted
from tidings.lab.tables import Table
from tidings.lab.trainers import TrainingOrder, with_settings
from tidings.lab.validation import cross_validate, grouped_k_fold
from tidings.page import Page
from tidings.processes import results

_UNSAFE: Final = re.compile(r"[^\w.-]+")


def train(order: TrainingOrder) -> Table | None:
    """Write a model, and where folds are asked for give precision, recall and F of each class on other sites.

    Raises:
        InputError: a setting is unknown, or no page can be read.
    """
    settings = dict(order.settings)
    kind = settings.pop("page-type", "")
    samples = [sample for sample in order.samples if kind in ("", sample.page_type)]
    corpora = Counter(sample.corpus or sample.file.parent.name for sample in samples)
    learner = with_settings(MemoryLearner(card={"corpora": dict(sorted(corpora.items()))}), settings)
    order.told(f"labelling {len(samples)} pages")
    examples = [one for one in results(_example, samples, order.jobs) if one is not None]
    if not examples:
        raise InputError("none of these pages can be read")
    order.told(f"remembering {len(examples)} pages")
    learner.fit(examples).save(order.out)
    if not order.folds:
        return None
    found = cross_validate(
        replace(learner, card={}),
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
