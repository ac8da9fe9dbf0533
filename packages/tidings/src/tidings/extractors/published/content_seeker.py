"""Content-Seeker: cut the page into segments, throw out noise, then take the largest text or the rows of a table.

Louvan 2009 ("Extracting the main content from web documents"); DANA thesis 3.2.6. The publication has two learned
steps, which segments have a good granularity and which of them are content, and two heuristics: the largest block of
text for articles and weblogs, and the table pattern of posts for forums. This is the heuristic half; the whole is
`content-seeker-learned`. A classifier of one's own can take the place of the rule for noise (`classifier`).

The thesis does not print the heuristics' details, so these are our reading:

- a segment of good granularity, "a uniform semantic unit", is the text that an element of layout has outside of other
  elements of layout: a `div` or a cell, but not a paragraph, a heading or a list, which are parts of a unit;
- a segment is noise if more than `noise` of its words are in links;
- a table pattern is segments that hang in the same element by the same path of tags, at least `members` of them and
  at most `levels` below it, as the cells of a table do, whether it is built with `table` or with `div`, and none of
  them with more than `largest` of the words. It is taken where it has more words than the largest segment.

Content-Seeker with its learned half: which elements make a segment, which segments are content.

Louvan 2009 ("Extracting the main content from web documents"); DANA thesis 3.2.6. First a classifier tells elements of
good granularity, "a uniform semantic unit": the outermost of them become segments, and text in none of them belongs to
the nearest element that could be one. A second classifier tells which segments are content. Then come
the heuristics, largest text or table pattern, or all content is taken.

The thesis compares four classifiers (J48, random forest, sequential minimal optimisation, perceptron); the file of
weights has all four. Of the features it names, length and width need a rendered page: characters stand for the one and
the share of the page's words for the other. Stop words are those of all languages that Tidings has lists of.

Learned with `tidings_lab.learners.published`;
docs/explanation/trainable-extractors.md has the model card.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from typing import Any, Final, Self

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadParameter
from tidings.extractors.hashed_words import Hashes, hashed_words
from tidings.extractors.model_files import Arrays, read
from tidings.extractors.parameters import checked
from tidings.extractors.published.trained.classifiers import BlockClassifier
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Columns, Ints, sums
from tidings.page.counts import code_points
from tidings.page.tag_sets import among, tag_set
from tidings.text.terms import stop_word_languages, stop_words

Floats = NDArray[np.float64]

#: Elements of layout. List items are none of them: counted in, word F1 falls from 0.79 to 0.72 (largest text alone).
_LAYOUT: Final = tag_set(
    tags.numbers(
        "html body div center form fieldset table thead tbody tfoot tr td th "
        "article section main aside nav header footer"
    )
)
_LINKS: Final = tag_set(tags.numbers("a"))
_IMAGES: Final = tag_set(tags.numbers("img picture"))
_FRAMES: Final = tag_set(tags.numbers("frame iframe"))


@dataclass(frozen=True, eq=False)
class Segments(Columns):
    """The segments of a page with the features the thesis names, one row each.

    Length and width need a rendered page, and stop words a language: those two are for a classifier that has them.
    """

    element: Ints  # whose text it is
    words: Ints
    link_words: Ints
    links: Ints
    images: Ints
    frames: Ints
    depth: Ints  # position in the tree
    order: Ints  # position on the page, from 0


def segments(page: Page, around: Ints | None = None) -> tuple[Segments, Ints]:
    """Return the segments that have text to be seen, in the order they begin, and the row of each run; -1 for runs in
    none.

    `around` tells for each element whose segment its own text is in; else the nearest element of layout.
    """
    elements, runs = page.elements, page.runs
    count = len(elements)
    if around is None:
        around = page.nearest(_LAYOUT)
    seen = runs.words * ~runs.hidden
    words = np.bincount(around[runs.element], seen, count).astype(np.int64)
    element = np.flatnonzero(words)
    row = np.full(count, -1)
    row[element] = np.arange(len(element))

    def inside(kind: Bools) -> Ints:
        return np.bincount(around, among(elements.tag, kind), count)[element].astype(np.int64)

    found = Segments(
        element=element,
        words=words[element],
        link_words=np.bincount(around[runs.element], seen * runs.in_link, count)[element].astype(np.int64),
        links=inside(_LINKS),
        images=inside(_IMAGES),
        frames=inside(_FRAMES),
        depth=elements.depth[element],
        order=np.arange(len(element)),
    )
    return found, row[around[runs.element]]


def largest_text_or_pattern(page: Page, element: Ints, words: Ints, members: int, levels: int, largest: float) -> Bools:
    """Return the segment with most words, or the table pattern with more words than it; a segment without words is
    noise.
    """
    chosen = np.zeros(len(words), np.bool_)
    most = int(words.max(initial=0))
    if not most:
        return chosen
    chosen[words.argmax()] = True
    candidates = np.flatnonzero(words)
    elements = page.elements
    above = element[candidates]
    path = elements.tag[above]
    for _ in range(levels):
        above = elements.parent[above]
        inside = above >= 0
        if not inside.any():
            break
        candidates, above, path = candidates[inside], above[inside], path[inside]
        # The path of tags as a number; equal paths have equal numbers.
        path = np.unique(path, return_inverse=True)[1]
        group = np.unique(above * (len(path) + 1) + path, return_inverse=True)[1]
        total = np.bincount(group, words[candidates])
        one = np.zeros(len(total))
        np.maximum.at(one, group, words[candidates])
        total[(np.bincount(group) < members) | (one > largest * total)] = 0
        if total.max() > most:
            most = int(total.max())
            chosen[:] = False
            chosen[candidates[group == total.argmax()]] = True
        path = path * (len(page.tag_names) + 1) + elements.tag[above]
    return chosen


@checked
@dataclass(frozen=True, slots=True)
class ContentSeeker:
    """The largest segment of text, or the rows of the largest table pattern.

    No figures are printed. These are from a sweep on half of the sites of wcxb-dev: word F1 is 0.788 with the largest
    text alone (`levels` 0), 0.868 with 3 levels and flat from 6 (0.902) to 8 (0.905); `noise` from 0.2 to 0.67 and
    `members` 2 or 3 make no difference, `largest` from 0.6 to 1 makes 0.001.
    """

    noise: float = 0.5  # share of words in links above which a segment is noise
    members: int = 3  # segments that make a table pattern
    levels: int = 8  # how far below the element they have in common
    largest: float = 0.8  # share of a pattern's words that one of them may have
    classifier: Callable[[Segments], Bools] | None = None  # which segments are content; None: by `noise`

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the chosen segments."""
        found, row = segments(page)
        if not len(found):
            return Spans.none(len(page.text))
        chosen = np.append(self.choose(page, found), False)  # row -1: runs in no segment
        return page.shown(Spans.of_runs(page, chosen[row])) & page.scope

    def score(self, page: Page, /) -> Floats:
        """For each block the words of its segment, 0 if that is noise."""
        found, row = segments(page)
        words = np.append(np.where(self.content(found), found.words, 0), 0)
        return words[row[page.blocks.first]].astype(np.float64)

    def content(self, found: Segments, /) -> Bools:
        """Return which segments are no noise."""
        if self.classifier is not None:
            return self.classifier(found)
        return found.link_words <= self.noise * found.words

    def choose(self, page: Page, found: Segments, /) -> Bools:
        """Return the largest text, or the table pattern with more words than it."""
        if self.members < 2 or self.levels < 0 or not (0 <= self.noise <= 1 and 0 <= self.largest <= 1):
            raise BadParameter(
                f"members is {self.members}, levels {self.levels}, noise {self.noise}, largest {self.largest}; "
                "a pattern has two members or more, levels are not negative, noise and largest are shares from 0 to 1"
            )
        words = np.where(self.content(found), found.words, 0)
        return largest_text_or_pattern(page, found.element, words, self.members, self.levels, self.largest)


