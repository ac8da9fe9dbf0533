"""What to begin with: the marks that the default extractor and the fields of a page suggest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tidings.extractors import DEFAULT, extractor
from tidings.fields import read
from tidings.fields.headline import headline
from tidings.lab.marks import Mark, Marks
from tidings.lab.units import LINE_WORDS, Units, units
from tidings.page import Page, tags
from tidings.page.columns import Bools, sums
from tidings.page.flow import tag_set
from tidings.text import words

_HEADING: Final = tag_set(tags.HEADINGS)
_CAPTION: Final = tag_set(tags.numbers("figcaption caption"))
_TIME: Final = tags.NUMBERS["time"]


def predict(page: Page, name: str = DEFAULT) -> Marks:
    """For every unit of a page what it is likely to be."""
    cut = units(page)
    marks = np.zeros(len(cut), np.int8)
    spans = extractor(name)(page)
    covered = sums(spans.mask())
    body = 2 * (covered[cut.text_end] - covered[cut.text_start]) > cut.chars
    marks[body] = Mark.BODY
    marks[body & _inside(page, cut, _HEADING)] = Mark.HEADING
    marks[body & _inside(page, cut, _CAPTION)] = Mark.CAPTION
    found = headline(page, content=spans)
    if found:
        marks[cut.of_run[found.first : found.last]] = Mark.TITLE
    fields = read(page)
    # Names and dates of the story stand below its headline; those above it are the paper's own.
    short = ~cut.hidden & (cut.words <= LINE_WORDS) & (np.maximum.accumulate(marks == Mark.TITLE) if found else True)
    short &= marks != Mark.TITLE
    shown = [str(fields.published.day), str(fields.published.year)] if fields.published else []
    dated = _holds_time(page, cut) | (_says(page, cut, shown) if shown else False)
    marks[_first(short & dated)] = Mark.DATE
    for author in fields.authors:
        marks[_first(short & (marks != Mark.DATE) & _says(page, cut, words(author)))] = Mark.AUTHOR
    marks[cut.hidden] = Mark.NONE
    return marks


def _inside(page: Page, cut: Units, chosen: Bools) -> Bools:
    """Which units stand in an element of these tags."""
    return page.nearest(chosen)[page.runs.element[cut.first]] > 0


def _holds_time(page: Page, cut: Units) -> Bools:
    inside = page.nearest_of(page.elements.tag == _TIME)[page.runs.element] > 0
    held = np.zeros(len(cut), np.bool_)
    held[cut.of_run[inside]] = True
    return held


def _says(page: Page, cut: Units, wanted: Sequence[str]) -> Bools:
    """Which units have all these words."""
    needed = set(wanted)
    said = (set(words(cut.text(page, unit))) for unit in range(len(cut)))
    return np.array([needed <= one for one in said], np.bool_)


def _first(chosen: Bools) -> Bools:
    """The first of the chosen alone: teasers below a story have dates and names too."""
    first = np.zeros(len(chosen), np.bool_)
    first[np.flatnonzero(chosen)[:1]] = True
    return first
