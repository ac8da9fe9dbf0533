"""Initial marks for annotation, from the default extractor and the fields of a page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from tidings.extractors import DEFAULT, extractor
from tidings.fields import read
from tidings.fields.titles.title_finder import headline
from tidings.page import Page, tags
from tidings.page.columns import Bools, sums
from tidings.page.tag_sets import tag_set
from tidings.text import words
from tidings_lab.annotation.marks import Marks, UnitMark
from tidings_lab.annotation.units import LINE_WORDS, Units, units

_HEADING: Final = tag_set(tags.HEADINGS)
_CAPTION: Final = tag_set(tags.numbers("figcaption caption"))
_TIME: Final = tags.NUMBERS["time"]


def predict(page: Page, name: str = DEFAULT) -> Marks:
    """Return the predicted mark of every unit of a page."""
    page_units = units(page)
    marks = np.zeros(len(page_units), np.int8)
    spans = extractor(name)(page)
    covered = sums(spans.mask())
    body = 2 * (covered[page_units.text_end] - covered[page_units.text_start]) > page_units.chars
    marks[body] = UnitMark.BODY
    marks[body & _inside(page, page_units, _HEADING)] = UnitMark.HEADING
    marks[body & _inside(page, page_units, _CAPTION)] = UnitMark.CAPTION
    title = headline(page, content=spans)
    if title:
        marks[page_units.of_run[title.first : title.last]] = UnitMark.TITLE
    fields = read(page)
    # Names and dates of the story are below its headline; those above it belong to the newspaper.
    is_short = (
        ~page_units.hidden
        & (page_units.words <= LINE_WORDS)
        & (np.maximum.accumulate(marks == UnitMark.TITLE) if title else True)
    )
    is_short &= marks != UnitMark.TITLE
    day_words = [str(fields.published.day), str(fields.published.year)] if fields.published else []
    has_date = _has_time(page, page_units) | (_has_words(page, page_units, day_words) if day_words else False)
    marks[_first(is_short & has_date)] = UnitMark.DATE
    for author in fields.authors:
        marks[_first(is_short & (marks != UnitMark.DATE) & _has_words(page, page_units, words(author)))] = (
            UnitMark.AUTHOR
        )
    marks[page_units.hidden] = UnitMark.NONE
    return marks


def _inside(page: Page, page_units: Units, chosen: Bools) -> Bools:
    """Return which annotation units are inside a selected element."""
    return page.nearest(chosen)[page.runs.element[page_units.first]] > 0


def _has_time(page: Page, page_units: Units) -> Bools:
    inside = page.nearest_of(page.elements.tag == _TIME)[page.runs.element] > 0
    result = np.zeros(len(page_units), np.bool_)
    result[page_units.of_run[inside]] = True
    return result


def _has_words(page: Page, page_units: Units, required: Sequence[str]) -> Bools:
    """Return which annotation units contain all required words."""
    required_set = set(required)
    unit_words = (set(words(page_units.text(page, unit))) for unit in range(len(page_units)))
    return np.array([required_set <= present for present in unit_words], np.bool_)


def _first(chosen: Bools) -> Bools:
    """Select only the first of several units: teasers below a story have dates and names too."""
    first = np.zeros(len(chosen), np.bool_)
    first[np.flatnonzero(chosen)[:1]] = True
    return first
