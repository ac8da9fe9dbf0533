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
from tidings_lab.learners.lesson import shares
from tidings_lab.learners.structure import ElementClass, ElementClasses

Marks = NDArray[np.int8]
_DAY: Final = re.compile(r"\s*(\d{4}-\d\d-\d\d)(?!\d)", re.ASCII)
_TIME: Final = tags.NUMBERS["time"]


class UnitMark(IntEnum):
    """What a unit is. The first four are the classes of elements; what is nothing of an article has none."""

    NONE = ElementClass.GARBAGE
    TITLE = ElementClass.TITLE
    HEADING = ElementClass.HEADING
    BODY = ElementClass.BODY
    AUTHOR = 4
    DATE = 5
    CAPTION = 6
    COMMENT = 7


NAMES: Final = tuple(mark.name.lower() for mark in UnitMark)


def named(name: object) -> UnitMark:
    """The mark of a name.

    Raises:
        ValueError: there is none.
    """
    if not isinstance(name, str) or name not in NAMES:
        raise ValueError(f"there is no mark called {name!r}; there are: {', '.join(NAMES)}")
    return UnitMark(NAMES.index(name))


def to_ranges(page: Page, marks: Marks) -> list[list[str | int]]:
    """Marks of units as they are kept with the gold."""
    return [[NAMES[mark], start, end] for start, end, mark in ranges_of_runs(page, marks[units(page).of_run])]


def of_ranges(page: Page, ranges: Iterable[Any]) -> Marks:
    """Marks of units from what was kept: each is what most of its characters are.

    Raises:
        ValueError: something in it is no marked range.
    """
    held = shares_of_runs(page, _checked(ranges, len(page.source)), len(UnitMark))
    cut = units(page)
    counts = np.zeros((len(cut), len(UnitMark)), np.int64)
    np.add.at(counts, cut.of_run, held)
    return np.asarray(counts.argmax(axis=1), np.int8)


def _checked(ranges: Iterable[Any], size: int) -> Iterator[tuple[int, int, int]]:
    for one in ranges:
        if not isinstance(one, list) or len(one) != 3 or not all(isinstance(at, int) for at in one[1:]):
            raise ValueError(f"this is no marked range: {str(one)[:60]}")
        if not 0 <= one[1] < one[2] <= size:
            raise ValueError(f"the marked range {one[1]} to {one[2]} is not in the page of {size} characters")
        yield one[1], one[2], named(one[0])


def element_classes(page: Page, marks: Marks) -> ElementClasses:
    """Classes of texts and tails; author, date, caption and comment are garbage there."""
    per_run = marks[units(page).of_run]
    found = ranges_of_runs(page, np.where(per_run <= UnitMark.BODY, per_run, 0))
    return to_classes(page, [CharacterRange(start, end, ElementClass(mark)) for start, end, mark in found])


def of_classes(page: Page, classes: ElementClasses) -> Marks:
    """Marks of units from classes of texts and tails."""
    cut, per_run = units(page), run_classes(page, classes)
    weights = np.zeros((len(cut), len(ElementClass)), np.int64)
    np.add.at(weights, (cut.of_run, per_run), page.runs.chars)
    return np.asarray(weights.argmax(axis=1), np.int8)


def gold(page: Page, marks: Marks) -> dict[str, Any]:
    """The gold of a page: text without the headline, headings in it, paragraphs joined by empty lines."""
    cut = units(page)

    def chosen(*wanted: UnitMark) -> list[int]:
        found: list[int] = np.flatnonzero(np.isin(marks, wanted)).tolist()
        return found

    paragraphs = _lines(page, cut, chosen(UnitMark.BODY, UnitMark.HEADING))
    return {
        "title": " ".join(_lines(page, cut, chosen(UnitMark.TITLE))),
        "authors": _authors(page, [cut.text(page, unit) for unit in chosen(UnitMark.AUTHOR)]),
        "date": _date(page, cut, chosen(UnitMark.DATE)),
        "text": "\n\n".join(paragraphs),
        "paragraphs": paragraphs,
        "headings": _lines(page, cut, chosen(UnitMark.HEADING)),
        "captions": _lines(page, cut, chosen(UnitMark.CAPTION)),
        "comments": _lines(page, cut, chosen(UnitMark.COMMENT)),
        "marks": to_ranges(page, marks),
    }


def _lines(page: Page, cut: Units, chosen: list[int]) -> list[str]:
    """The texts of units; neighbours in one block are one line again."""
    lines: list[tuple[int, int]] = []
    for unit in chosen:
        if lines and lines[-1][1] == unit - 1 and cut.block[unit - 1] == cut.block[unit]:
            lines[-1] = (lines[-1][0], unit)
        else:
            lines.append((unit, unit))
    return [fold_space(page.text[cut.text_start[first] : cut.text_end[last]]) for first, last in lines]


def _authors(page: Page, lines: list[str]) -> list[str]:
    """The declared names that stand in the marked units; units with none of them as they are."""
    declared = read(page).authors
    found = [[name for name in declared if name.lower() in line.lower()] or [line] for line in lines]
    return list(dict.fromkeys(name for names in found for name in names))


def _date(page: Page, cut: Units, chosen: list[int]) -> str:
    """The day that a <time> in the marked units tells, or the declared one if they show it; else their text."""
    elements = page.elements
    for unit in chosen:
        first, last = cut.first[unit], cut.last[unit]
        inside = (elements.tag == _TIME) & (elements.first < last) & (elements.last > first)
        for element in np.flatnonzero(inside).tolist():
            if told := _DAY.match(page.attributes(element).get("datetime", "")):
                return told[1]
    text = " ".join(cut.text(page, unit) for unit in chosen)
    declared = read(page).published
    shown = {word.lstrip("0") for word in words(text)}
    if declared and {str(declared.day), str(declared.year)} <= shown:
        return declared.isoformat()[:10]
    return text


def of_gold(page: Page, wanted: Mapping[str, Any]) -> Marks:
    """Marks of units from gold: its own where it has them, else by what the units say.

    Raises:
        ValueError: the gold has marks that are none.
    """
    if isinstance(wanted.get("marks"), list):
        return of_ranges(page, wanted["marks"])
    cut = units(page)
    marks = np.zeros(len(cut), np.int8)
    if text := wanted.get("text"):
        marks[(shares(page, text) >= 0.5)[cut.block]] = UnitMark.BODY  # half of its words or more
    titles, headings, captions, authors = (_said(wanted.get(name)) for name in _SAID)
    for unit in np.flatnonzero(~cut.hidden).tolist():
        line = tuple(words(cut.text(page, unit)))
        if line in titles and not (marks == UnitMark.TITLE).any():
            marks[unit] = UnitMark.TITLE
        elif line in headings and marks[unit] == UnitMark.BODY:
            marks[unit] = UnitMark.HEADING
        elif line in captions:
            marks[unit] = UnitMark.CAPTION
        elif line in authors and not (marks == UnitMark.AUTHOR).any():
            marks[unit] = UnitMark.AUTHOR
    return marks


_SAID: Final = ("title", "headings", "captions", "authors")


def _said(values: Any) -> set[tuple[str, ...]]:
    lines = [values] if isinstance(values, str) else values or []
    return {tuple(words(line)) for line in lines if isinstance(line, str) and words(line)}
