"""LQF, the link quota filter: removes blocks that are mostly link text, which are navigation.

Source: used by Mantratzis et al. 2005 and Gupta et al. 2003; in this form by Gottron; DANA thesis 3.2.4, Algorithm 3.
The quota of a block-level element is the length of its link text divided by the length of all its text; text in an
inner block-level element belongs to the inner one. Elements with a quota above the threshold are removed.

Algorithm 3 as printed counts the text of an inline element and again that of its children. Here each text counts once.
The algorithm also leaves open whether a removed element takes its inner blocks along. Here it does not, because their
text had no part in the quota (a `body` whose only own text is a skip link would take the page along). On half of the
sites of wcxb-dev this gains 0.035 to 0.037 of word F1 at the three thresholds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.page import Page, Spans, tags
from tidings.page.columns import Ints
from tidings.page.tag_sets import tag_set

Floats = NDArray[np.float64]

_BLOCK: Final = tag_set(tags.BLOCK)


def link_quota(page: Page) -> tuple[Floats, Ints]:
    """Return the link quota of each element (0 without own text), and the block-level element of each run."""
    runs = page.runs
    holder = page.nearest(_BLOCK)[runs.element]
    length = runs.chars * ~runs.hidden
    count = len(page.elements)
    total = np.bincount(holder, length, count)
    linked = np.bincount(holder, length * runs.in_link, count)
    return linked / np.maximum(total, 1), holder


@dataclass(frozen=True, slots=True)
class LQF:
    """Text of the block-level elements whose link quota is at most a threshold."""

    threshold: float

    def __call__(self, page: Page, /) -> Spans:
        """Return the text outside of blocks whose link quota is above the threshold."""
        if not 0 <= self.threshold <= 1:
            raise BadParameter(f"threshold is {self.threshold}; a quota lies between 0 and 1")
        quota, holder = link_quota(page)
        spans = Spans.of_runs(page, quota[holder] <= self.threshold)
        return page.shown(spans) & page.scope

    def score(self, page: Page, /) -> Floats:
        """Return for each block the share of its text that is outside links."""
        quota, holder = link_quota(page)
        return 1 - quota[holder[page.blocks.first]]


# The thresholds 25, 50 and 75 %: thesis, tables 4.4 to 4.6.


@checked
@dataclass(frozen=True, slots=True)
class LQF25(LQF):
    """Text of blocks with at most a quarter of their text in links."""

    threshold: float = 0.25


@checked
@dataclass(frozen=True, slots=True)
class LQF50(LQF):
    """Text of blocks with at most half of their text in links."""

    threshold: float = 0.5


@checked
@dataclass(frozen=True, slots=True)
class LQF75(LQF):
    """Text of blocks with at most three quarters of their text in links."""

    threshold: float = 0.75
