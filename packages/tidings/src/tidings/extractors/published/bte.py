"""BTE, Body Text Extraction: the one stretch of tokens with many words in it and many tags around it.

Finn, Kushmerick, Smyth 2001, "Fact or fiction: content classification for digital libraries"; DANA thesis 3.3.1.1.
A page is a row of tokens, tags and words. The main content is the stretch i … j that makes eq. 3.3 greatest:

    T(i, j) = tags before i + words in i … j + tags behind j

All tags are before, in or behind the stretch, so T = all tags + (words − tags in i … j), and what is wanted is the
stretch with the greatest sum when a word counts +1 and a tag −1. Prefix sums and a running minimum find it in one
pass. (Algorithm 5 in the thesis takes cubic time and counts a tag at i or j twice; the equation is followed.)
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
    """The tags and words of a page in reading order; tokens that are words have a row here, the others are tags.

    Tags are start and end tags; comments, doctypes, scripts and style sheets are none (their text is not the page's
    either). Words are counted as everywhere in Tidings, and only those a reader can see. In a part of a page
    (`Page.within`) the tags are those of elements that hold some of its text.
    """

    word_at: Ints  # where in the text each word begins
    word_run: Ints  # the run it stands in
    place: Ints  # which token it is
    size: int  # of all tokens

    @property
    def tags(self) -> int:
        """How many tokens are tags."""
        return self.size - len(self.place)

    def is_tag(self) -> Bools:
        """Return the token vector B of the thesis: for each token whether it is a tag."""
        vector = np.ones(self.size, np.bool_)
        vector[self.place] = False
        return vector

    def spans(self, page: Page, kept: Bools) -> Spans:
        """Return the text of the chosen words, with what stands between neighbours and around the words of a run."""
        runs = page.runs
        edges = np.flatnonzero(np.diff(kept, prepend=False, append=False))
        first, last = edges[0::2], edges[1::2] - 1
        opens = np.diff(self.word_run, prepend=-1) > 0  # the first word of a run
        start = np.where(opens, runs.text_start[self.word_run], self.word_at)
        end = runs.text_end[self.word_run]
        end[:-1] = np.where(opens[1:], end[:-1], self.word_at[1:])
        found = Spans.union(start[first], end[last], len(page.text))
        return found & page.visible & page.scope  # hidden text may stand between two words, or text of another part

    def block_means(self, page: Page, values: Floats) -> Floats:
        """For each block the mean over its words, 0 for a block with no word."""
        block, count = page.runs.block[self.word_run], len(page.blocks.first)
        total = np.bincount(block, values, minlength=count)
        means: Floats = total / np.maximum(np.bincount(block, minlength=count), 1)
        return means


def counted_tags(page: Page) -> Bools:
    """Return which tags of the cut are tokens."""
    # The lines of a page know it already: what is taken out of them (scripts, styles, comments) has no length there.
    return np.diff(page.lines().tag_start) > 0


def tokens(page: Page) -> PageTokens:
    """Return the tokens of a page."""
    runs = page.runs
    tags = sums(counted_tags(page))
    begins = np.flatnonzero(np.diff(words_before(page.text_codes)))
    run = np.searchsorted(runs.text_start, begins, side="right") - 1
    seen = run >= 0  # in a part of a page there are words before its first run, and between its runs
    begins, run = begins[seen], run[seen]
    seen = (begins < runs.text_end[run]) & ~runs.hidden[run]
    begins, run = begins[seen], run[seen]
    place = np.arange(len(begins)) + tags[page.piece[run]]
    return PageTokens(begins, run, place, len(begins) + int(tags[-1]))


def best_stretch(place: Ints) -> tuple[int, int]:
    """First and last word, included, of the stretch with the greatest T (eq. 3.3), from the places of the words.

    It begins and ends with a word: a tag at its end would only lower T. Of several the earliest, then the longest.
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
    """The one stretch of text with most words and fewest tags in it."""

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the best stretch."""
        row = tokens(page)
        return row.spans(page, self._kept(row))

    def score(self, page: Page, /) -> Floats:
        """For each block the greatest words − tags of a stretch that holds the block, as a share of the greatest."""
        row = tokens(page)
        if not len(row.place):
            return np.zeros(len(page.blocks.first))
        before = 2 * np.arange(len(row.place)) - row.place
        with_word = np.maximum.accumulate((before + 1)[::-1])[::-1] - np.minimum.accumulate(before)
        return row.block_means(page, with_word / with_word.max())

    def picture(self, page: Page, /) -> Profile:
        """Figure 3.5: tags so far, token by token; the main content is the plateau."""
        row = tokens(page)
        tag = row.is_tag()
        chosen = np.zeros(row.size, np.bool_)
        kept = row.place[self._kept(row)]
        if len(kept):
            chosen[kept[0] : kept[-1] + 1] = True
        curve = np.cumsum(tag).astype(np.float64)
        return Profile("BTE", "token", "tags so far", (("tags", curve),), kind="curve", chosen=chosen)

    @staticmethod
    def _kept(row: PageTokens) -> Bools:
        kept = np.zeros(len(row.place), np.bool_)
        if len(kept):
            first, last = best_stretch(row.place)
            kept[first : last + 1] = True
        return kept
