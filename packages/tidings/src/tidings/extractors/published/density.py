"""Density: the densest stretch of long texts.

Moreno, Deschacht, Moens 2009, "Language independent content extraction from web pages"; DANA thesis 3.3.3.2. First the
texts of a page are put into an array L, one entry for each text between two tags. Then the region where L is densest is
the main content: texts of at least C1 characters, each at most C2 places from the next. Texts under C1 are left
out, inside the region too.

The density of a region is read as the sum of the lengths in it (the area under the plot of figure 3.13). The region
around the longest text instead costs 0.014 of word F1. Text that is hidden has no entry in L.

The thesis gives no C1 and C2. Swept on half of the sites of wcxb-dev, C1 from 10 to 40 and C2 from 5 to 30: word F1 is
level from (20, 12) to (40, 30); the default lies in the middle.
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
    """Return places of the texts of at least C1 characters, and the number of the region each is in."""
    places = np.flatnonzero(lengths >= c1)
    return places, np.cumsum(np.diff(places, prepend=places[:1]) > c2)


@checked
@dataclass(frozen=True, slots=True)
class Density:
    """The heaviest group of long texts that stand close together."""

    c1: int = 25  # characters a text must have
    c2: int = 20  # places in L between two texts of a region, at most

    def __call__(self, page: Page, /) -> Spans:
        """Return the texts of the densest region."""
        shown, lengths = _texts(page)
        return page.shown(Spans.of_runs(page, shown[self._chosen(lengths)]) & page.scope)

    def score(self, page: Page, /) -> Floats:
        """For each block the share of the long text of the page that is in its region; 0 for one of short texts."""
        shown, lengths = _texts(page)
        places, region, weight = self._regions(lengths)
        scores = np.zeros(len(page.blocks.first))
        if len(places):
            np.maximum.at(scores, page.runs.block[shown[places]], (weight / weight.sum())[region])
        return scores

    def picture(self, page: Page, /) -> Profile:
        """Figure 3.13: how long the texts are, one after the other."""
        lengths = _texts(page)[1]
        chosen = np.zeros(len(lengths), np.bool_)
        chosen[self._chosen(lengths)] = True
        series = (("length", lengths.astype(np.float64)),)
        limit = (("C1", float(self.c1)),)
        return Profile("Density", "text", "characters", series, thresholds=limit, chosen=chosen)

    def _chosen(self, lengths: Ints) -> Ints:
        """Return places in L of the densest region; of equals the first."""
        places, region, weight = self._regions(lengths)
        return places[region == weight.argmax()] if len(places) else places

    def _regions(self, lengths: Ints) -> tuple[Ints, Ints, Floats]:
        """Return places of the long texts, the region of each, and the length of the text in each region."""
        if self.c1 < 1:
            raise BadParameter(f"c1 is {self.c1}; a text has at least one character")
        if self.c2 < 1:
            raise BadParameter(f"c2 is {self.c2}; a text is at least one place from the next")
        places, region = regions(lengths, self.c1, self.c2)
        return places, region, np.bincount(region, lengths[places]).astype(np.float64)


def _texts(page: Page) -> tuple[Ints, Ints]:
    """Return the array L: the runs a reader can see, and their lengths."""
    shown = np.flatnonzero(~page.runs.hidden)
    return shown, page.runs.chars[shown]
