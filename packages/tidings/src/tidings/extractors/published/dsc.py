"""DSC, Document Slope Curves: every stretch of tokens with few tags.

Source: Pinto, Branstein, Coleman, Croft, King, Li, Wei 2002, "QuASM: a system for question answering using
semi-structured data"; DANA thesis 3.3.1.2 and Algorithm 6. The curve d(i) counts the tags up to token i (eq. 3.4). A
window moves over it in steps of half its length. A section is low if its slope is below half the slope of the whole
page. Three low sections in a row open a region, three sections that are not low close it. Unlike BTE it finds several
regions.

Two points where the thesis is ambiguous:

- The printed pseudo-code never closes a region (the second test belongs to the wrong `if`); we implement the intention.
- In the pseudo-code a region begins with the third low section and ends with the third that is not low. According to
  the prose, three low sections are the beginning of a region. `LATE` is the pseudo-code, `EARLY` the prose, which gains
  0.015 of word F1 on half of the sites of wcxb-dev.

A page without tags, or with too few tokens for three sections, has no region.
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
    """Which section counts as the border of a region: one of those that open or close it."""

    EARLY = "the first of them"  # thesis 3.3.1.2, prose
    LATE = "the last of them"  # Algorithm 6


def window(size: int) -> int:
    """Return the window length for a page of `size` tokens (Algorithm 6): 8 up to 200 tokens, 50 above 5000."""
    return min(max(math.ceil(0.00875 * size + 6.25), 8), 50)


@dataclass(frozen=True, slots=True, eq=False)
class SlopeSections:
    """The sections of a page, which overlap: the first token and the slope of each, and the slope of the whole page."""

    start: Ints
    slope: Floats
    average: float

    def section_of(self, places: Ints) -> Ints:
        """Return for each token position the index of the last section that contains it. Sections overlap by half
        (Algorithm 6); tokens after the last section belong to it.
        """
        return np.searchsorted(self.start, places, side="right") - 1


def sections(is_tag: Bools, length: int) -> SlopeSections:
    """Return the sections of `length` tokens with their slopes, from the token vector (Algorithm 6)."""
    size = len(is_tag)
    start = np.arange(0, size - length, length // 2)
    curve = sums(is_tag)[1:]  # d, eq. 3.4
    slope = (curve[start + length - 1] - curve[start]) / length
    return SlopeSections(start, slope, float(curve[-1]) / size if size else 0.0)


def regions(low: Bools, row: int = 3, border: Border = Border.EARLY) -> Bools:
    """Return which sections are in a region of text.

    `row` consecutive sections with a low slope open a region, and as many with a higher slope close it.

    Args:
        low: whether the slope of each section is low, which means few tags.
        row: the number of consecutive sections.
        border: which of these sections is the border of the region.
    """
    count = np.arange(len(low))
    change = np.ones(len(low), np.bool_)
    change[1:] = low[1:] != low[:-1]
    streak = count - np.maximum.accumulate(np.where(change, count, 0)) + 1  # length of the current streak
    decided = np.flatnonzero(streak == row)
    mark = np.full(len(low), -1)
    first = decided - row + 1 if border is Border.EARLY else decided
    mark[first] = first
    last = np.maximum.accumulate(mark)
    return (last >= 0) & low[last]


@checked
@dataclass(frozen=True, slots=True)
class DSC:
    """Every region of the page in which tags are less than half as frequent as on average."""

    share: float = 0.5  # of the average slope, below which a slope is low
    row: int = 3  # sections that open or close a region
    border: Border = Border.EARLY

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of regions with a low slope."""
        row = tokens(page)
        parts = self._sections(row)
        return row.spans(page, self._inside(parts, row.place))

    def score(self, page: Page, /) -> Floats:
        """Return for each block how much flatter it is than the page: 1 without tags, 0 from the average slope
        upwards.
        """
        row = tokens(page)
        parts = self._sections(row)
        if not len(parts.slope) or not parts.average:
            return np.zeros(len(page.blocks.first))
        flatness = np.clip(1 - parts.slope / parts.average, 0, 1)
        return row.block_means(page, flatness[parts.section_of(row.place)])

    def picture(self, page: Page, /) -> Profile:
        """Return the data of figure 3.6: the cumulative number of tags by token; the main content is the plateaus."""
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

    def _inside(self, parts: SlopeSections, places: Ints) -> Bools:
        """Return which tokens are in a region with few tags."""
        if not len(parts.slope):
            return np.zeros(len(places), np.bool_)
        inside = regions(parts.slope < self.share * parts.average, self.row, self.border)
        return inside[parts.section_of(places)]
