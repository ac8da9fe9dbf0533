"""Content-Seeker: cut a page into segments, remove noise, and select the largest text or the largest table pattern.

Source: Louvan 2009 ("Extracting the main content from web documents"); DANA thesis 3.2.6. The publication has two
learned steps (which segments have a good granularity, and which of them are content) and two heuristics: the largest
text for articles and weblogs, and the table pattern of posts for forums. This module has the heuristics;
`content_seeker_learned` adds the learned steps. `classifier` replaces the noise rule by your own function.

The thesis does not print the details of the heuristics. Our reading:

- A segment of good granularity ("a uniform semantic unit") is the text of a layout element outside of inner layout
  elements. Layout elements are a `div` or a cell, but not a paragraph, a heading or a list, which are parts of a unit.
- A segment is noise if more than `noise` of its words are in links.
- A table pattern is a group of at least `members` segments that have the same path of tags below one element, at most
  `levels` deep, like the cells of a table built with `table` or `div`. None of them has more than `largest` of the
  words. The pattern is selected if it has more words than the largest segment.
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
from tidings.page.tag_sets import among, tag_set

Floats = NDArray[np.float64]
#: Layout elements, without list items: with them, word F1 falls from 0.79 to 0.72 (largest text alone).
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
    """The segments (layout elements) of a page with the features that the thesis names, one row for each.

    Two features are missing: length and width need a rendered page, and stop words a language.
    """

    element: Ints  # the element whose text it is
    words: Ints
    link_words: Ints
    links: Ints
    images: Ints
    frames: Ints
    depth: Ints  # position in the tree
    order: Ints  # position on the page, from 0


def segments(page: Page, owner: Ints | None = None) -> tuple[Segments, Ints]:
    """Return the segments with visible text in page order, and the segment of each run of text (-1 for runs outside).

    `owner` is the element of the segment that each element's own text belongs to; by default the nearest layout
    element.
    """
    elements, runs = page.elements, page.runs
    count = len(elements)
    if owner is None:
        owner = page.nearest(_LAYOUT)
    visible = runs.words * ~runs.hidden
    words = np.bincount(owner[runs.element], visible, count).astype(np.int64)
    element = np.flatnonzero(words)
    row = np.full(count, -1)
    row[element] = np.arange(len(element))

    def inside(kind: Bools) -> Ints:
        return np.bincount(owner, among(elements.tag, kind), count)[element].astype(np.int64)

    result = Segments(
        element=element,
        words=words[element],
        link_words=np.bincount(owner[runs.element], visible * runs.in_link, count)[element].astype(np.int64),
        links=inside(_LINKS),
        images=inside(_IMAGES),
        frames=inside(_FRAMES),
        depth=elements.depth[element],
        order=np.arange(len(element)),
    )
    return result, row[owner[runs.element]]


def largest_text_or_pattern(page: Page, element: Ints, words: Ints, members: int, levels: int, largest: float) -> Bools:
    """Select the segment with most words, or a table pattern (similar segments under one parent) if it has more words;
    return which segments are selected.

    Args:
        page: the page.
        element: the element of each segment.
        words: the number of words of each segment; segments with 0 words are noise.
        members: the least number of segments of a table pattern.
        levels: how far below a common element the segments of a pattern may be.
        largest: the largest share of a pattern's words in one segment.
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
        # Encode each path of tags as a number.
        path = np.unique(path, return_inverse=True)[1]
        group = np.unique(above * (len(path) + 1) + path, return_inverse=True)[1]
        total = np.bincount(group, words[candidates])
        longest = np.zeros(len(total))
        np.maximum.at(longest, group, words[candidates])
        total[(np.bincount(group) < members) | (longest > largest * total)] = 0
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

    The publication prints no parameters. These come from a sweep on half of the sites of wcxb-dev: word F1 is 0.788
    with the largest text alone (`levels` 0), 0.868 with 3 levels and flat from 6 (0.902) to 8 (0.905); `noise` from 0.2
    to 0.67 and `members` 2 or 3 make no difference, `largest` from 0.6 to 1 changes it by 0.001.
    """

    noise: float = 0.5  # share of words in links above which a segment is noise
    members: int = 3  # segments of a table pattern, at least
    levels: int = 8  # depth of the segments below their common element, at most
    largest: float = 0.8  # share of a pattern's words in one segment, at most
    classifier: Callable[[Segments], Bools] | None = None  # selects the segments that are content; None: by `noise`

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the selected segments."""
        parts, row = segments(page)
        if not len(parts):
            return Spans.none(len(page.text))
        chosen = np.append(self.choose(page, parts), False)  # row -1: runs in no segment
        return page.shown(Spans.of_runs(page, chosen[row])) & page.scope

    def score(self, page: Page, /) -> Floats:
        """Return for each block the number of words of its segment, 0 for noise."""
        parts, row = segments(page)
        words = np.append(np.where(self.content(parts), parts.words, 0), 0)
        return words[row[page.blocks.first]].astype(np.float64)

    def content(self, parts: Segments, /) -> Bools:
        """Return which segments may be content: those with a small share of link words, or by the classifier if there
        is one.
        """
        if self.classifier is not None:
            return self.classifier(parts)
        return parts.link_words <= self.noise * parts.words

    def choose(self, page: Page, parts: Segments, /) -> Bools:
        """Return the segment with most words, or the rows of a table pattern if these have more."""
        if self.members < 2 or self.levels < 0 or not (0 <= self.noise <= 1 and 0 <= self.largest <= 1):
            raise BadParameter(
                f"members is {self.members}, levels {self.levels}, noise {self.noise}, largest {self.largest}; "
                "a pattern has two members or more, levels are not negative, noise and largest are shares from 0 to 1"
            )
        words = np.where(self.content(parts), parts.words, 0)
        return largest_text_or_pattern(page, parts.element, words, self.members, self.levels, self.largest)
