"""Character-based annotation: ranges of the HTML that are title, headings and body (memory-based thesis 4.1.2, table
4.1).

    title: 2151 2183
    body1: 2512 2782
    heading1: 3307 3323

The page is one long string; a range is given by the index of its first character and the index after its last, from 0.
(The thesis's own figures are such ranges: its title has 32 letters and its first heading 16.) Ranges are finer than
classes of elements, because a range may begin in the middle of a text. Converted to classes, a text or tail has the
class of most of its characters.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.page import Page
from tidings.page.text_and_tail import text_and_tail
from tidings_lab.learners.element_classes import Classes, ElementClass, ElementClasses

_LINE: Final = re.compile(r"(title|heading|body)(\d*)\s*:\s*(\d{1,12})\s+(\d{1,12})", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class CharacterRange:
    """A range of characters in the HTML, from `start` up to `end`, and their class."""

    start: int
    end: int
    mark: ElementClass


def write(ranges: Iterable[CharacterRange]) -> str:
    """Return ranges as the text of a file: in order, numbered by class; a single title has no number."""
    ordered = sorted(ranges)
    totals, counts = Counter(item.mark for item in ordered), Counter[ElementClass]()
    lines = []
    for item in ordered:
        counts[item.mark] += 1
        single = item.mark is ElementClass.TITLE and totals[item.mark] == 1
        lines.append(f"{item.mark.name.lower()}{'' if single else counts[item.mark]}: {item.start} {item.end}\n")
    return "".join(lines)


def parse(content: str) -> tuple[list[CharacterRange], list[str]]:
    """Parse ranges from the text of a file; return them with an error message for each invalid line."""
    ranges: list[CharacterRange] = []
    errors: list[str] = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or int(match[3]) >= int(match[4]):
            errors.append(f"line {number} is no range: {line.strip()[:60]!r}")
        else:
            ranges.append(CharacterRange(int(match[3]), int(match[4]), ElementClass[match[1].upper()]))
    return ranges, errors


def run_classes(page: Page, classes: ElementClasses) -> Classes:
    """Return the class of each run of text, from the text or tail that contains it."""
    parts = text_and_tail(page)
    return np.where(parts.in_tail, classes.tail[parts.element], classes.text[parts.element]).astype(np.int8)


def ranges_of_runs(page: Page, marks: Classes) -> list[tuple[int, int, int]]:
    """Return the source ranges (start, end, mark) of marked runs of text; neighbouring runs of a block with the same
    mark are joined.
    """
    runs = page.runs
    new = np.ones(len(runs), np.bool_)
    new[1:] = (np.diff(marks) != 0) | (np.diff(runs.block) != 0)
    first = np.flatnonzero(new)
    last = (np.append(first[1:], len(runs)) - 1)[: len(first)]
    is_marked = marks[first] != 0
    first, last = first[is_marked], last[is_marked]
    return list(zip(runs.start[first].tolist(), runs.end[last].tolist(), marks[first].tolist(), strict=True))


def shares_of_runs(page: Page, ranges: Iterable[tuple[int, int, int]], marks: int) -> NDArray[np.int64]:
    """Return how many characters of each run of text (a row) have each mark (a column).

    Unmarked characters count for mark 0. `marks` is the number of marks.
    """
    runs = page.runs
    counts = np.zeros((len(runs), marks), np.int64)
    for start, end, mark in ranges:
        first, last = np.searchsorted(runs.end, start, side="right"), np.searchsorted(runs.start, end, side="left")
        shared = np.minimum(runs.end[first:last], end) - np.maximum(runs.start[first:last], start)
        counts[first:last, mark] += np.maximum(shared, 0)
    counts[:, 0] += np.maximum(runs.end - runs.start - counts.sum(axis=1), 0)
    return counts


def characters_to_ranges(page: Page, classes: ElementClasses) -> list[CharacterRange]:
    """Convert classes of elements to ranges of characters."""
    ranges = ranges_of_runs(page, run_classes(page, classes))
    return [CharacterRange(start, end, ElementClass(mark)) for start, end, mark in ranges]


def to_classes(page: Page, ranges: Iterable[CharacterRange]) -> ElementClasses:
    """Convert ranges of characters to classes of elements: each text and tail has the class of most of its
    characters.
    """
    shares = shares_of_runs(page, ((item.start, item.end, item.mark) for item in ranges), len(ElementClass))
    parts, size = text_and_tail(page), len(page.elements)
    both = np.zeros((2, size, len(ElementClass)), np.int64)
    np.add.at(both, (parts.in_tail.astype(np.int64), parts.element), shares)
    text, tail = both.argmax(axis=2).astype(np.int8)
    return ElementClasses(text, tail)
