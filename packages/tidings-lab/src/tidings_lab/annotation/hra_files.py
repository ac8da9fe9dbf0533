"""Human annotation files, `.hra`: every text and tail of a page with its class (memory-based thesis 4.1.3, figure 4.3).

    Female militants

    #287 <b> text h

    --------------------------------------------------------------------------------

A record consists of the text, the number of its element in document order, its tag, whether it is the element's text or
its tail (the text that follows the element), and a letter: t(itle), h(eading), b(ody) or g(arbage). Empty texts have no
record. Annotators can change the letters by hand; `tidings lab annotate` writes the same format.

Element numbers are those of `Page.elements`. Other parsers count differently (the thesis also counts comments), so if a
number does not fit, the record is located by its text.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.page import Page
from tidings.page.text_and_tail import text_and_tail
from tidings.text import fold_space
from tidings_lab.learners.element_classes import LETTERS, ElementClass, ElementClasses

_RULE: Final = "-" * 80
_HEAD: Final = re.compile(r"#(\d{1,9})\s+<([^\s>]*)>\s+(text|tail)\s+([gthb])\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Record:
    """An entry of an annotation file: the text or tail of an element, with its class."""

    element: int
    tag: str
    in_tail: bool
    mark: ElementClass
    text: str

    @property
    def key(self) -> tuple[str, bool, str]:
        """Return the tag and text by which a record is located if its element number does not fit the page."""
        return self.tag, self.in_tail, self.text


@dataclass(frozen=True, slots=True)
class PlacedRecords:
    """The records of an annotation file, aligned with the elements of its page; `lost` are those that are not on the
    page.
    """

    classes: ElementClasses
    lost: tuple[Record, ...]


def records(page: Page, classes: ElementClasses) -> Iterator[Record]:
    """Yield every text and tail of the page in reading order with its class."""
    parts, runs = text_and_tail(page), page.runs
    new = np.ones(len(runs), np.bool_)
    new[1:] = (np.diff(parts.element) != 0) | (np.diff(parts.in_tail) != 0)
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(runs)) - 1
    for begin, end in zip(first.tolist(), last[: len(first)].tolist(), strict=True):
        element, in_tail = int(parts.element[begin]), bool(parts.in_tail[begin])
        mark = (classes.tail if in_tail else classes.text)[element]
        text = fold_space(page.text[runs.text_start[begin] : runs.text_end[end]])
        yield Record(element, page.tag_names[page.elements.tag[element]], in_tail, ElementClass(mark), text)


def write(items: Iterable[Record]) -> str:
    """Return annotation records as the text of a file."""
    return f"\n{_RULE}\n\n".join(
        # A text that looks like the separator between records is indented by a space.
        f"{' ' if record.text == _RULE else ''}{record.text}\n\n"
        f"#{record.element} <{record.tag}> {'tail' if record.in_tail else 'text'} {record.mark.letter}\n"
        for record in items
    )


def parse(content: str) -> tuple[list[Record], list[str]]:
    """Parse the records of an annotation file; return them with an error message for each invalid part."""
    result: list[Record] = []
    errors: list[str] = []
    piece: list[str] = []
    # Not `splitlines`, which splits at further characters that a text may contain.
    lines = [line.removesuffix("\r") for line in content.split("\n")]
    for number, line in enumerate([*lines, _RULE], 1):
        if line != _RULE:
            piece.append(line)
            continue
        while piece and not piece[-1].strip():
            piece.pop()
        if piece and (head := _HEAD.fullmatch(piece[-1].strip())):
            mark = ElementClass(LETTERS.index(head[4]))
            result.append(Record(int(head[1]), head[2], head[3] == "tail", mark, fold_space("\n".join(piece[:-1]))))
        elif piece:
            errors.append(f"before line {number}: no record ends with {piece[-1].strip()[:60]!r}")
        piece = []
    return result, errors


def place(items: Iterable[Record], page: Page) -> PlacedRecords:
    """Align annotation records with a page: by element number if tag and text agree, else by tag and text in order."""
    free: defaultdict[tuple[str, bool, str], deque[int]] = defaultdict(deque)
    on_page: dict[tuple[int, bool], Record] = {}
    for record in records(page, ElementClasses.none(len(page.elements))):
        on_page[record.element, record.in_tail] = record
        free[record.key].append(record.element)
    items = list(items)
    marks = {False: np.zeros(len(page.elements), np.int8), True: np.zeros(len(page.elements), np.int8)}
    used: set[tuple[int, bool]] = set()
    unplaced = []
    for record in items:
        candidate = on_page.get((record.element, record.in_tail))
        if candidate is not None and candidate.key == record.key:
            marks[record.in_tail][record.element] = record.mark
            used.add((record.element, record.in_tail))
        else:
            unplaced.append(record)
    lost = []
    for record in unplaced:
        places = free.get(record.key, deque())
        while places and (places[0], record.in_tail) in used:
            places.popleft()
        if places:
            marks[record.in_tail][places.popleft()] = record.mark
        else:
            lost.append(record)
    return PlacedRecords(ElementClasses(marks[False], marks[True]), tuple(lost))