NamedColumns = dict[str, NDArray[Any]]

NAME: Final = "content-seeker-learned"
_HEURISTICS: Final = ContentSeeker()
#: Elements that can be a segment: all that a browser sets apart.
_SET_APART: Final = tag_set(tags.BLOCK | tags.numbers("td th tr li"))
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
    """The classifiers of the publication."""

    TREE = "tree"  # J48
    FOREST = "forest"
    SVM = "svm"  # sequential minimal optimisation
    PERCEPTRON = "perceptron"


class Take(Enum):
    """What is done with the segments that are content."""

    ALL = "all of them"
    LARGEST = "the largest text, or the largest table pattern"


@cache
def _stop_words() -> Hashes:
    """Return the stop words of all languages as sorted numbers."""
    listed = sorted(set().union(*(stop_words(language) for language in stop_word_languages())))
    return np.unique(hashed_words(code_points(" ".join(listed))).number)


def candidates(page: Page) -> Ints:
    """Return elements that can be a segment: set apart, with text to be seen, and more of it than any candidate
    inside.
    """
    elements, runs = page.elements, page.runs
    before = sums(runs.words * ~runs.hidden)
    words = before[elements.last] - before[elements.first]
    possible = among(elements.tag, _SET_APART) & (words > 0)
    around = np.where(elements.parent >= 0, page.nearest_of(possible)[elements.parent], 0)
    inner = np.flatnonzero(possible)
    whole = inner[words[inner] == words[around[inner]]]  # all of the text around it is in it
    possible[around[whole]] = False
    return np.flatnonzero(possible)


