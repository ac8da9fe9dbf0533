"""Density: the densest group of long texts.

Source: Moreno, Deschacht, Moens 2009, "Language independent content extraction from web pages"; DANA thesis 3.3.3.2.
The texts between two tags form an array L. The main content is the region where L is densest: texts of at least C1
characters, each at most C2 positions from the next. Texts below C1 are dropped, inside the region too.

The density of a region is taken as the sum of the lengths in it (the area below the plot of figure 3.13). The region
around the longest text instead costs 0.014 of word F1. Hidden text is not in L.

The thesis gives no C1 and C2. They come from a sweep on half of the sites of wcxb-dev, C1 from 10 to 40 and C2 from 5
to 30: word F1 is flat from (20, 12) to (40, 30); the default is in the middle.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tidings.charts import Profile
from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.page import Page, Spans
from tidings.page.columns import Ints

Floats = NDArray[np.float64]


def regions(lengths: Ints, c1: int, c2: int) -> tuple[Ints, Ints]:
    """Group the long texts of a page into regions of neighbouring texts.

    Returns the positions of the texts with at least C1 characters, and the number of the region of each.

    Args:
        lengths: the length of each text, in page order.
        c1: the least length of a long text.
        c2: the largest distance between neighbouring long texts of a region.
    """
    places = np.flatnonzero(lengths >= c1)
    return places, np.cumsum(np.diff(places, prepend=places[:1]) > c2)


@checked
@dataclass(frozen=True, slots=True)
class Density:
    """The heaviest group of long texts that are close together."""

    c1: int = 25  # characters of a text, at least
    c2: int = 20  # distance of two texts of a region in L, at most

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the densest region."""
        visible, lengths = _texts(page)
        return page.shown(Spans.of_runs(page, visible[self._chosen(lengths)]) & page.scope)

    def score(self, page: Page, /) -> Floats:
        """Return for each block the share of the page's long text that is in the same region; 0 for blocks of short
        texts.
        """
        visible, lengths = _texts(page)
        places, region, weight = self._regions(lengths)
        scores = np.zeros(len(page.blocks.first))
        if len(places):
            np.maximum.at(scores, page.runs.block[visible[places]], (weight / weight.sum())[region])
        return scores

    def picture(self, page: Page, /) -> Profile:
        """Return the data of figure 3.13: the lengths of texts in page order."""
        lengths = _texts(page)[1]
        chosen = np.zeros(len(lengths), np.bool_)
        chosen[self._chosen(lengths)] = True
        series = (("length", lengths.astype(np.float64)),)
        limit = (("C1", float(self.c1)),)
        return Profile("Density", "text", "characters", series, thresholds=limit, chosen=chosen)

    def _chosen(self, lengths: Ints) -> Ints:
        """Return the positions of the texts in the region with most text; the first one of equal regions."""
        places, region, weight = self._regions(lengths)
        return places[region == weight.argmax()] if len(places) else places

    def _regions(self, lengths: Ints) -> tuple[Ints, Ints, Floats]:
        """Return the positions of long texts, the region of each, and the length of the text in each region."""
        if self.c1 < 1:
            raise BadParameter(f"c1 is {self.c1}; a text has at least one character")
        if self.c2 < 1:
            raise BadParameter(f"c2 is {self.c2}; a text is at least one place from the next")
        places, region = regions(lengths, self.c1, self.c2)
        return places, region, np.bincount(region, lengths[places]).astype(np.float64)


def _texts(page: Page) -> tuple[Ints, Ints]:
    """Return the visible runs of text of a page, and the length of each (array L of the thesis)."""
    visible = np.flatnonzero(~page.runs.hidden)
    return visible, page.runs.chars[visible]
