"""The card a link stands in: its headline and its teaser (LBNEST II.C.2.ii, fig. 5 and 6).

Some sites print a headline and the beginning of a story, and link only "Full story". The text that belongs to such a
link is the nearest in the tree: neighbours are looked at level by level, a level being the number of steps from the
link to the element with the text, up and down (fig. 6). The paper takes the first text met; here it must have four
words of its own, as a link must, or dates and names of sections would be taken, and among texts as near the one before
the link goes first.

A card ends where the links to other stories begin: the largest element around a link that holds no link to another.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.page import Page, tags
from tidings.page.flow import tag_set
from tidings.sources.front.anchors import LinkElement, LinkTarget

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
        wanted = sorted((self._start[one.element], one.address) for one in anchors if one.address in stories)
        self._story_starts = [start for start, _ in wanted]
        self._story_addresses = [address for _, address in wanted]
        free = ~runs.in_link & ~runs.hidden
        words = np.bincount(runs.block, runs.words * free, minlength=len(page.blocks))[runs.block]
        self._free = (free & (words >= _WORDS)).tolist()
        self._in_heading = (page.nearest(_HEADINGS)[runs.element] > 0).tolist()
        self._run_depth = columns.depth[runs.element].tolist()
        self._block = runs.block.tolist()
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
        found = [self._card(anchor.element, target.address) for anchor in target.anchors[:_MOST_ANCHORS]]
        return min(found, key=lambda card: (not card.teaser, not card.headline, card.steps))

    def _card(self, anchor: int, address: str) -> Card:
        around = self.around(anchor, address)
        run, steps = self._nearest(anchor, around)
        teaser = self._text(run) if run >= 0 else ""
        block = self._block[run] if run >= 0 else -1
        inside = range(self._first[around], self._last[around])
        headline = next((one for one in inside if self._in_heading[one]), -1)
        if headline < 0:  # no heading: the first text that is not the teaser, and before it
            headline = next((one for one in inside if self._free[one] and -1 < self._block[one] < block), -1)
        found = self._whole(headline) if headline >= 0 else ""
        return Card("" if found == teaser else found, teaser, steps)

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

    def _text(self, run: int) -> str:
        """The free text of a run's block."""
        return self._joined(run, free=True)

    def _whole(self, run: int) -> str:
        """All text of a run's block."""
        return self._joined(run, free=False)

    def _joined(self, run: int, *, free: bool) -> str:
        block, text = self._block[run], self._page.text
        runs = range(self._block_first[block], self._block_last[block])
        parts = [text[self._text_start[one] : self._text_end[one]] for one in runs if not (free and self._linked[one])]
        return " ".join(" ".join(parts).split())[:_LONGEST]
