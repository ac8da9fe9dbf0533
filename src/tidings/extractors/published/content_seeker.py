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
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Columns, Ints
from tidings.page.flow import among, tag_set

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
    """The segments that have text to be seen, in the order they begin, and the row of each run; -1 for runs in none.

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
    """The segment with most words, or the table pattern with more words than it; a segment without words is noise."""
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
        """The text of the chosen segments."""
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
        """Which segments are no noise."""
        if self.classifier is not None:
            return self.classifier(found)
        return found.link_words <= self.noise * found.words

    def choose(self, page: Page, found: Segments, /) -> Bools:
        """The largest text, or the table pattern with more words than it."""
        if self.members < 2 or self.levels < 0 or not (0 <= self.noise <= 1 and 0 <= self.largest <= 1):
            raise BadParameter(
                f"members is {self.members}, levels {self.levels}, noise {self.noise}, largest {self.largest}; "
                "a pattern has two members or more, levels are not negative, noise and largest are shares from 0 to 1"
            )
        words = np.where(self.content(found), found.words, 0)
        return largest_text_or_pattern(page, found.element, words, self.members, self.levels, self.largest)
