"""Headline-bounded: the result of an extractor, cut off above the headline and outside the story's subtree.

Source: DANA thesis 7.2.1. Methods that extend a region also select text near the story. The headline, found by
TitleFinder (chapter 5), is the upper limit of the story. The story is a subtree of the page, so its end is the end of
the smallest subtree that contains the headline and the largest region of the result.

The result is unchanged if there is no headline, or if most of the largest region is above it, because then the line is
not the headline. The thesis expects a gain for any inner method. On wcxb-dev (word F1) AdDANAg, which selects too
little rather than too much, has none (0.76 both ways); all visible text gains (0.82 to 0.86), and so does
similarity-based (0.85 to 0.89).
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from tidings.extractors.parameters import checked
from tidings.extractors.published.dana import AdDANAg
from tidings.extractors.registry import Extractor
from tidings.fields.titles.title_finder import Form, headline
from tidings.page import Page, Spans


def smallest_subtree(page: Page, first: int, last: int) -> int:
    """Return the innermost element that contains two runs."""
    elements = page.elements
    low, high = min(first, last), max(first, last)
    element = int(page.runs.element[low])
    while element > 0 and not elements.first[element] <= low <= high < elements.last[element]:
        element = int(elements.parent[element])
    return element


@checked
@dataclass(frozen=True, slots=True)
class HeadlineBounded:
    """Text that another extractor selects below the headline and in the smallest subtree around headline and story."""

    inner: Extractor = field(default_factory=AdDANAg)  # the thesis names R2L, DANA, DANAg and AdDANAg, then any other
    form: Form = Form.TF  # the best form of TitleFinder: thesis, table 5.4

    def __call__(self, page: Page, /) -> Spans:
        """Return the text of the inner extractor, cut off at the headline and outside of the story's subtree."""
        spans = page.limited(self.inner(page))
        title = headline(page, self.form)
        if not spans or title is None or not title.spans:
            return spans
        largest = int(np.argmax(spans.ends - spans.starts))
        start, end = int(spans.starts[largest]), int(spans.ends[largest])
        top = int(title.spans.starts[0])
        if top > (start + end) // 2:
            return spans
        last = int(np.searchsorted(page.runs.text_start, end)) - 1
        story = Spans.of_elements(page, [smallest_subtree(page, title.first, last)])
        return page.shown(spans & story & Spans.of([(top, spans.size)], spans.size))
