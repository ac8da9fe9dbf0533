"""Classes of texts and tails of elements: title, heading, body or garbage (memory-based thesis 4.1.3).

All letters of a page are in the text or in the tail of an element (`tidings.page.text_and_tail`; a tail is the text
that directly follows an element). Each of the two has one of four classes, so an element has one of 16 pairs, written
like `b+g`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

Classes = NDArray[np.int8]


class ElementClass(IntEnum):
    """The class of a text or a tail. Garbage is 0, so that an array of zeros has no marks."""

    GARBAGE = 0
    TITLE = 1
    HEADING = 2
    BODY = 3

    @property
    def letter(self) -> str:
        """Return the letter of the class in annotation files: g, t, h, b."""
        return LETTERS[self]


#: The letter of each class, by number.
LETTERS: Final = "gthb"
#: The 16 pairs, by number: 4 times the class of the text plus the class of the tail.
PAIRS: Final = tuple(f"{text}+{tail}" for text in LETTERS for tail in LETTERS)


@dataclass(frozen=True, slots=True, eq=False)
class ElementClasses:
    """The classes of the text and of the tail of each element of a page; garbage if there is none."""

    text: Classes
    tail: Classes

    def __post_init__(self) -> None:
        self.text.setflags(write=False)
        self.tail.setflags(write=False)

    @classmethod
    def none(cls, size: int) -> ElementClasses:
        """Create with all texts and tails in the class garbage.

        `size` is the number of elements.
        """
        return cls(np.zeros(size, np.int8), np.zeros(size, np.int8))

    @classmethod
    def of_pairs(cls, pairs: NDArray[np.integer]) -> ElementClasses:
        """Create from the class pair of each element, given by its index in `PAIRS`."""
        return cls((pairs // len(LETTERS)).astype(np.int8), (pairs % len(LETTERS)).astype(np.int8))

    @property
    def pairs(self) -> NDArray[np.int64]:
        """Return the index in `PAIRS` of each element's pair of classes (text and tail)."""
        return self.text.astype(np.int64) * len(LETTERS) + self.tail

    def __len__(self) -> int:
        return len(self.text)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ElementClasses):
            return NotImplemented
        return np.array_equal(self.text, other.text) and np.array_equal(self.tail, other.tail)

    def __hash__(self) -> int:
        return hash((self.text.tobytes(), self.tail.tobytes()))
