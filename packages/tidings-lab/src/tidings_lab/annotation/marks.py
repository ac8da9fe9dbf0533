"""Annotation marks of the units of a page, and the ground truth that follows from them.

Marks are stored with the ground truth as `[name, start, end]`, ranges of characters of the HTML (like in memory-based
thesis 4.1.2). Such ranges stay valid if the segmentation of pages into units changes.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.fields import read
from tidings.page import Page, tags
from tidings.text import fold_space, words
from tidings_lab.annotation.character_ranges import (
    CharacterRange,
    ranges_of_runs,
    run_classes,
    shares_of_runs,
    to_classes,
)
from tidings_lab.annotation.units import Units, units
from tidings_lab.learners.element_classes import ElementClass, ElementClasses
from tidings_lab.learners.gold_words import shares

Marks = NDArray[np.int8]
_DAY: Final = re.compile(r"\s*(\d{4}-\d\d-\d\d)(?!\d)", re.ASCII)
_TIME: Final = tags.NUMBERS["time"]


class UnitMark(IntEnum):
    """The mark of an annotation unit. The first four are the classes of elements; text outside the article has none."""

    NONE = ElementClass.GARBAGE
    TITLE = ElementClass.TITLE
    HEADING = ElementClass.HEADING
    BODY = ElementClass.BODY
    AUTHOR = 4
    DATE = 5
    CAPTION = 6
    COMMENT = 7
    LEAD = 8  # a standfirst: text between headline and story that introduces it
    NOTE = 9  # about the author, in the story or below it


NAMES: Final = tuple(mark.name.lower() for mark in UnitMark)


def named(name: object) -> UnitMark:
    """Return the mark with this name.

    Raises:
        ValueError: there is none.
    """
    if not isinstance(name, str) or name not in NAMES:
        raise ValueError(f"there is no mark called {name!r}; there are: {', '.join(NAMES)}")
    return UnitMark(NAMES.index(name))


def to_ranges(page: Page, marks: Marks) -> list[list[str | int]]:
    """Return marks of units in the format in which they are stored."""
    return [[NAMES[mark], start, end] for start, end, mark in ranges_of_runs(page, marks[units(page).of_run])]


def of_ranges(page: Page, ranges: Iterable[Any]) -> Marks:
    """Return marks of units from stored ranges: each unit has the mark of most of its characters.

    Raises:
        ValueError: a range is invalid.
    """
    shares = shares_of_runs(page, _checked(ranges, len(page.source)), len(UnitMark))
    page_units = units(page)
    counts = np.zeros((len(page_units), len(UnitMark)), np.int64)
    np.add.at(counts, page_units.of_run, shares)
    return np.asarray(counts.argmax(axis=1), np.int8)


def _checked(ranges: Iterable[Any], size: int) -> Iterator[tuple[int, int, int]]:
    for item in ranges:
        if not isinstance(item, list) or len(item) != 3 or not all(isinstance(at, int) for at in item[1:]):
            raise ValueError(f"this is no marked range: {str(item)[:60]}")
        if not 0 <= item[1] < item[2] <= size:
            raise ValueError(f"the marked range {item[1]} to {item[2]} is not in the page of {size} characters")
        yield item[1], item[2], named(item[0])


def element_classes(page: Page, marks: Marks) -> ElementClasses:
    """Convert marks of units to classes of texts and tails of elements.

    The classes are title, heading, body and garbage; all other marks become garbage.
    """
    per_run = marks[units(page).of_run]
    ranges = ranges_of_runs(page, np.where(per_run <= UnitMark.BODY, per_run, 0))
    return to_classes(page, [CharacterRange(start, end, ElementClass(mark)) for start, end, mark in ranges])


def of_classes(page: Page, classes: ElementClasses) -> Marks:
    """Convert classes of texts and tails to marks of units."""
    page_units, per_run = units(page), run_classes(page, classes)
    weights = np.zeros((len(page_units), len(ElementClass)), np.int64)
    np.add.at(weights, (page_units.of_run, per_run), page.runs.chars)
    return np.asarray(weights.argmax(axis=1), np.int8)


def gold(page: Page, marks: Marks) -> dict[str, Any]:
    """Return the ground truth of a page: its text has no headline, but headings; paragraphs are joined by empty
    lines.
    """
    page_units = units(page)

    def units_with(*selected_marks: UnitMark) -> list[int]:
        numbers: list[int] = np.flatnonzero(np.isin(marks, selected_marks)).tolist()
        return numbers

    paragraphs = _lines(page, page_units, units_with(UnitMark.BODY, UnitMark.HEADING))
    return {
        "title": " ".join(_lines(page, page_units, units_with(UnitMark.TITLE))),
        "authors": _authors(page, [page_units.text(page, unit) for unit in units_with(UnitMark.AUTHOR)]),
        "date": _date(page, page_units, units_with(UnitMark.DATE)),
        "text": "\n\n".join(paragraphs),
        "paragraphs": paragraphs,
        "headings": _lines(page, page_units, units_with(UnitMark.HEADING)),
        "captions": _lines(page, page_units, units_with(UnitMark.CAPTION)),
        "comments": _lines(page, page_units, units_with(UnitMark.COMMENT)),
        "lead": "\n\n".join(_lines(page, page_units, units_with(UnitMark.LEAD))),
        "notes": _lines(page, page_units, units_with(UnitMark.NOTE)),
        "marks": to_ranges(page, marks),
    }


def _lines(page: Page, page_units: Units, chosen: list[int]) -> list[str]:
    """Return the texts of selected units; neighbouring units of one block are joined to one line."""
    lines: list[tuple[int, int]] = []
    for unit in chosen:
        if lines and lines[-1][1] == unit - 1 and page_units.block[unit - 1] == page_units.block[unit]:
            lines[-1] = (lines[-1][0], unit)
        else:
            lines.append((unit, unit))
    return [fold_space(page.text[page_units.text_start[first] : page_units.text_end[last]]) for first, last in lines]


def _authors(page: Page, lines: list[str]) -> list[str]:
    """Return the declared names that occur in the units marked as author; for units without such names, their text."""
    declared = read(page).authors
    names_by_line = [[name for name in declared if name.lower() in line.lower()] or [line] for line in lines]
    return list(dict.fromkeys(name for names in names_by_line for name in names))


def _date(page: Page, page_units: Units, chosen: list[int]) -> str:
    """Return the day of a <time> element in the units marked as date, or the declared day if the units contain it; else
    their text.
    """
    elements = page.elements
    for unit in chosen:
        first, last = page_units.first[unit], page_units.last[unit]
        inside = (elements.tag == _TIME) & (elements.first < last) & (elements.last > first)
        for element in np.flatnonzero(inside).tolist():
            if match := _DAY.match(page.attributes(element).get("datetime", "")):
                return match[1]
    text = " ".join(page_units.text(page, unit) for unit in chosen)
    declared = read(page).published
    visible_words = {word.lstrip("0") for word in words(text)}
    if declared and {str(declared.day), str(declared.year)} <= visible_words:
        return declared.isoformat()[:10]
    return text


def of_gold(page: Page, gold_fields: Mapping[str, Any]) -> Marks:
    """Return marks of units from ground truth: its marks if it has any, else marks that follow from comparing texts.

    Raises:
        ValueError: the stored marks are invalid.
    """
    if isinstance(gold_fields.get("marks"), list):
        return of_ranges(page, gold_fields["marks"])
    page_units = units(page)
    marks = np.zeros(len(page_units), np.int8)
    if text := gold_fields.get("text"):
        marks[(shares(page, text) >= 0.5)[page_units.block]] = UnitMark.BODY  # half of its words or more
    titles, headings, captions, authors = (_word_lines(gold_fields.get(name)) for name in _LINE_FIELDS)
    for unit in np.flatnonzero(~page_units.hidden).tolist():
        line = tuple(words(page_units.text(page, unit)))
        if line in titles and not (marks == UnitMark.TITLE).any():
            marks[unit] = UnitMark.TITLE
        elif line in headings and marks[unit] == UnitMark.BODY:
            marks[unit] = UnitMark.HEADING
        elif line in captions:
            marks[unit] = UnitMark.CAPTION
        elif line in authors and not (marks == UnitMark.AUTHOR).any():
            marks[unit] = UnitMark.AUTHOR
    return marks


_LINE_FIELDS: Final = ("title", "headings", "captions", "authors")


def _word_lines(values: Any) -> set[tuple[str, ...]]:
    lines = [values] if isinstance(values, str) else values or []
    return {tuple(words(line)) for line in lines if isinstance(line, str) and words(line)}
