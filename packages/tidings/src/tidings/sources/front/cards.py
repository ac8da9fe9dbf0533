"""Cards: the headline and teaser around a link on a front page (LBNEST II.C.2.ii, fig. 5 and 6).

Some sites print a headline and the beginning of an article, and link only "Full story". The text for such a link is the
nearest one in the tree, where distance is the number of steps up and down between the link and the element with the
text (fig. 6). The paper takes the first text. Here it must have four words of its own, as for links, because dates and
section names would match otherwise; and of equally near texts the one before the link is preferred.

A card is the largest element around a link without links to other articles. A link that only says "Full story" counts
as a link to an article, whatever its URL. If cards have no element of their own (a heading, a paragraph and a link in a
row), a card is the range between the previous link and its own. A line break ends a headline like the end of a
paragraph.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.page import Page, tags
from tidings.page.tag_sets import tag_set
from tidings.sources.front.anchors import LinkElement, LinkTarget
from tidings.sources.front.link_features import (
    says_more,
    word_count,
)

_HEADINGS: Final = tag_set(tags.HEADINGS)
_LEVELS: Final = np.zeros(len(tags.NAMES) + 1, np.int64)
for _level in range(1, 7):
    _LEVELS[tags.NUMBERS[f"h{_level}"]] = _level
#: Largest number of steps up from a link to its card.
_HIGHEST: Final = 8
#: Steps from a link to its teaser: up to the card and down to a paragraph of it.
_FARTHEST: Final = 5
#: Number of links to an article that are checked for its card.
_MOST_ANCHORS: Final = 6
#: Largest number of runs in a card.
_MOST_RUNS: Final = 80
#: Least number of words of a teaser or headline (LBNEST: four, as for links).
_WORDS: Final = 4
_LONGEST: Final = 1000
_LINE_BREAK: Final = 10


@dataclass(frozen=True, slots=True)
class Card:
    """The headline and teaser around a link."""

    headline: str = ""
    teaser: str = ""
    steps: int = 0  # from the link to the teaser


class Cards:
    """The teaser cards of a front page: each consists of the link to an article with its headline and teaser."""

    def __init__(self, page: Page, anchors: Collection[LinkElement], stories: Collection[str]) -> None:
        columns, runs = page.elements, page.runs
        self._page = page
        self._parent, self._depth = columns.parent.tolist(), columns.depth.tolist()
        self._first, self._last = columns.first.tolist(), columns.last.tolist()
        self._start, self._end = columns.start.tolist(), columns.end.tolist()
        story_links = sorted(
            (self._start[anchor.element], anchor.address, anchor.element)
            for anchor in anchors
            if anchor.address in stories
        )
        self._story_starts = [start for start, _, _ in story_links]
        self._story_addresses = [address for _, address, _ in story_links]
        self._story_elements = [element for _, _, element in story_links]
        free = ~runs.in_link & ~runs.hidden
        words = np.bincount(runs.block, runs.words * free, minlength=len(page.blocks))[runs.block]
        self._free = (free & (words >= _WORDS)).tolist()
        self._shown = free.tolist()
        # The level of the heading around each run; 0 for none.
        self._heading = _LEVELS.take(columns.tag[page.nearest(_HEADINGS)[runs.element]], mode="clip").tolist()
        self._run_depth = columns.depth[runs.element].tolist()
        self._block = runs.block.tolist()
        breaks = page.text_codes[np.maximum(runs.text_start - 1, 0)] == _LINE_BREAK
        self._line = np.cumsum(breaks).tolist()
        self._block_first, self._block_last = page.blocks.first.tolist(), page.blocks.last.tolist()
        self._text_start, self._text_end = runs.text_start.tolist(), runs.text_end.tolist()
        self._linked = runs.in_link.tolist()

    def card_element(self, anchor: int, address: str) -> int:
        """Return the largest element around a link that contains no link to another article."""
        card = at = anchor
        for _ in range(_HIGHEST):
            at = self._parent[at]
            if at <= 0 or self._last[at] - self._first[at] > _MOST_RUNS:
                break
            low = bisect_left(self._story_starts, self._start[at])
            high = bisect_left(self._story_starts, self._end[at])
            if any(other != address for other in self._story_addresses[low:high]):
                break
            card = at
        return card

    def card(self, target: LinkTarget) -> Card:
        """Return the card of a link target, from the link that is nearest to a text."""
        cards = [self._card(anchor, target.address) for anchor in target.anchors[:_MOST_ANCHORS]]
        return min(cards, key=lambda card: (not card.teaser, not card.headline, card.steps))

    def _card(self, anchor: LinkElement, address: str) -> Card:
        container = self.card_element(anchor.element, address)
        run, steps = self._nearest(anchor.element, container)
        inside = range(self._first[container], self._last[container])
        headline = self._headline(inside)
        if headline < 0 and run >= 0:  # no heading: the first text before the teaser
            headline = next(
                (
                    candidate
                    for candidate in inside
                    if self._free[candidate] and self._line[candidate] < self._line[run]
                ),
                -1,
            )
        if says_more(anchor.text) and (headline < 0 or run < 0):
            headline, run, steps = self._from_siblings(
                self._before(anchor.element, container, address), headline, run, steps
            )
        teaser = self._text(run, self._line[headline] if headline >= 0 else -1) if run >= 0 else ""
        headline_text = self._line_text(headline) if headline >= 0 else ""
        return Card("" if headline_text == teaser else headline_text, teaser, steps)

    def _headline(self, inside: range) -> int:
        """Return the first run of the headline in a card; -1 if there is none.

        Of several headings with enough words the one of the highest level is the headline, because kickers are above
        it.
        """
        first_of: dict[int, int] = {}
        for run in inside:
            if self._heading[run]:
                first_of.setdefault(self._block[run], run)
        if len(first_of) < 2:
            return next(iter(first_of.values()), -1)
        words = {run: word_count(self._line_text(run)) for run in first_of.values()}
        long = [run for run in words if words[run] >= _WORDS]
        if not long:
            return max(words, key=words.__getitem__)
        return min(long, key=lambda run: self._heading[run])

    def _before(self, anchor: int, container: int, address: str) -> range:
        """Return the runs of text between the previous article's link and the element `container`, inside the parent of
        that element.
        """
        parent = self._parent[container]
        if parent < 0 or self._first[container] - self._first[parent] <= 0:
            return range(0)
        place = bisect_left(self._story_starts, self._start[anchor])
        while place > 0 and self._story_addresses[place - 1] == address:
            place -= 1
        begin = self._first[parent]
        if place > 0:
            begin = max(begin, self._last[self._story_elements[place - 1]])
        end = self._first[container]
        return range(max(begin, end - _MOST_RUNS), end) if begin < end else range(0)

    def _from_siblings(self, before: range, headline: int, run: int, steps: int) -> tuple[int, int, int]:
        """Return the missing headline or teaser of a card from the text before it, if the card has no element of its
        own.
        """
        texts = [text_run for text_run in before if self._free[text_run]]
        if headline < 0:
            headings = (text_run for text_run in reversed(before) if self._heading[text_run] and self._shown[text_run])
            last = self._line[texts[-1]] if texts else -1
            nearest = (text_run for text_run in reversed(texts) if run >= 0 or self._line[text_run] < last)
            headline = next(headings, next(nearest, -1))
        if run < 0:
            line = self._line[headline] if headline >= 0 else -1
            run = next((text_run for text_run in reversed(texts) if self._line[text_run] > line), -1)
            steps = _FARTHEST if run >= 0 else 0
        return headline, run, steps

    def _nearest(self, anchor: int, container: int) -> tuple[int, int]:
        """Return the unlinked run of text inside `container` that is nearest to a link in the element tree, and the
        number of tree steps to it; the run is -1 if there is none.
        """
        best, fewest, best_distance = -1, 1 << 30, 1 << 30
        up = 0
        at = anchor
        own = self._first[anchor]
        done_first, done_last = own, self._last[anchor]
        while at != container and at > 0 and up < fewest:
            at = self._parent[at]
            up += 1
            first, last = self._first[at], self._last[at]
            for run in (*range(first, done_first), *range(done_last, last)):
                if self._free[run]:
                    steps = up + self._run_depth[run] - self._depth[at]
                    if steps > _FARTHEST:
                        continue
                    distance = own - run if run < own else 10_000 + run - own  # text before the link is preferred
                    if (steps, distance) < (fewest, best_distance):
                        best, fewest, best_distance = run, steps, distance
            done_first, done_last = first, last
        return best, fewest if best >= 0 else 0

    def _text(self, run: int, headline: int) -> str:
        """Return the unlinked text of the block that contains a run, without the line of the headline."""
        return self._block_text(run, lambda other: not self._linked[other] and self._line[other] != headline)

    def _line_text(self, run: int) -> str:
        """Return the text of the line that contains a run; in a heading, of the whole block."""
        is_heading = self._heading[run] > 0
        return self._block_text(run, lambda other: is_heading or self._line[other] == self._line[run])

    def _block_text(self, run: int, is_included: Callable[[int], bool]) -> str:
        block, text = self._block[run], self._page.text
        runs = range(self._block_first[block], self._block_last[block])
        parts = [text[self._text_start[other] : self._text_end[other]] for other in runs if is_included(other)]
        return " ".join(" ".join(parts).split())[:_LONGEST]
