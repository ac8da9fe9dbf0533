"""Columns of a page: one array per property, one row per run, element or block."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Number = TypeVar("Number", bound=np.generic)


if TYPE_CHECKING:
    kept = cached_property
else:

    class kept(cached_property):  # noqa: N801  # as the one it stands for
        """A `cached_property` without the lock that it has before Python 3.12, which takes longer than most columns."""

        def __get__(self, instance: Any, owner: type[Any] | None = None) -> Any:
            """Return the value, computing and storing it on the first access."""
            if instance is None:
                return self
            value = instance.__dict__[self.attrname] = self.func(instance)
            return value


class Columns:
    """Base class of tables of a page: NumPy arrays of equal length, one per column, which are made read-only."""

    def __post_init__(self) -> None:
        for column in self.__dict__.values():
            if isinstance(column, np.ndarray):
                column.setflags(write=False)

    @classmethod
    def over(cls, **columns: object) -> Self:
        """Create columns from read-only memory of the compiled core."""
        columns_object = object.__new__(cls)
        columns_object.__dict__.update(columns)
        return columns_object

    def __len__(self) -> int:
        return len(next(iter(self.__dict__.values())))


@dataclass(frozen=True, eq=False)
class Elements(Columns):
    """Elements in document order; element 0 is the document. Element e contains the runs first[e] … last[e] - 1."""

    tag: Ints  # a number of `tidings.page.tags`, or of the page's own `tag_names`
    parent: Ints  # -1 for the document
    depth: Ints
    start: Ints  # range in the source, tags included
    end: Ints
    first: Ints
    last: Ints


@dataclass(frozen=True, eq=False)
class Runs(Columns):
    """Pieces of text without tags inside, in reading order. Run r is `text[text_start[r]:text_end[r]]`."""

    start: Ints  # range in the source
    end: Ints
    text_start: Ints
    text_end: Ints
    block: Ints
    words: Ints  # number of words that begin in it
    element: Ints  # the innermost element
    in_link: Bools
    hidden: Bools

    @kept
    def chars(self) -> Ints:
        """Return the length of each run."""
        chars = self.text_end - self.text_start
        chars.setflags(write=False)
        return chars


@dataclass(frozen=True, eq=False)
class Blocks(Columns):
    """Blocks as readers see them, such as a paragraph, heading or menu item: runs first[b] … last[b] - 1."""

    first: Ints
    last: Ints
    text_start: Ints
    text_end: Ints
    element: Ints  # the innermost block-level element
    words: Ints
    link_words: Ints
    hidden: Bools  # all of its runs are hidden

    @property
    def chars(self) -> Ints:
        """Return the length of each block."""
        return self.text_end - self.text_start

    @property
    def seen(self) -> Ints:
        """Return the indices of visible blocks with words."""
        return (~self.hidden & (self.words > 0)).nonzero()[0]


def any_set(flags: Bools) -> bool:
    """Return whether any flag is set. For short arrays this takes a tenth of the time of `any`."""
    return b"\1" in flags.tobytes()


def sums(values: NDArray[np.generic]) -> Ints:
    """Return prefix sums with a leading zero, so that the sum over i … j-1 is `sums[j] - sums[i]`."""
    out = np.zeros(len(values) + 1, np.int64)
    values.cumsum(out=out[1:])
    return out


def distinct(values: NDArray[Number]) -> NDArray[Number]:
    """Return each value once, in order. `np.unique` does the same, but imports NumPy's masked arrays."""
    ordered = np.sort(values)
    if len(ordered) < 2:
        return ordered
    new = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=new[1:])
    unique: NDArray[Number] = ordered[new]
    return unique


def ranges(low: Ints, high: Ints) -> Ints:
    """Return the numbers low[0] … high[0] - 1, low[1] … high[1] - 1 and so on."""
    size = high - low
    return np.asarray(np.arange(int(size.sum())) + np.repeat(low - (np.cumsum(size) - size), size))