def outermost(page: Page, chosen: Ints) -> Ints:
    """For each element itself or the element around it that is chosen, the outermost of them; -1 where none is."""
    elements = page.elements
    behind = np.searchsorted(elements.start, elements.end)  # the first element that is not inside
    if not len(chosen):
        return np.full(len(elements), -1)
    reach = np.maximum.accumulate(behind[chosen])
    outer = chosen[np.append(True, chosen[1:] >= reach[:-1])]
    place = np.searchsorted(outer, np.arange(len(elements)), side="right") - 1
    inside = (place >= 0) & (np.arange(len(elements)) < behind[outer[place]])
    return np.where(inside, outer[place], -1)


def element_features(page: Page, element: Ints) -> NamedColumns:
    """Return the features of elements with all that is in them, by name."""
    elements, runs = page.elements, page.runs
    first, last = elements.first[element], elements.last[element]
    behind = np.searchsorted(elements.start, elements.end)[element]
    low, high = runs.text_start[np.minimum(first, len(runs) - 1)], runs.text_end[last - 1]
    seen = runs.words * ~runs.hidden
    words, linked, chars = (sums(column) for column in (seen, seen * runs.in_link, runs.chars * ~runs.hidden))
    total = max(int(words[-1]), 1)
    found: NamedColumns = {
        "words": words[last] - words[first],
        "link_words": linked[last] - linked[first],
        "chars": chars[last] - chars[first],
    }
    spoken = hashed_words(page.text_codes)
    listed = _stop_words()
    stops = sums(listed[np.minimum(np.searchsorted(listed, spoken.number), len(listed) - 1)] == spoken.number)
    found["stop_words"] = stops[np.searchsorted(spoken.start, high)] - stops[np.searchsorted(spoken.start, low)]
    for name, kind in _COUNTED.items():
        counts = sums(among(elements.tag, kind))
        found[name] = counts[behind] - counts[element]
    found["elements"] = behind - element
    found["blocks"] = page.runs.block[last - 1] - page.runs.block[np.minimum(first, len(runs) - 1)] + 1
    told: NamedColumns = {name: np.log1p(column) for name, column in found.items()}
    size = np.maximum(found["words"], 1)
    told["link_share"] = found["link_words"] / size
    told["stop_share"] = found["stop_words"] / size
    told["words_in_a_block"] = np.log1p(found["words"] / found["blocks"])
    told["share_of_page"] = found["words"] / total
    told["before"] = words[first] / total
    told["depth"] = elements.depth[element]
    above = elements.parent[element]
    around = words[elements.last[above]] - words[elements.first[above]]
    told["share_of_parent"] = np.where(above >= 0, found["words"] / np.maximum(around, 1), 1.0)
    for name, kind in _OWN.items():
        told[f"is_{name}"] = among(elements.tag[element], kind)
    return told


