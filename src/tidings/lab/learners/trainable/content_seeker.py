"""Learning Content-Seeker's two steps: which elements make a segment, and which segments are content.

Louvan 2009; DANA thesis 3.2.6. People labelled the segments there; here gold does. An element is uniform if nearly all
of its words are content, or nearly none; one of good granularity is uniform, and what is around it is not. A segment is
content if more than half of its words are. The second step learns from segments that gold makes, not from those that
the first one will find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.extractors.published.content_seeker import (
    Halves,
    NamedColumns,
    SegmentClassifier,
    around_of,
    candidates,
    element_features,
    segment_features,
    segments,
)
from tidings.extractors.published.trained.classifiers import BlockClassifier, matrix
from tidings.lab.learners.lesson import GoldPage
from tidings.lab.learners.rival_learners import TaughtPage, draw
from tidings.lab.learners.trainable.classifiers import ClassifierKind, grow, labels
from tidings.page.columns import Bools, Ints, sums

_UNIFORM: Final = 0.1  # share of words of the other sort that a uniform element may have


@dataclass(frozen=True, slots=True, eq=False)
class TaughtSegments:
    """Elements of a page with their granularity, and the segments that gold makes."""

    site: str
    features: tuple[tuple[str, ...], tuple[str, ...]]
    elements: TaughtPage
    segments: TaughtPage


@dataclass(frozen=True, slots=True)
class Seeking:
    """The learner of both steps, with all four classifiers."""

    leaves: int = 60  # of a tree, and of each tree of a forest
    power: float = 0.75  # of an element's words in its importance: as the default has it

    def prepare(self, lesson: GoldPage, /) -> TaughtSegments | None:
        """Elements and segments of a page with their labels."""
        found = labels(lesson)
        if found is None:
            return None
        page, runs = found.page, found.page.runs
        of_block = np.zeros(len(page.blocks), np.bool_)
        of_block[found.blocks] = found.content
        seen = runs.words * ~runs.hidden
        words, inside = sums(seen), sums(seen * of_block[runs.block])
        element = candidates(page)
        share = _share(words, inside, page.elements.first, page.elements.last)
        uniform = (share <= _UNIFORM) | (share >= 1 - _UNIFORM)
        possible = np.zeros(len(uniform), np.bool_)
        possible[element] = True
        above = np.where(page.elements.parent >= 0, page.nearest_of(possible)[page.elements.parent], 0)[element]
        good = uniform[element] & ~uniform[above]
        cut, row = segments(page, around_of(page, element, good))
        held = np.bincount(row[row >= 0], (seen * of_block[runs.block])[row >= 0], len(cut))
        elements, parts = element_features(page, element), segment_features(page, cut)
        size = words[page.elements.last[element]] - words[page.elements.first[element]]
        return TaughtSegments(
            lesson.site,
            (tuple(elements), tuple(parts)),
            _taught(elements, good, size, self.power),
            _taught(parts, held > 0.5 * cut.words, cut.words, self.power),
        )

    def fit(self, items: Sequence[TaughtSegments], /) -> Halves:
        """All classifiers of both steps."""
        names = items[0].features
        steps = []
        for step, features in enumerate(names):
            drawn = draw([item.segments if step else item.elements for item in items])
            steps.append(
                {
                    by: BlockClassifier(features, grow(ClassifierKind(by.value), drawn, self.leaves))
                    for by in SegmentClassifier
                }
            )
        return Halves(*steps)


def _share(words: Ints, inside: Ints, first: Ints, last: Ints) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray((inside[last] - inside[first]) / np.maximum(words[last] - words[first], 1), np.float64)


def _taught(columns: NamedColumns, content: Bools, words: Ints, power: float) -> TaughtPage:
    weight = words.astype(np.float64) ** power
    return TaughtPage(matrix(columns, tuple(columns)).T, content, weight / max(weight.sum(), 1e-9))
