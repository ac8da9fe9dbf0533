"""Classes of elements, whether they are shaped like an article, and which pages are worth a person's time.

Four classes for the text and the tail of each element (memory-based thesis 4.1.3).

All letters of a page stand in the text or in the tail of an element. Each of the two is title, heading, body or
garbage, so an element has one of 16 pairs, written as in `b+g`. `tidings.page.text_and_tail` says what they hold.

Structure check: is what was found shaped like an article? (memory-based thesis 6.8, figure 6.9)

Each class was decided by itself; only the whole shows that a page has no title, or two, or headings that follow each
other with nothing between. A small state machine reads the classes of a page in order and says what is wrong and where.
What is wrong is worth a person's look: such pages are asked for first when more are to be labelled.

    >>> from tidings_lab.learners.structure import ElementClass
    >>> from tidings_lab.learners.structure import check
    >>> T, H, B = ElementClass.TITLE, ElementClass.HEADING, ElementClass.BODY
    >>> check([T, B, H, B])
    ()
    >>> [(fault.kind.value, fault.place) for fault in check([B, H, H, B])]
    [('two headings together', 2), ('no title', 4)]

Which pages are most worth a person's time (memory-based thesis 6.8 and 7.1: active learning).

A page that the learner reads well teaches it little. Pages whose answers are not shaped like an article come first
(`learn.structure`), those with most faults before the others; then pages by doubt, over all elements that hold text:
how much of the vote went to other classes than the ones chosen, or how far the nearest neighbour is
(`MemoryModel.doubt`; with a tree: how much of what it asks did not fit).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.extractors.published.memory_based.extractor import CombinedModel, MemoryModel
from tidings.page import Page
from tidings.page.columns import Ints
from tidings.page.text_and_tail import text_and_tail

Classes = NDArray[np.int8]


class ElementClass(IntEnum):
    """What a text or a tail is. Garbage is 0, so that an array of zeros says nothing was marked."""

    GARBAGE = 0
    TITLE = 1
    HEADING = 2
    BODY = 3

    @property
    def letter(self) -> str:
        """As annotation files write it: g, t, h, b."""
        return LETTERS[self]


#: The letter of each class, by number.
LETTERS: Final = "gthb"
#: The 16 pairs, by number: 4 times the class of the text and the class of the tail.
PAIRS: Final = tuple(f"{text}+{tail}" for text in LETTERS for tail in LETTERS)


@dataclass(frozen=True, slots=True, eq=False)
class ElementClasses:
    """For each element of a page the class of its text and that of its tail; garbage where there is none."""

    text: Classes
    tail: Classes

    def __post_init__(self) -> None:
        self.text.setflags(write=False)
        self.tail.setflags(write=False)

    @classmethod
    def none(cls, size: int) -> ElementClasses:
        """Garbage everywhere."""
        return cls(np.zeros(size, np.int8), np.zeros(size, np.int8))

    @classmethod
    def of_pairs(cls, pairs: NDArray[np.integer]) -> ElementClasses:
        """From numbers of `PAIRS`."""
        return cls((pairs // len(LETTERS)).astype(np.int8), (pairs % len(LETTERS)).astype(np.int8))

    @property
    def pairs(self) -> NDArray[np.int64]:
        """For each element the number of its pair in `PAIRS`."""
        return self.text.astype(np.int64) * len(LETTERS) + self.tail

    def __len__(self) -> int:
        return len(self.text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ElementClasses):
            return NotImplemented
        return np.array_equal(self.text, other.text) and np.array_equal(self.tail, other.tail)

    def __hash__(self) -> int:
        return hash((self.text.tobytes(), self.tail.tobytes()))


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


@dataclass(frozen=True, slots=True)
class Worth:
    """What speaks for labelling a page."""

    name: str
    faults: tuple[Ill, ...]
    doubt: float  # 0 to 1


def worth(name: str, page: Page, model: MemoryModel | CombinedModel) -> Worth:
    """Read a page and judge the reading."""
    marks = model.mark(page)
    text, tail = (np.array([LETTERS.index(one) for one in part], np.int8) for part in (marks.text, marks.tail))
    parts = in_order(page, ElementClasses(text, tail))
    holding = np.unique(text_and_tail(page).element)
    doubt = float(np.mean(model.doubt(page)[holding])) if len(holding) else 0.0
    return Worth(name, tuple(fault.kind for fault in check(parts.classes)), doubt)


def ordered(pages: Iterable[Worth]) -> list[Worth]:
    """The most worthwhile first; equals by name."""
    return sorted(pages, key=lambda page: (-len(page.faults), -page.doubt, page.name))
