"""NewsIR: the story is the longest row of paragraphs that stand next to each other.

Parapar and Barreiro 2007, as told in the N-EXT thesis (2.3): news are composed of paragraphs that are next to each
other; paragraphs are mostly text; only styling markup and hyperlinks are allowed in them, and few hyperlinks.

Decided here, where the thesis gives no figures: a paragraph is a block of at least ten words, with at most a third of
them in links and no other elements inside than those of a line of text; up to two other blocks (a subheading, a
caption, an advertisement) may stand between two paragraphs of a row, and are not part of it unless they are headings;
the row with most words is the story, and a page whose best row is a single paragraph of less than forty words has none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.page import Page, Spans, tags
from tidings.page.columns import Bools, Ints, sums
from tidings.page.tag_sets import among, tag_set
from tidings.text import FloatArray

_STYLING: Final = tag_set(
    tags.numbers("a abbr b bdi bdo big br cite code del dfn em font i ins kbd q s small span strong sub sup time u")
)
_HEADINGS: Final = tag_set(tags.HEADINGS)
_FEWEST: Final = 40


@checked
@dataclass(frozen=True, slots=True)
class NewsIR:
    """The longest row of paragraphs next to each other, of text with few links and no markup but styles."""

    words: int = 10  # of a paragraph
    links: float = 0.33  # at most so much of it in links
    between: int = 2  # other blocks between two paragraphs of a row

    def __call__(self, page: Page, /) -> Spans:
        """Return the row with most words, with the headings in it."""
        paragraphs, row, words = self._rows(page)
        if not len(words):
            return Spans.none(len(page.text))
        best = int(np.argmax(words))
        mine = np.flatnonzero(paragraphs & (row == best))
        if len(mine) == 1 and words[best] < _FEWEST:
            return Spans.none(len(page.text))
        at = np.arange(len(page.blocks))
        headings = among(page.elements.tag[page.blocks.element], _HEADINGS) & (at > mine[0]) & (at < mine[-1])
        return page.shown(Spans.of_blocks(page, (paragraphs & (row == best)) | headings))

    def score(self, page: Page, /) -> FloatArray:
        """For each block of the page the words of the row that it is a paragraph of; 0 where it is none."""
        paragraphs, row, words = self._rows(page)
        return np.where(paragraphs, words[row], 0.0) if len(words) else np.zeros(len(paragraphs))

    def _rows(self, page: Page) -> tuple[Bools, Ints, FloatArray]:
        """Return which blocks are paragraphs, the row of each block, and how many words each row has."""
        if self.words < 1 or not 0 <= self.links <= 1 or self.between < 0:
            raise BadParameter("words is 1 or more, links from 0 to 1, between 0 or more")
        blocks, elements = page.blocks, page.elements
        paragraphs = (blocks.words >= self.words) & ~blocks.hidden & (blocks.link_words <= self.links * blocks.words)
        # Elements that begin inside a block and are not of a line of text: a picture, a field, a box.
        other = sums(~among(elements.tag, _STYLING))
        runs = page.runs
        begin, end = runs.start[blocks.first], runs.end[np.maximum(blocks.last - 1, blocks.first)]
        inside = np.searchsorted(elements.start, end), np.searchsorted(elements.start, begin)
        paragraphs &= other[inside[0]] == other[inside[1]]
        if not paragraphs.any():
            return paragraphs, np.zeros(len(blocks), np.int64), np.zeros(0)
        places = np.flatnonzero(paragraphs)
        new = np.diff(places, prepend=places[0]) > self.between + 1
        row = np.zeros(len(blocks), np.int64)
        row[places] = np.cumsum(new)
        return paragraphs, row, np.bincount(row[places], blocks.words[places]).astype(np.float64)
