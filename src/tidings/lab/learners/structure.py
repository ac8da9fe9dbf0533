"""Structure check: is what was found shaped like an article? (memory-based thesis 6.8, figure 6.9)

Each class was decided by itself; only the whole shows that a page has no title, or two, or headings that follow each
other with nothing between. A small state machine reads the classes of a page in order and says what is wrong and where.
What is wrong is worth a person's look: such pages are asked for first when more are to be labelled.

    >>> from tidings.lab.learners.element_classes import ElementClass
    >>> from tidings.lab.learners.structure import check
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

from tidings.lab.learners.element_classes import ElementClass, ElementClasses
from tidings.page import Page
from tidings.page.columns import Ints
from tidings.page.text_and_tail import text_and_tail


class Ill(Enum):
    """What can be wrong with the shape of an article, by the thesis's numbers E1 to E3."""

    NO_TITLE = "no title"
    TWO_TITLES = "two titles"
    HEADINGS_TOGETHER = "two headings together"


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong, and the place in the sequence where it shows; a missing title shows at the end."""

    kind: Ill
    place: int


#: What is wrong when a class comes after another, with only garbage between.
_AFTER: Final = {
    (ElementClass.HEADING, ElementClass.HEADING): Ill.HEADINGS_TOGETHER,
}


def check(classes: Sequence[ElementClass]) -> tuple[Fault, ...]:
    """Read the classes of an article's parts in order, garbage left out or not, and name every fault."""
    faults: list[Fault] = []
    state: ElementClass | None = None
    titled = False
    for place, found in enumerate(classes):
        if found is ElementClass.GARBAGE:
            continue
        if found is ElementClass.TITLE and titled:
            faults.append(Fault(Ill.TWO_TITLES, place))
        if state is not None and (state, found) in _AFTER:
            faults.append(Fault(_AFTER[state, found], place))
        titled = titled or found is ElementClass.TITLE
        state = found
    if not titled:
        faults.append(Fault(Ill.NO_TITLE, len(classes)))
    return tuple(faults)


@dataclass(frozen=True, slots=True, eq=False)
class ClassesInOrder:
    """The classes of a page in reading order, one for each stretch of a block, and the run each begins with."""

    classes: tuple[ElementClass, ...]
    runs: Ints


def in_order(page: Page, classes: ElementClasses) -> ClassesInOrder:
    """The classes of a page's runs, those that follow each other in a block with the same class as one."""
    found = text_and_tail(page)
    of_run = np.where(found.in_tail, classes.tail[found.element], classes.text[found.element])
    new = np.ones(len(of_run), np.bool_)
    new[1:] = (np.diff(of_run) != 0) | (np.diff(page.runs.block) != 0)
    first = np.flatnonzero(new)
    return ClassesInOrder(tuple(ElementClass(one) for one in of_run[first].tolist()), first)
