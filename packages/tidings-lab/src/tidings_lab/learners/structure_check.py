"""A check whether a sequence of classes has the structure of an article (memory-based thesis 6.8, figure 6.9).

Each class is decided separately; only the whole shows that a page has no title, or two, or consecutive headings without
text between them. A small state machine reads the classes of a page in order and reports what is wrong and where. Pages
with such faults are annotated first when more annotations are needed.

    >>> from tidings_lab.learners.element_classes import ElementClass
    >>> from tidings_lab.learners.structure_check import check
    >>> T, H, B = ElementClass.TITLE, ElementClass.HEADING, ElementClass.BODY
    >>> check([T, B, H, B])
    ()
    >>> [(fault.kind.value, fault.place) for fault in check([B, H, H, B])]
    [('two headings together', 2), ('no title', 4)]
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

import numpy as np

from tidings.page import Page
from tidings.page.columns import Ints
from tidings.page.text_and_tail import text_and_tail
from tidings_lab.learners.element_classes import ElementClass, ElementClasses


class FaultKind(Enum):
    """A fault in the structure of an article (E1 to E3 in the thesis)."""

    NO_TITLE = "no title"
    TWO_TITLES = "two titles"
    HEADINGS_TOGETHER = "two headings together"


@dataclass(frozen=True, slots=True)
class Fault:
    """A fault and its position in the sequence; a missing title is reported at the end."""

    kind: FaultKind
    place: int


#: The fault of two consecutive classes, ignoring garbage between them.
_AFTER: Final = {
    (ElementClass.HEADING, ElementClass.HEADING): FaultKind.HEADINGS_TOGETHER,
}


def check(classes: Sequence[ElementClass]) -> tuple[Fault, ...]:
    """Read the classes of an article's parts in order, with or without garbage, and return all faults."""
    faults: list[Fault] = []
    state: ElementClass | None = None
    has_title = False
    for place, current in enumerate(classes):
        if current is ElementClass.GARBAGE:
            continue
        if current is ElementClass.TITLE and has_title:
            faults.append(Fault(FaultKind.TWO_TITLES, place))
        if state is not None and (state, current) in _AFTER:
            faults.append(Fault(_AFTER[state, current], place))
        has_title = has_title or current is ElementClass.TITLE
        state = current
    if not has_title:
        faults.append(Fault(FaultKind.NO_TITLE, len(classes)))
    return tuple(faults)


@dataclass(frozen=True, slots=True, eq=False)
class ClassesInOrder:
    """The classes of a page in reading order, one for each part of a block, and the first run of each part."""

    classes: tuple[ElementClass, ...]
    runs: Ints


def in_order(page: Page, classes: ElementClasses) -> ClassesInOrder:
    """Return the classes of a page's runs of text; consecutive runs of a block with the same class are joined."""
    parts = text_and_tail(page)
    of_run = np.where(parts.in_tail, classes.tail[parts.element], classes.text[parts.element])
    new = np.ones(len(of_run), np.bool_)
    new[1:] = (np.diff(of_run) != 0) | (np.diff(page.runs.block) != 0)
    first = np.flatnonzero(new)
    return ClassesInOrder(tuple(ElementClass(number) for number in of_run[first].tolist()), first)
