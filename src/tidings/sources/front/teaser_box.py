"""The card a link stands in: its headline and its teaser (LBNEST II.C.2.ii, fig. 5 and 6).

Some sites print a headline and the beginning of a story, and link only "Full story". The text that belongs to such a
link is the nearest in the tree: neighbours are looked at level by level, a level being the number of steps from the
link to the element with the text, up and down (fig. 6). The paper takes the first text met; here it must have four
words of its own, as a link must, or dates and names of sections would be taken, and among texts as near the one before
the link goes first.

A card ends where the links to other stories begin: the largest element around a link that holds no link to another.
A link that only says "Full story" is such a link, whatever its address looks like. Where cards have no element of their
own (a heading, a paragraph and a link, one after the other), a card is what stands between the link before it and its
own; and a line break ends a headline as the end of a paragraph does.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.page import Page, tags
from tidings.page.flow import tag_set
from tidings.sources.front.anchors import LinkElement, LinkTarget
from tidings.sources.front.vocabulary import says_more

_HEADINGS: Final = tag_set(tags.HEADINGS)
#: Steps up from a link; cards are not deeper.
_HIGHEST: Final = 8
#: Steps from a link to its teaser: up to the card and down to a paragraph of it.
_FARTHEST: Final = 5
#: Links to a story that are looked at for its card.
_MOST_ANCHORS: Final = 6
#: An element with more runs than this is no card.
_MOST_RUNS: Final = 80
#: Words of a text that may be a teaser or a headline (LBNEST: four, as for links).
_WORDS: Final = 4
_LONGEST: Final = 1000
_LINE_BREAK: Final = 10


@dataclass(frozen=True, slots=True)
class Card:
    """What stands around a link."""

    headline: str = ""
    teaser: str = ""
    steps: int = 0  # from the link to the teaser


class Cards:
    """The cards of a page. Made once a page; asked for each link that needs one."""

    def __init__(self, page: Page, anchors: Collection[LinkElement], stories: Collection[str]) -> None:
        columns, runs = page.elements, page.runs
        self._page = page
        self._parent, self._depth = columns.parent.tolist(), columns.depth.tolist()
        self._first, self._last = columns.first.tolist(), columns.last.tolist()
        self._start, self._end = columns.start.tolist(), columns.end.tolist()
        wanted = sorted(
            (self._start[one.element], one.address, one.element) for one in anchors if one.address in stories
        )
        self._story_starts = [start for start, _, _ in wanted]
        self._story_addresses = [address for _, address, _ in wanted]
        self._story_elements = [element for _, _, element in wanted]
        free = ~runs.in_link & ~runs.hidden
        words = np.bincount(runs.block, runs.words * free, minlength=len(page.blocks))[runs.block]
        self._free = (free & (words >= _WORDS)).tolist()
        self._shown = free.tolist()
        self._in_heading = (page.nearest(_HEADINGS)[runs.element] > 0).tolist()
        self._run_depth = columns.depth[runs.element].tolist()
        self._block = runs.block.tolist()
        breaks = page.text_codes[np.maximum(runs.text_start - 1, 0)] == _LINE_BREAK
        self._line = np.cumsum(breaks).tolist()
        self._block_first, self._block_last = page.blocks.first.tolist(), page.blocks.last.tolist()
        self._text_start, self._text_end = runs.text_start.tolist(), runs.text_end.tolist()
        self._linked = runs.in_link.tolist()

    def around(self, anchor: int, address: str) -> int:
        """The largest element around a link that holds no link to another story."""
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
        """The headline and the nearest text of a target, by that of its links which stands nearest to a text."""
        found = [self._card(anchor, target.address) for anchor in target.anchors[:_MOST_ANCHORS]]
        return min(found, key=lambda card: (not card.teaser, not card.headline, card.steps))

    def _card(self, anchor: LinkElement, address: str) -> Card:
        around = self.around(anchor.element, address)
        run, steps = self._nearest(anchor.element, around)
        inside = range(self._first[around], self._last[around])
        headline = next((one for one in inside if self._in_heading[one]), -1)
        if headline < 0 and run >= 0:  # no heading: the first text that is not the teaser, and before it
            headline = next((one for one in inside if self._free[one] and self._line[one] < self._line[run]), -1)
        if says_more(anchor.text) and (headline < 0 or run < 0):
            headline, run, steps = self._in_a_row(self._before(anchor.element, around, address), headline, run, steps)
        teaser = self._text(run, self._line[headline] if headline >= 0 else -1) if run >= 0 else ""
        found = self._whole(headline) if headline >= 0 else ""
        return Card("" if found == teaser else found, teaser, steps)

    def _before(self, anchor: int, around: int, address: str) -> range:
        """The runs between the link to another story before a card and the card, inside the element around it."""
        parent = self._parent[around]
        if parent < 0 or self._first[around] - self._first[parent] <= 0:
            return range(0)
        place = bisect_left(self._story_starts, self._start[anchor])
        while place > 0 and self._story_addresses[place - 1] == address:
            place -= 1
        begin = self._first[parent]
        if place > 0:
            begin = max(begin, self._last[self._story_elements[place - 1]])
        end = self._first[around]
        return range(max(begin, end - _MOST_RUNS), end) if begin < end else range(0)

    def _in_a_row(self, before: range, headline: int, run: int, steps: int) -> tuple[int, int, int]:
        """Headline and teaser of a card that has no element of its own, as far as they are not known."""
        texts = [one for one in before if self._free[one]]
        if headline < 0:
            headings = (one for one in reversed(before) if self._in_heading[one] and self._shown[one])
            last = self._line[texts[-1]] if texts else -1
            nearest = (one for one in reversed(texts) if run >= 0 or self._line[one] < last)
            headline = next(headings, next(nearest, -1))
        if run < 0:
            line = self._line[headline] if headline >= 0 else -1
            run = next((one for one in reversed(texts) if self._line[one] > line), -1)
            steps = _FARTHEST if run >= 0 else 0
        return headline, run, steps

    def _nearest(self, anchor: int, around: int) -> tuple[int, int]:
        """The run of free text with the fewest steps to a link inside its card, and how many; -1 if there is none."""
        best, fewest, away = -1, 1 << 30, 1 << 30
        up = 0
        at = anchor
        own = self._first[anchor]
        done_first, done_last = own, self._last[anchor]
        while at != around and at > 0 and up < fewest:
            at = self._parent[at]
            up += 1
            first, last = self._first[at], self._last[at]
            for run in (*range(first, done_first), *range(done_last, last)):
                if self._free[run]:
                    steps = up + self._run_depth[run] - self._depth[at]
                    if steps > _FARTHEST:
                        continue
                    distance = own - run if run < own else 10_000 + run - own  # text before the link goes first
                    if (steps, distance) < (fewest, away):
                        best, fewest, away = run, steps, distance
            done_first, done_last = first, last
        return best, fewest if best >= 0 else 0

    def _text(self, run: int, headline: int) -> str:
        """The free text of a run's block, without the line of the headline."""
        return self._joined(run, lambda one: not self._linked[one] and self._line[one] != headline)

    def _whole(self, run: int) -> str:
        """All text of a run's line; in a heading, of its block."""
        is_heading = self._in_heading[run]
        return self._joined(run, lambda one: is_heading or self._line[one] == self._line[run])

    def _joined(self, run: int, wanted: Callable[[int], bool]) -> str:
        block, text = self._block[run], self._page.text
        runs = range(self._block_first[block], self._block_last[block])
        parts = [text[self._text_start[one] : self._text_end[one]] for one in runs if wanted(one)]
        return " ".join(" ".join(parts).split())[:_LONGEST]
