"""Training of Content-Seeker: which elements make a segment, and which segments are content.

Source: Louvan 2009; DANA thesis 3.2.6, where people labelled the segments; here the ground truth does. An element is
uniform if nearly all of its words are content, or nearly none; an element of good granularity is uniform, and its
parent is not. A segment is content if more than half of its words are. The second step is trained on the segments that
the ground truth implies, not on those that the first step will find.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.extractors.published.content_seeker import segments
from tidings.extractors.published.content_seeker_learned import (
    NamedColumns,
    SegmentClassifier,
    SegmentModels,
    candidates,
    element_features,
    segment_features,
    segment_owners,
)
from tidings.extractors.published.trained.classifiers import BlockClassifier, matrix
from tidings.page.columns import Bools, Ints, sums
from tidings_lab.learners.labelled_pages import GoldPage
from tidings_lab.learners.sklearn_classifiers import ClassifierKind, grow
from tidings_lab.learners.taught_pages import TaughtPage, draw
from tidings_lab.learners.weights_learner import labels

_UNIFORM: Final = 0.1  # largest share of the minority (content or not) in a uniform element


@dataclass(frozen=True, slots=True, eq=False)
class TaughtSegments:
    """Elements of a page with their granularity, and the segments that the ground truth implies."""

    site: str
    features: tuple[tuple[str, ...], tuple[str, ...]]
    elements: TaughtPage
    segments: TaughtPage


@dataclass(frozen=True, slots=True)
class Seeking:
    """A learner for both classifiers of `content-seeker-learned`: cutting a page into segments, and selecting
    segments.
    """

    leaves: int = 60  # of a tree, and of each tree of a forest
    power: float = 0.75  # exponent of an element's words in its importance, like the default extractor

    def prepare(self, lesson: GoldPage, /) -> TaughtSegments | None:
        """Return elements and segments of a page with their labels."""
        labelled = labels(lesson)
        if labelled is None:
            return None
        page, runs = labelled.page, labelled.page.runs
        of_block = np.zeros(len(page.blocks), np.bool_)
        of_block[labelled.blocks] = labelled.content
        visible_words = runs.words * ~runs.hidden
        words, inside = sums(visible_words), sums(visible_words * of_block[runs.block])
        element = candidates(page)
        share = _share(words, inside, page.elements.first, page.elements.last)
        uniform = (share <= _UNIFORM) | (share >= 1 - _UNIFORM)
        possible = np.zeros(len(uniform), np.bool_)
        possible[element] = True
        parent_candidate = np.where(page.elements.parent >= 0, page.nearest_of(possible)[page.elements.parent], 0)[
            element
        ]
        good = uniform[element] & ~uniform[parent_candidate]
        parts, row = segments(page, segment_owners(page, element, good))
        content_words = np.bincount(row[row >= 0], (visible_words * of_block[runs.block])[row >= 0], len(parts))
        elements, features_of_parts = element_features(page, element), segment_features(page, parts)
        size = words[page.elements.last[element]] - words[page.elements.first[element]]
        return TaughtSegments(
            lesson.site,
            (tuple(elements), tuple(features_of_parts)),
            _taught(elements, good, size, self.power),
            _taught(features_of_parts, content_words > 0.5 * parts.words, parts.words, self.power),
        )

    def fit(self, items: Sequence[TaughtSegments], /) -> SegmentModels:
        """Train every kind of classifier for both steps."""
        names = items[0].features
        steps = []
        for step, features in enumerate(names):
            drawn = draw([item.segments if step else item.elements for item in items])
            steps.append(
                {
                    kind: BlockClassifier(features, grow(ClassifierKind(kind.value), drawn, self.leaves))
                    for kind in SegmentClassifier
                }
            )
        return SegmentModels(*steps)


def _share(words: Ints, inside: Ints, first: Ints, last: Ints) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    return np.asarray((inside[last] - inside[first]) / np.maximum(words[last] - words[first], 1), np.float64)


def _taught(columns: NamedColumns, content: Bools, words: Ints, power: float) -> TaughtPage:
    weight = words.astype(np.float64) ** power
    return TaughtPage(matrix(columns, tuple(columns)).T, content, weight / max(weight.sum(), 1e-9))
