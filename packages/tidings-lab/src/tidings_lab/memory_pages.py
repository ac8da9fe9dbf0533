"""Pages for experiments with the memory-based learner, and how its answers are counted (memory-based thesis 6.1).

Counted as there: every element is one decision, a pair of classes. The counts of title are those of all pairs with a
title in them, each pair against all others; heading and body likewise. Garbage, which is most of a page, is left out.

On pages of today most elements of a story are links and emphasis inside its paragraphs, a word or two each, and weigh
as much as the paragraphs. So characters are counted too (`by_characters`): what a reader gets and misses.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np

from tidings.errors import InputError
from tidings.extractors.published.memory_based.features import NAMES, rows
from tidings.page import Page
from tidings.page.columns import Ints
from tidings_lab.corpora import Sample
from tidings_lab.learners.memory import ElementExample, classes_of
from tidings_lab.learners.structure import PAIRS, ElementClass, ElementClasses
from tidings_lab.metrics.score import Counts
from tidings_lab.validation import by_site

#: What is measured: the classes that are part of an article.
ARTICLE: Final = (ElementClass.TITLE, ElementClass.HEADING, ElementClass.BODY)
Tally = Mapping[ElementClass, Counts]
NOTHING: Final[Tally] = {one: Counts() for one in ARTICLE}


def example(sample: Sample) -> ElementExample:
    """A page with its features and the classes its gold gives."""
    page = Page(sample.html, sample.url)
    return ElementExample(sample.id, sample.site, rows(page), classes_of(page, sample.gold))


def of_known_sites(examples: Iterable[ElementExample], fewest: int, most: int, elements: int) -> list[ElementExample]:
    """Pages of at most so many elements, at most so many a site, of sites that have at least so many such pages.

    Raises:
        InputError: that leaves fewer than two sites.
    """
    small = [one for one in examples if len(one.rows) <= elements]
    kept = [one for pages in by_site(small).values() if len(pages) >= fewest for one in pages[:most]]
    if len({one.site for one in kept}) < 2:
        raise InputError(f"this study needs two sites with {fewest} pages each that may be trained on")
    return kept


def tally(gold: Ints, found: Ints) -> Tally:
    """Counts of each class from pairs, which are numbers of `PAIRS`."""
    size = len(PAIRS)
    cells = np.bincount(gold * size + found, minlength=size * size).reshape(size, size)
    right, there, taken = np.diagonal(cells), cells.sum(axis=1), cells.sum(axis=0)
    total, counted = len(gold), {}
    for one in ARTICLE:
        pairs = [number for number, pair in enumerate(PAIRS) if one.letter in pair]
        seen = [number for number in pairs if there[number] or taken[number]]
        tp, fp, fn = (int(column[seen].sum()) for column in (right, taken - right, there - right))
        counted[one] = Counts(tp, fp, fn, total * len(seen) - tp - fp - fn)
    return counted


def by_characters(page: ElementExample, found: Ints) -> Tally:
    """Counts of each class in characters of text and tail, from the pairs that were found for a page."""
    gold, said = page.classes, ElementClasses.of_pairs(found)
    lengths = [page.rows.values[:, NAMES.index(name)].astype(np.int64) for name in ("text length", "tail length")]
    parts = [(gold.text, said.text, lengths[0]), (gold.tail, said.tail, lengths[1])]
    counted = {}
    for one in ARTICLE:
        cells = np.zeros((2, 2), np.int64)  # there or not, taken or not
        for wanted, told, length in parts:
            np.add.at(cells, ((wanted == one).astype(int), (told == one).astype(int)), length)
        (tn, fp), (fn, tp) = cells.tolist()
        counted[one] = Counts(tp, fp, fn, tn)
    return counted


def summed(tallies: Iterable[Tally]) -> Tally:
    """Counts added up, class by class."""
    total = dict(NOTHING)
    for one in tallies:
        for found, counts in one.items():
            total[found] += counts
    return total


def macro_f1(tallies: Sequence[Tally]) -> float:
    """Micro F of title, heading and body over all pages, averaged: the F of the thesis's learning curves (6.7)."""
    total = summed(tallies)
    seen = [counts.f1 for counts in total.values() if counts.tp + counts.fn]
    return float(np.mean(seen)) if seen else 0.0


def pair_numbers(names: Sequence[str], classes: Ints) -> Ints:
    """Classes of a model as numbers of `PAIRS`."""
    return np.array([PAIRS.index(name) for name in names], np.int64)[classes]
