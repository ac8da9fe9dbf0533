"""What an annotator says of each unit of a page, and the gold that follows from it.

Marks are kept with the gold as `[name, start, end]`, ranges of characters of the HTML (as in memory-based thesis
4.1.2): these stay right when the way a page is cut into units changes.

What an annotator gives one mark to: a block, or a part of a line that is made up of elements.

A byline is often one block: `<p><span>By Iris Benning</span><time>6 March</time></p>`. A short block whose text stands
in child elements only, none of it in the block itself, is taken apart into these. A paragraph has text of its own
between its links and stays whole.

Character-based annotation: where in the HTML title, headings and body stand (memory-based thesis 4.1.2, table 4.1).

    title: 2151 2183
    body1: 2512 2782
    heading1: 3307 3323

The page is one long string; a range is given by its first character and the one behind its last, counted from 0. (The
thesis's own figures are such ranges: its title has 32 letters and its first heading 16.) This is finer than classes of
elements: a range may begin in the middle of a text. Converted to classes of elements, a text or tail is what most of
its characters are.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from tidings.fields import read
from tidings.page import Page, tags
from tidings.page.columns import Bools, Columns, Ints
from tidings.page.text_and_tail import text_and_tail
from tidings.text import fold_space, words
from tidings_lab.learners.lesson import shares
from tidings_lab.learners.structure import Classes, ElementClass, ElementClasses

_LINE: Final = re.compile(r"(title|heading|body)(\d*)\s*:\s*(\d{1,12})\s+(\d{1,12})", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class CharacterRange:
    """Characters `start` up to `end` of the HTML, and what they are."""

    start: int
    end: int
    mark: ElementClass


def write(ranges: Iterable[CharacterRange]) -> str:
    """Ranges as a file: in order, numbered by class, the only title without a number."""
    ordered = sorted(ranges)
    totals, counts = Counter(one.mark for one in ordered), Counter[ElementClass]()
    lines = []
    for one in ordered:
        counts[one.mark] += 1
        single = one.mark is ElementClass.TITLE and totals[one.mark] == 1
        lines.append(f"{one.mark.name.lower()}{'' if single else counts[one.mark]}: {one.start} {one.end}\n")
    return "".join(lines)


def parse(content: str) -> tuple[list[CharacterRange], list[str]]:
    """The ranges of a file, and a sentence for each line that is none."""
    found: list[CharacterRange] = []
    wrong: list[str] = []
    for number, line in enumerate(content.splitlines(), 1):
        if not line.strip():
            continue
        match = _LINE.fullmatch(line.strip())
        if match is None or int(match[3]) >= int(match[4]):
            wrong.append(f"line {number} is no range: {line.strip()[:60]!r}")
        else:
            found.append(CharacterRange(int(match[3]), int(match[4]), ElementClass[match[1].upper()]))
    return found, wrong


def run_classes(page: Page, classes: ElementClasses) -> Classes:
    """The class of each run, as its element's text or tail has it."""
    parts = text_and_tail(page)
    return np.where(parts.in_tail, classes.tail[parts.element], classes.text[parts.element]).astype(np.int8)


def ranges_of_runs(page: Page, marks: Classes) -> list[tuple[int, int, int]]:
    """Source ranges of marked runs, with their marks: neighbours in one block with one mark are one range."""
    runs = page.runs
    new = np.ones(len(runs), np.bool_)
    new[1:] = (np.diff(marks) != 0) | (np.diff(runs.block) != 0)
    first = np.flatnonzero(new)
    last = (np.append(first[1:], len(runs)) - 1)[: len(first)]
    kept = marks[first] != 0
    first, last = first[kept], last[kept]
    return list(zip(runs.start[first].tolist(), runs.end[last].tolist(), marks[first].tolist(), strict=True))


