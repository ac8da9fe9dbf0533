"""BTE, Body Text Extraction: the one stretch of tokens with many words inside and many tags outside.

Source: Finn, Kushmerick, Smyth 2001, "Fact or fiction: content classification for digital libraries"; DANA thesis
3.3.1.1. A page is a sequence of tokens: tags and words. The main content is the stretch i … j that maximises eq. 3.3:

    T(i, j) = tags before i + words in i … j + tags after j

Every tag is before, in or after the stretch, so T = all tags + (words − tags in i … j). Maximising T means finding the
stretch with the greatest sum, a word counting +1 and a tag −1. Prefix sums and a running minimum find it in one pass.
(Algorithm 5 in the thesis takes cubic time and counts a tag at i or j twice; this module follows the equation.)
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.charts import Profile
from tidings.extractors.parameters import checked
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints, sums
from tidings.page.counts import words_before

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class PageTokens:
    """The words of a page and their positions among all tokens (tags and words).

    Tags are start and end tags; comments, doctypes, scripts and style sheets do not count, and neither does their text.
    Words are visible words. In a part of a page (`Page.within`) the tags are those of elements that contain some of its
    text.
    """

    word_at: Ints  # position of each word in the text
    word_run: Ints  # run of each word
    place: Ints  # position of each word among all tokens
    size: int  # number of tokens

    @property
    def tags(self) -> int:
        """Return the number of tokens that are tags."""
        return self.size - len(self.place)

    def is_tag(self) -> Bools:
        """Return the token vector B of the thesis: for each token whether it is a tag."""
        vector = np.ones(self.size, np.bool_)
        vector[self.place] = False
        return vector

    def spans(self, page: Page, selected: Bools) -> Spans:
        """Return the ranges of text for selected words.

        Text between two neighbouring selected words is included, and so is the text before the first and after the last
        word of a run.
        """
        runs = page.runs
        edges = np.flatnonzero(np.diff(selected, prepend=False, append=False))
        first, last = edges[0::2], edges[1::2] - 1
        opens = np.diff(self.word_run, prepend=-1) > 0  # the first word of a run
        start = np.where(opens, runs.text_start[self.word_run], self.word_at)
        end = runs.text_end[self.word_run]
        end[:-1] = np.where(opens[1:], end[:-1], self.word_at[1:])
        spans = Spans.union(start[first], end[last], len(page.text))
        return spans & page.visible & page.scope  # there may be hidden text, or text of another part, between two words

    def block_means(self, page: Page, values: Floats) -> Floats:
        """Return for each block the mean over its words, 0 for a block without words."""
        block, count = page.runs.block[self.word_run], len(page.blocks.first)
        total = np.bincount(block, values, minlength=count)
        means: Floats = total / np.maximum(np.bincount(block, minlength=count), 1)
        return means


def counted_tags(page: Page) -> Bools:
    """Return which tags of the source are tokens."""
    # Tags of scripts, styles and comments have length 0 in the lines of the page.
    return np.diff(page.lines().tag_start) > 0


def tokens(page: Page) -> PageTokens:
    """Return the tokens of a page."""
    runs = page.runs
    tags = sums(counted_tags(page))
    begins = np.flatnonzero(np.diff(words_before(page.text_codes)))
    run = np.searchsorted(runs.text_start, begins, side="right") - 1
    visible = run >= 0  # in a part of a page there are words before its first run, and between its runs
    begins, run = begins[visible], run[visible]
    visible = (begins < runs.text_end[run]) & ~runs.hidden[run]
    begins, run = begins[visible], run[visible]
    place = np.arange(len(begins)) + tags[page.piece[run]]
    return PageTokens(begins, run, place, len(begins) + int(tags[-1]))


def best_stretch(place: Ints) -> tuple[int, int]:
    """Return the first and the last word of the best stretch: the one with the greatest T (eq. 3.3), given the
    positions of the words.

    A stretch begins and ends with a word, because a tag at its end would lower T. Of equal stretches the earliest wins,
    then the longest.
    """
    words = np.arange(len(place))
    before = 2 * words - place  # words − tags before each word, as place = words + tags before it
    behind = before + 1
    least = np.minimum.accumulate(before)
    first_end = int(np.argmax(behind - least))
    start = int(np.argmax(before == least[first_end]))  # the first to reach it
    last_end = len(behind) - 1 - int(np.argmax(behind[::-1] == behind[first_end]))
    return start, last_end


@checked
@dataclass(frozen=True, slots=True)
class BTE:
    """The one stretch of text with most words and fewest tags."""

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the best stretch of tokens."""
        row = tokens(page)
        return row.spans(page, self._selected(row))

    def score(self, page: Page, /) -> Floats:
        """Return for each block the greatest words − tags of a stretch that contains the block, relative to the
        maximum.
        """
        row = tokens(page)
        if not len(row.place):
            return np.zeros(len(page.blocks.first))
        before = 2 * np.arange(len(row.place)) - row.place
        with_word = np.maximum.accumulate((before + 1)[::-1])[::-1] - np.minimum.accumulate(before)
        return row.block_means(page, with_word / with_word.max())

    def picture(self, page: Page, /) -> Profile:
        """Return the data of figure 3.5: the cumulative number of tags by token; the main content is the plateau."""
        row = tokens(page)
        tag = row.is_tag()
        chosen = np.zeros(row.size, np.bool_)
        places = row.place[self._selected(row)]
        if len(places):
            chosen[places[0] : places[-1] + 1] = True
        curve = np.cumsum(tag).astype(np.float64)
        return Profile("BTE", "token", "tags so far", (("tags", curve),), kind="curve", chosen=chosen)

    @staticmethod
    def _selected(row: PageTokens) -> Bools:
        selected = np.zeros(len(row.place), np.bool_)
        if len(selected):
            first, last = best_stretch(row.place)
            selected[first : last + 1] = True
        return selected
