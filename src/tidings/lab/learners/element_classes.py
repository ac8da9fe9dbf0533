"""Four classes for the text and the tail of each element (memory-based thesis 4.1.3).

All letters of a page stand in the text or in the tail of an element. Each of the two is title, heading, body or
garbage, so an element has one of 16 pairs, written as in `b+g`. `tidings.page.text_and_tail` says what they hold.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

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
