"""NewsIR: the longest sequence of adjacent paragraphs is the story.

Source: Parapar and Barreiro 2007, as described in the N-EXT thesis (2.3): news articles consist of adjacent paragraphs;
paragraphs are mostly text; they may contain only styling markup and few hyperlinks.

Decided here, because the thesis gives no numbers: a paragraph is a block of at least ten words, with at most a third of
them in links and no inner elements except inline ones. Up to two other blocks (a subheading, a caption, an
advertisement) may be between two paragraphs of a sequence; only headings among them belong to it. The sequence with
most words is the story. A page whose best sequence is one paragraph of less than forty words has no story.
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
    """The longest sequence of adjacent paragraphs, which have few links and only styling markup."""

    words: int = 10  # of a paragraph
    links: float = 0.33  # share of its words in links, at most
    between: int = 2  # other blocks between two paragraphs of a sequence, at most

    def __call__(self, page: Page, /) -> Spans:
        """Return the sequence with most words, including the headings in it."""
        paragraphs, row, words = self._rows(page)
        if not len(words):
            return Spans.none(len(page.text))
        best = int(np.argmax(words))
        places = np.flatnonzero(paragraphs & (row == best))
        if len(places) == 1 and words[best] < _FEWEST:
            return Spans.none(len(page.text))
        at = np.arange(len(page.blocks))
        headings = among(page.elements.tag[page.blocks.element], _HEADINGS) & (at > places[0]) & (at < places[-1])
        return page.shown(Spans.of_blocks(page, (paragraphs & (row == best)) | headings))

    def score(self, page: Page, /) -> FloatArray:
        """Return for each paragraph of the page the words of its sequence; 0 for other blocks."""
        paragraphs, row, words = self._rows(page)
        return np.where(paragraphs, words[row], 0.0) if len(words) else np.zeros(len(paragraphs))

    def _rows(self, page: Page) -> tuple[Bools, Ints, FloatArray]:
        """Return which blocks are paragraphs, the sequence of each block, and the number of words of each sequence."""
        if self.words < 1 or not 0 <= self.links <= 1 or self.between < 0:
            raise BadParameter("words is 1 or more, links from 0 to 1, between 0 or more")
        blocks, elements = page.blocks, page.elements
        paragraphs = (blocks.words >= self.words) & ~blocks.hidden & (blocks.link_words <= self.links * blocks.words)
        # Elements inside a block that are not inline: a picture, a form field, a box.
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
