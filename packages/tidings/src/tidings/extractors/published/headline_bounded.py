"""Headline-bounded: an extractor's result cut off above the headline and below the story's own subtree.

DANA thesis 7.2.1. Methods that grow a region outwards take in what stands near it. The headline, found by TitleFinder
(chapter 5), is the upper limit of the story. The story is a subtree of the page, so the smallest subtree that
holds the headline and the largest region of the result ends where the story ends.

The result stays as it is where no headline is found, or where most of the largest region stands above it: then it is
no headline but a line like it. The thesis expects a gain from any inner method. On wcxb-dev (word F1) AdDANAg, which
takes too little rather than too much, has none (0.76 both ways); all visible text gains (0.82 to 0.86), and
similarity-based too (0.85 to 0.89).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tidings.extractors.parameters import checked
from tidings.extractors.published.dana import AdDANAg
from tidings.extractors.registry import Extractor
from tidings.fields.headline import Form, headline
from tidings.page import Page, Spans


def smallest_subtree(page: Page, first: int, last: int) -> int:
    """Return the innermost element that holds both of two runs."""
    elements = page.elements
    low, high = min(first, last), max(first, last)
    found = int(page.runs.element[low])
    while found > 0 and not elements.first[found] <= low <= high < elements.last[found]:
        found = int(elements.parent[found])
    return found


@checked
@dataclass(frozen=True, slots=True)
class HeadlineBounded:
    """What another extractor finds below the headline and inside the smallest subtree around headline and story."""

    inner: Extractor = field(default_factory=AdDANAg)  # the thesis names R2L, DANA, DANAg and AdDANAg, then any other
    form: Form = Form.TF  # the best form of TitleFinder: thesis, table 5.4

    def __call__(self, page: Page, /) -> Spans:
        """Return the inner result within its bounds."""
        spans = page.limited(self.inner(page))
        found = headline(page, self.form)
        if not spans or found is None or not found.spans:
            return spans
        largest = int(np.argmax(spans.ends - spans.starts))
        start, end = int(spans.starts[largest]), int(spans.ends[largest])
        top = int(found.spans.starts[0])
        if top > (start + end) // 2:
            return spans
        last = int(np.searchsorted(page.runs.text_start, end)) - 1
        story = Spans.of_elements(page, [smallest_subtree(page, found.first, last)])
        return page.shown(spans & story & Spans.of([(top, spans.size)], spans.size))