def shares_of_runs(page: Page, ranges: Iterable[tuple[int, int, int]], marks: int) -> NDArray[np.int64]:
    """For each run (a row) and each mark (a column) how many characters of its source have that mark.

    What no range holds counts for mark 0.
    """
    runs = page.runs
    held = np.zeros((len(runs), marks), np.int64)
    for start, end, mark in ranges:
        first, last = np.searchsorted(runs.end, start, side="right"), np.searchsorted(runs.start, end, side="left")
        shared = np.minimum(runs.end[first:last], end) - np.maximum(runs.start[first:last], start)
        held[first:last, mark] += np.maximum(shared, 0)
    held[:, 0] += np.maximum(runs.end - runs.start - held.sum(axis=1), 0)
    return held


def characters_to_ranges(page: Page, classes: ElementClasses) -> list[CharacterRange]:
    """Classes of elements as ranges of characters."""
    found = ranges_of_runs(page, run_classes(page, classes))
    return [CharacterRange(start, end, ElementClass(mark)) for start, end, mark in found]


def to_classes(page: Page, ranges: Iterable[CharacterRange]) -> ElementClasses:
    """Ranges of characters as classes of elements: each text and tail is what most of its characters are."""
    held = shares_of_runs(page, ((one.start, one.end, one.mark) for one in ranges), len(ElementClass))
    parts, size = text_and_tail(page), len(page.elements)
    both = np.zeros((2, size, len(ElementClass)), np.int64)
    np.add.at(both, (parts.in_tail.astype(np.int64), parts.element), held)
    text, tail = both.argmax(axis=2).astype(np.int8)
    return ElementClasses(text, tail)


#: A block of more words than this is no line of names, dates or links.
LINE_WORDS: Final = 25


@dataclass(frozen=True, eq=False)
class Units(Columns):
    """Units in reading order: runs first[u] … last[u] - 1, all of them of one block."""

    first: Ints
    last: Ints
    block: Ints
    text_start: Ints
    text_end: Ints
    element: Ints  # the block's element, or the child of it that the unit is
    words: Ints
    hidden: Bools

    @property
    def of_run(self) -> Ints:
        """The unit of each run."""
        return np.repeat(np.arange(len(self.first)), self.last - self.first)

    @property
    def chars(self) -> Ints:
        """Length of each unit."""
        return self.text_end - self.text_start

    def text(self, page: Page, unit: int) -> str:
        """What a unit says, on one line."""
        return fold_space(page.text[self.text_start[unit] : self.text_end[unit]])


def units(page: Page) -> Units:
    """The units of a page."""
    runs, blocks = page.runs, page.blocks
    child = np.full(len(runs), -1)  # of the block's element, where the block is taken apart
    several = (blocks.last - blocks.first > 1) & (blocks.words <= LINE_WORDS)
    for block in np.flatnonzero(several).tolist():
        span = slice(int(blocks.first[block]), int(blocks.last[block]))
        child[span] = _children(page, runs.element[span].tolist(), int(blocks.element[block]))
    new = np.ones(len(runs), np.bool_)
    new[1:] = (np.diff(runs.block) != 0) | (np.diff(child) != 0)
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(runs))[: len(first)]
    hidden = np.logical_and.reduceat(runs.hidden, first) if len(first) else np.zeros(0, np.bool_)
    words = np.add.reduceat(runs.words, first) if len(first) else np.zeros(0, np.int64)
    owner = runs.block[first]
    element = np.where(child[first] >= 0, child[first], blocks.element[owner])
    return Units(first, last, owner, runs.text_start[first], runs.text_end[last - 1], element, words, hidden)


def _children(page: Page, owners: list[int], block_element: int) -> list[int]:
    """For each owner the child of the block's element it is in; -1 for all if one is the block's element itself."""
    parent = page.elements.parent
    found = []
    for owner in owners:
        if owner == block_element:
            return [-1] * len(owners)
        inner = owner
        while parent[inner] not in (block_element, -1, 0):
            inner = int(parent[inner])
        found.append(inner)
    return found


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
