"""Content-Seeker with both learned steps: granularity of segments, and classification of segments as content.

Source: Louvan 2009 ("Extracting the main content from web documents"); DANA thesis 3.2.6. The first classifier finds
elements of good granularity ("a uniform semantic unit"). The outermost of them become segments; text outside of them
belongs to the nearest element that could be a segment. The second classifier selects the segments that are content.
Then one of the heuristics applies (largest text or table pattern), or all content is selected.

The thesis compares four classifiers (J48, random forest, sequential minimal optimisation, perceptron); the model file
contains all four. Of the features it names, length and width need a rendered page: here the number of characters
replaces length and the share of the page's words replaces width. Stop words are those of all languages that Tidings has
lists of. The models are trained by `tidings lab train content-seeker-learned`; their model card is in
docs/explanation/trainable-extractors.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.hashed_words import Hashes, hashed_words
from tidings.extractors.model_files import Arrays, read
from tidings.extractors.parameters import checked
from tidings.extractors.published.content_seeker import ContentSeeker, Segments, largest_text_or_pattern, segments
from tidings.extractors.published.trained.classifiers import BlockClassifier
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.counts import code_points
from tidings.page.tag_sets import among, tag_set
from tidings.text.terms import stop_word_languages, stop_words

Floats = NDArray[np.float64]
NamedColumns = dict[str, NDArray[Any]]
NAME: Final = "content-seeker-learned"
_HEURISTICS: Final = ContentSeeker()
#: Elements that can be a segment: those that a browser renders as a block.
_BLOCKS: Final = tag_set(tags.BLOCK | tags.numbers("td th tr li"))
_COUNTED: Final = {
    name: tag_set(tags.numbers(names))
    for name, names in {
        "links": "a", "images": "img picture", "frames": "frame iframe", "paragraphs": "p", "headings": "h1 h2 h3 h4",
        "items": "li dt dd", "cells": "td th", "controls": "input button select textarea form",
    }.items()
}  # fmt: skip
_OWN: Final = {
    name: tag_set(tags.numbers(names))
    for name, names in {
        "p": "p", "div": "div", "item": "li dt dd", "list": "ul ol dl", "cell": "td th", "table": "table tbody tr",
        "article": "article main", "section": "section", "edge": "header footer aside nav", "form": "form",
        "heading": "h1 h2 h3 h4 h5 h6", "quote": "blockquote pre",
    }.items()
}  # fmt: skip


class SegmentClassifier(Enum):
    """The classifiers that the publication compares."""

    TREE = "tree"  # J48
    FOREST = "forest"
    SVM = "svm"  # sequential minimal optimisation
    PERCEPTRON = "perceptron"


class SegmentSelection(Enum):
    """Which of the segments classified as content are selected."""

    ALL = "all of them"
    LARGEST = "the largest text, or the largest table pattern"


@cache
def _stop_words() -> Hashes:
    """Return the sorted hashes of the stop words of all languages."""
    listed = sorted(set().union(*(stop_words(language) for language in stop_word_languages())))
    return np.unique(hashed_words(code_points(" ".join(listed))).number)


def candidates(page: Page) -> Ints:
    """Return the elements that can become a segment: block elements with visible text, and with more text than any
    candidate inside them.
    """
    elements, runs = page.elements, page.runs
    before = sums(runs.words * ~runs.hidden)
    words = before[elements.last] - before[elements.first]
    possible = among(elements.tag, _BLOCKS) & (words > 0)
    parent = np.where(elements.parent >= 0, page.nearest_of(possible)[elements.parent], 0)
    inner = np.flatnonzero(possible)
    equal = inner[words[inner] == words[parent[inner]]]  # the parent has no other text
    possible[parent[equal]] = False
    return np.flatnonzero(possible)


def outermost(page: Page, chosen: Ints) -> Ints:
    """Return for each element the outermost selected element that contains it (itself included); -1 if none does."""
    elements = page.elements
    after = np.searchsorted(elements.start, elements.end)  # the first element outside
    if not len(chosen):
        return np.full(len(elements), -1)
    reach = np.maximum.accumulate(after[chosen])
    outer = chosen[np.append(True, chosen[1:] >= reach[:-1])]
    place = np.searchsorted(outer, np.arange(len(elements)), side="right") - 1
    inside = (place >= 0) & (np.arange(len(elements)) < after[outer[place]])
    return np.where(inside, outer[place], -1)


def element_features(page: Page, element: Ints) -> NamedColumns:
    """Return features of elements and their content, by name."""
    elements, runs = page.elements, page.runs
    first, last = elements.first[element], elements.last[element]
    after = np.searchsorted(elements.start, elements.end)[element]
    low, high = runs.text_start[np.minimum(first, len(runs) - 1)], runs.text_end[last - 1]
    visible = runs.words * ~runs.hidden
    words, linked, chars = (sums(column) for column in (visible, visible * runs.in_link, runs.chars * ~runs.hidden))
    total = max(int(words[-1]), 1)
    counts: NamedColumns = {
        "words": words[last] - words[first],
        "link_words": linked[last] - linked[first],
        "chars": chars[last] - chars[first],
    }
    words_of_page = hashed_words(page.text_codes)
    stop_hashes = _stop_words()
    stops = sums(
        stop_hashes[np.minimum(np.searchsorted(stop_hashes, words_of_page.number), len(stop_hashes) - 1)]
        == words_of_page.number
    )
    counts["stop_words"] = (
        stops[np.searchsorted(words_of_page.start, high)] - stops[np.searchsorted(words_of_page.start, low)]
    )
    for name, kind in _COUNTED.items():
        kind_counts = sums(among(elements.tag, kind))
        counts[name] = kind_counts[after] - kind_counts[element]
    counts["elements"] = after - element
    counts["blocks"] = page.runs.block[last - 1] - page.runs.block[np.minimum(first, len(runs) - 1)] + 1
    features: NamedColumns = {name: np.log1p(column) for name, column in counts.items()}
    size = np.maximum(counts["words"], 1)
    features["link_share"] = counts["link_words"] / size
    features["stop_share"] = counts["stop_words"] / size
    features["words_in_a_block"] = np.log1p(counts["words"] / counts["blocks"])
    features["share_of_page"] = counts["words"] / total
    features["before"] = words[first] / total
    features["depth"] = elements.depth[element]
    parent = elements.parent[element]
    parent_words = words[elements.last[parent]] - words[elements.first[parent]]
    features["share_of_parent"] = np.where(parent >= 0, counts["words"] / np.maximum(parent_words, 1), 1.0)
    for name, kind in _OWN.items():
        features[f"is_{name}"] = among(elements.tag[element], kind)
    return features


def segment_owners(page: Page, element: Ints, good: Bools) -> Ints:
    """Return for each element of the page its segment: the outermost candidate of good granularity around it, or else
    the nearest candidate.
    """
    outer = outermost(page, element[good])
    is_candidate = np.zeros(len(page.elements), np.bool_)
    is_candidate[element] = True
    return np.where(outer >= 0, outer, page.nearest_of(is_candidate))


@dataclass(frozen=True, slots=True, eq=False)
class SegmentModels:
    """The classifiers of both steps: granularity and content."""

    granularity: Mapping[SegmentClassifier, BlockClassifier]
    content: Mapping[SegmentClassifier, BlockClassifier]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the weights of all classifiers by name."""
        arrays: dict[str, NDArray[Any]] = {}
        for step, classifiers in (("granularity", self.granularity), ("content", self.content)):
            for kind, classifier in classifiers.items():
                arrays |= classifier.arrays(f"{step}.{kind.value}")
        return arrays

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Self:
        """Create classifiers from stored arrays."""
        granularity, content = (
            {kind: BlockClassifier.of_arrays(arrays, f"{step}.{kind.value}") for kind in SegmentClassifier}
            for step in ("granularity", "content")
        )
        return cls(granularity, content)


