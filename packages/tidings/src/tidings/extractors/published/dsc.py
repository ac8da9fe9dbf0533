"""DSC, Document Slope Curves: every stretch of tokens where tags are rare.

Pinto, Branstein, Coleman, Croft, King, Li, Wei 2002, "QuASM: a system for question answering using semi-structured
data"; DANA thesis 3.3.1.2 and Algorithm 6. The curve d(i) counts the tags up to token i (eq. 3.4). A window moves over
it by half its length. Where the slope in the window is under half the slope of the whole page, the section is low.
Three low sections in a row open a region, three that are not low close it. Unlike BTE it finds several regions.

Two points the thesis leaves open:

- The printed pseudo-code never closes a region (the second test hangs from the wrong `if`); it is read as meant.
- In the pseudo-code a region begins with the third low section and ends with the third that is not. The prose says
  that three low sections are the beginning of a region. `LATE` is the pseudo-code, `EARLY` the prose, which is worth
  0.015 of word F1 on half of the sites of wcxb-dev.

A page with no tags, or too few tokens for three sections, has no region.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np

from tidings.charts import Profile
from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.bte import Floats, PageTokens, tokens
from tidings.page import Page, Spans
from tidings.page.columns import Bools, Ints, sums


class Border(Enum):
    """Which of the sections in a row that open or close a region is its first, or the first behind it."""

    EARLY = "the first of them"  # thesis 3.3.1.2, prose
    LATE = "the last of them"  # Algorithm 6


def window(size: int) -> int:
    """Return the length of the window for a page of so many tokens (Algorithm 6): 8 up to 200 tokens, 50 over 5000."""
    return min(max(math.ceil(0.00875 * size + 6.25), 8), 50)


@dataclass(frozen=True, slots=True, eq=False)
class SlopeSections:
    """The sections of a page: where each begins, its slope, and the slope of the whole page."""

    start: Ints
    slope: Floats
    average: float

    def holding(self, places: Ints) -> Ints:
        """Return the section whose word on a token is the last: in Algorithm 6 each overwrites half of the one before.

        What stands behind the last section goes with it.
        """
        return np.searchsorted(self.start, places, side="right") - 1


def sections(is_tag: Bools, length: int) -> SlopeSections:
    """Return the slope of each section of so many tokens, from the token vector (Algorithm 6)."""
    size = len(is_tag)
    start = np.arange(0, size - length, length // 2)
    curve = sums(is_tag)[1:]  # d, eq. 3.4
    slope = (curve[start + length - 1] - curve[start]) / length
    return SlopeSections(start, slope, float(curve[-1]) / size if size else 0.0)


def regions(low: Bools, row: int = 3, border: Border = Border.EARLY) -> Bools:
    """Return which sections are in a region: `row` low ones in a row open it, as many that are not low close it."""
    count = np.arange(len(low))
    change = np.ones(len(low), np.bool_)
    change[1:] = low[1:] != low[:-1]
    streak = count - np.maximum.accumulate(np.where(change, count, 0)) + 1  # how many alike up to each
    decided = np.flatnonzero(streak == row)
    mark = np.full(len(low), -1)
    first = decided - row + 1 if border is Border.EARLY else decided
    mark[first] = first
    last = np.maximum.accumulate(mark)
    return (last >= 0) & low[last]


@checked
@dataclass(frozen=True, slots=True)
class DSC:
    """Every region of the page where tags are less than half as frequent as on average."""

    share: float = 0.5  # of the average slope, under which a slope is low
    row: int = 3  # sections that open or close a region
    border: Border = Border.EARLY

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the low regions."""
        row = tokens(page)
        found = self._sections(row)
        return row.spans(page, self._inside(found, row.place))

    def score(self, page: Page, /) -> Floats:
        """For each block how much flatter it is than the page: 1 without tags, 0 from the average slope upwards."""
        row = tokens(page)
        found = self._sections(row)
        if not len(found.slope) or not found.average:
            return np.zeros(len(page.blocks.first))
        flatness = np.clip(1 - found.slope / found.average, 0, 1)
        return row.block_means(page, flatness[found.holding(row.place)])

    def picture(self, page: Page, /) -> Profile:
        """Figure 3.6: tags so far, token by token; the main content is the plateaus."""
        row = tokens(page)
        is_tag = row.is_tag()
        chosen = self._inside(self._sections(row), np.arange(row.size))
        curve = np.cumsum(is_tag).astype(np.float64)
        return Profile("DSC", "token", "tags so far", (("tags", curve),), kind="curve", chosen=chosen)

    def _sections(self, row: PageTokens) -> SlopeSections:
        if self.share <= 0:
            raise BadParameter(f"share is {self.share}; it is a part of the average slope, more than 0")
        if self.row < 1:
            raise BadParameter(f"row is {self.row}; at least one section opens a region")
        return sections(row.is_tag(), window(row.size))

    def _inside(self, found: SlopeSections, places: Ints) -> Bools:
        """Return which of some tokens are in a low region."""
        if not len(found.slope):
            return np.zeros(len(places), np.bool_)
        inside = regions(found.slope < self.share * found.average, self.row, self.border)
        return inside[found.holding(places)]