def around_of(page: Page, element: Ints, good: Bools) -> Ints:
    """For each element of the page whose segment it is in: the outermost good one, or else the nearest of these."""
    outer = outermost(page, element[good])
    kept = np.zeros(len(page.elements), np.bool_)
    kept[element] = True
    return np.where(outer >= 0, outer, page.nearest_of(kept))


@dataclass(frozen=True, slots=True, eq=False)
class Halves:
    """The classifiers of both steps, by name."""

    granularity: Mapping[SegmentClassifier, BlockClassifier]
    content: Mapping[SegmentClassifier, BlockClassifier]

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all classifiers, under names of their own."""
        found: dict[str, NDArray[Any]] = {}
        for step, classifiers in (("granularity", self.granularity), ("content", self.content)):
            for by, classifier in classifiers.items():
                found |= classifier.arrays(f"{step}.{by.value}")
        return found

    @classmethod
    def of_arrays(cls, arrays: Arrays) -> Self:
        """From stored arrays."""
        granularity, content = (
            {by: BlockClassifier.of_arrays(arrays, f"{step}.{by.value}") for by in SegmentClassifier}
            for step in ("granularity", "content")
        )
        return cls(granularity, content)


@checked
@dataclass(frozen=True, slots=True)
class ContentSeekerLearned:
    """Segments that one classifier cuts out of the page and another takes for content."""

    by: SegmentClassifier = SegmentClassifier.PERCEPTRON
    take: Take = Take.ALL
    members: int = _HEURISTICS.members
    levels: int = _HEURISTICS.levels
    largest: float = _HEURISTICS.largest
    model: str = ""  # a file of one's own weights; empty: those that come with Tidings

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the chosen segments."""
        found, row, chance = self._segments(page)
        if not len(found):
            return Spans.none(len(page.text))
        chosen = chance > 0.5
        if self.take is Take.LARGEST:
            words = np.where(chosen, found.words, 0)
            chosen = largest_text_or_pattern(page, found.element, words, self.members, self.levels, self.largest)
        return page.shown(Spans.of_runs(page, np.append(chosen, False)[row])) & page.scope  # row -1: in no segment

    def score(self, page: Page, /) -> Floats:
        """For each block the chance of its segment to be content, 0 for hidden ones."""
        _, row, chance = self._segments(page)
        return np.where(page.blocks.hidden, 0.0, np.append(chance, 0.0)[row[page.blocks.first]])

    def _segments(self, page: Page) -> tuple[Segments, Ints, Floats]:
        """Return the segments, the segment of each run, and the chance of each to be content."""
        weights = read(Halves, NAME, self.model)
        element = candidates(page)
        good = np.zeros(0, np.bool_)
        if len(element):
            good = weights.granularity[self.by].chances(element_features(page, element)) > 0.5
        found, row = segments(page, around_of(page, element, good))
        if not len(found):
            return found, row, np.zeros(0)
        return found, row, weights.content[self.by].chances(segment_features(page, found))


def segment_features(page: Page, found: Segments) -> NamedColumns:
    """Return the features of segments by name: of the element with all that is in it, and of what is its own."""
    told = element_features(page, found.element)
    told["own_words"] = np.log1p(found.words)
    told["own_link_share"] = found.link_words / np.maximum(found.words, 1)
    told["own_links"] = np.log1p(found.links)
    told["order"] = found.order / max(len(found) - 1, 1)
    return told
