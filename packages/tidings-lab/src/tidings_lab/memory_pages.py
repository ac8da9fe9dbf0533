"""Pages for experiments with the memory-based learner, and counts of its results (memory-based thesis 6.1).

As in the thesis, every element is one decision, a pair of classes (of its text and of its tail). The counts of "title"
are those of all pairs that contain a title, each pair against all others; heading and body likewise. Garbage, which is
most of a page, is left out.

On current pages most elements of a story are links and emphasis inside its paragraphs, which have a word or two and
count as much as the paragraphs. So `by_characters` also counts characters, which is what a reader gets or misses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from tidings.errors import InputError
from tidings.extractors.published.memory_based.extractor import CombinedModel, MemoryModel, encode
from tidings.extractors.published.memory_based.features import NAMES, rows
from tidings.page import Page
from tidings.page.columns import Ints
from tidings_lab.corpora import Sample
from tidings_lab.learners.element_classes import PAIRS, ElementClass, ElementClasses
from tidings_lab.learners.element_labels import classes_of
from tidings_lab.learners.memory import ElementExample
from tidings_lab.metrics.score import Counts
from tidings_lab.validation import by_site

#: The classes to measure: those that are part of an article.
ARTICLE: Final = (ElementClass.TITLE, ElementClass.HEADING, ElementClass.BODY)
Tally = Mapping[ElementClass, Counts]
NOTHING: Final[Tally] = {kind: Counts() for kind in ARTICLE}


def example(sample: Sample) -> ElementExample:
    """Return a page's features, and the classes from its ground truth."""
    page = Page(sample.html, sample.url)
    return ElementExample(sample.id, sample.site, rows(page), classes_of(page, sample.gold))


def of_known_sites(examples: Iterable[ElementExample], fewest: int, most: int, elements: int) -> list[ElementExample]:
    """Return the usable pages of sites that have enough of them.

    A page is usable if it is not too large.

    Args:
        examples: the pages.
        fewest: the least number of usable pages of a site.
        most: the maximal number of pages to take from a site.
        elements: the maximal number of elements of a usable page.

    Raises:
        InputError: that leaves fewer than two sites.
    """
    small = [page for page in examples if len(page.rows) <= elements]
    selected = [page for pages in by_site(small).values() if len(pages) >= fewest for page in pages[:most]]
    if len({page.site for page in selected}) < 2:
        raise InputError(f"this study needs two sites with {fewest} pages each that may be trained on")
    return selected


def tally(gold: Ints, predicted: Ints) -> Tally:
    """Return the counts of each class, given pairs as numbers of `PAIRS`."""
    size = len(PAIRS)
    cells = np.bincount(gold * size + predicted, minlength=size * size).reshape(size, size)
    correct, gold_counts, predicted_counts = np.diagonal(cells), cells.sum(axis=1), cells.sum(axis=0)
    total, counted = len(gold), {}
    for kind in ARTICLE:
        pairs = [number for number, pair in enumerate(PAIRS) if kind.letter in pair]
        present = [number for number in pairs if gold_counts[number] or predicted_counts[number]]
        tp, fp, fn = (
            int(column[present].sum()) for column in (correct, predicted_counts - correct, gold_counts - correct)
        )
        counted[kind] = Counts(tp, fp, fn, total * len(present) - tp - fp - fn)
    return counted


def by_characters(page: ElementExample, predicted: Ints) -> Tally:
    """Return the counts of each class in characters of text and tail, from the predicted pairs of a page."""
    gold, predicted_classes = page.classes, ElementClasses.of_pairs(predicted)
    lengths = [page.rows.values[:, NAMES.index(name)].astype(np.int64) for name in ("text length", "tail length")]
    parts = [(gold.text, predicted_classes.text, lengths[0]), (gold.tail, predicted_classes.tail, lengths[1])]
    counted = {}
    for kind in ARTICLE:
        cells = np.zeros((2, 2), np.int64)  # in the ground truth or not × predicted or not
        for gold_part, predicted_part, length in parts:
            np.add.at(cells, ((gold_part == kind).astype(int), (predicted_part == kind).astype(int)), length)
        (tn, fp), (fn, tp) = cells.tolist()
        counted[kind] = Counts(tp, fp, fn, tn)
    return counted


def summed(tallies: Iterable[Tally]) -> Tally:
    """Return the sums of several counts, by class."""
    total = dict(NOTHING)
    for counts_by_class in tallies:
        for kind, counts in counts_by_class.items():
            total[kind] += counts
    return total


def macro_f1(tallies: Sequence[Tally]) -> float:
    """Return the mean of the micro F of title, heading and body: the F of the thesis's learning curves (6.7)."""
    total = summed(tallies)
    values = [counts.f1 for counts in total.values() if counts.tp + counts.fn]
    return float(np.mean(values)) if values else 0.0


def pair_numbers(names: Sequence[str], classes: Ints) -> Ints:
    """Convert classes of a model to numbers of `PAIRS`."""
    return np.array([PAIRS.index(name) for name in names], np.int64)[classes]


def predicted(model: MemoryModel | CombinedModel, page: ElementExample) -> Ints:
    """Return the pairs of classes that a model predicts for a page's elements, as numbers of `PAIRS`."""
    if isinstance(model, CombinedModel):
        return pair_numbers(model.classes, model.answer(page.rows).classes)
    return pair_numbers(model.classes, model.answer(encode(page.rows, model.tags)).classes)