@checked
@dataclass(frozen=True, slots=True)
class ContentSeekerLearned:
    """Segments that a classifier cuts out of the page and another classifier labels as content."""

    classifier: SegmentClassifier = SegmentClassifier.PERCEPTRON
    selection: SegmentSelection = SegmentSelection.ALL
    members: int = _HEURISTICS.members
    levels: int = _HEURISTICS.levels
    largest: float = _HEURISTICS.largest
    model: str = ""  # a model file (`tidings lab train content-seeker-learned`); empty for the built-in model

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the selected segments."""
        parts, row, probability = self._segments(page)
        if not len(parts):
            return Spans.none(len(page.text))
        chosen = probability > 0.5
        if self.selection is SegmentSelection.LARGEST:
            words = np.where(chosen, parts.words, 0)
            chosen = largest_text_or_pattern(page, parts.element, words, self.members, self.levels, self.largest)
        return page.shown(Spans.of_runs(page, np.append(chosen, False)[row])) & page.scope  # row -1: no segment

    def score(self, page: Page, /) -> Floats:
        """Return for each block the probability of its segment to be content, 0 for hidden blocks."""
        _, row, probability = self._segments(page)
        return np.where(page.blocks.hidden, 0.0, np.append(probability, 0.0)[row[page.blocks.first]])

    def _segments(self, page: Page) -> tuple[Segments, Ints, Floats]:
        """Return the segments, the segment of each run, and the probability of each segment to be content."""
        weights = read(SegmentModels, NAME, self.model)
        element = candidates(page)
        good = np.zeros(0, np.bool_)
        if len(element):
            good = weights.granularity[self.classifier].probabilities(element_features(page, element)) > 0.5
        parts, row = segments(page, segment_owners(page, element, good))
        if not len(parts):
            return parts, row, np.zeros(0)
        return parts, row, weights.content[self.classifier].probabilities(segment_features(page, parts))


def segment_features(page: Page, parts: Segments) -> NamedColumns:
    """Return features of segments by name: those of the element, and those of the segment's own text."""
    features = element_features(page, parts.element)
    features["own_words"] = np.log1p(parts.words)
    features["own_link_share"] = parts.link_words / np.maximum(parts.words, 1)
    features["own_links"] = np.log1p(parts.links)
    features["order"] = parts.order / max(len(parts) - 1, 1)
    return features
