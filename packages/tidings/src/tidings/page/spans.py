"""Selected ranges of a page's text: the result of every extractor.

Content extraction is a function from a document to ordered, non-overlapping ranges (DANA thesis 2.3.1, eq. 2.11).
`Spans` is a sorted set of disjoint half-open ranges over a text of a known size, and so a Boolean algebra.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

if TYPE_CHECKING:
    from tidings.page.page import Page

Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

#: Number of Spans for which a page caches the runs that they touch, and the key of the cache.
_KNOWN, _TOUCHED = 4, "runs of spans"
#: Up to this many ranges, a Python loop is faster than NumPy.
_FEW = 16
_NONE = np.empty(0, np.int64)
_NONE.setflags(write=False)


@dataclass(frozen=True, slots=True, eq=False)
class Spans:
    """Disjoint, sorted, non-empty ranges `starts[i] <= position < ends[i]` of a text of `size` characters.

    Adjacent ranges are merged, so equal sets of characters are equal Spans. Create them with the class methods;
    `&`, `|`, `-`, `^` and `~` combine them.
    """

    starts: Ints
    ends: Ints
    size: int

    # -- making ---------------------------------------------------------------------------------------------

    @classmethod
    def of(cls, ranges: Iterable[tuple[int, int]], size: int) -> Spans:
        """Create Spans from (start, end) pairs in any order, overlapping or not."""
        pairs_given = list(ranges)
        if len(pairs_given) > _FEW:
            pairs = np.array(pairs_given, np.int64)
            return cls.union(pairs[:, 0], pairs[:, 1], size)
        starts: list[int] = []
        ends: list[int] = []
        for start, end in sorted((max(int(start), 0), min(int(end), size)) for start, end in pairs_given):
            if start >= end:
                continue
            if ends and start <= ends[-1]:
                ends[-1] = max(ends[-1], end)
            else:
                starts.append(start)
                ends.append(end)
        return cls._frozen(np.array(starts, np.int64), np.array(ends, np.int64), size)

    @classmethod
    def union(cls, starts: ArrayLike, ends: ArrayLike, size: int) -> Spans:
        """Create Spans from arrays of starts and ends in any order. Empty ranges and ranges outside the text are
        dropped.
        """
        begin = np.maximum(np.asarray(starts, np.int64), 0)
        end = np.minimum(np.asarray(ends, np.int64), size)
        some = begin < end
        begin, end = begin[some], end[some]
        if not len(begin):
            return cls.none(size)
        if (begin[1:] < begin[:-1]).any():
            order = np.argsort(begin, kind="stable")
            begin, end = begin[order], end[order]
        reach = np.maximum.accumulate(end)
        new = np.empty(len(begin), np.bool_)
        new[0] = True
        np.greater(begin[1:], reach[:-1], out=new[1:])
        last = np.ones(len(begin), np.bool_)
        last[:-1] = new[1:]
        return cls._frozen(begin[new], reach[last], size)

    @classmethod
    def none(cls, size: int) -> Spans:
        """Return the empty selection of a text."""
        return cls(_NONE, _NONE, size)

    @classmethod
    def all(cls, size: int) -> Spans:
        """Return the selection of a whole text."""
        return cls._frozen(np.zeros(1, np.int64), np.array([size], np.int64), size) if size > 0 else cls.none(size)

    @classmethod
    def of_mask(cls, mask: Bools, first: int = 0, size: int | None = None) -> Spans:
        """Create Spans from a mask of characters, which may begin at position `first` of the text."""
        padded = np.zeros(len(mask) + 2, np.bool_)
        padded[1:-1] = mask
        edges = np.flatnonzero(padded[1:] != padded[:-1]) + first
        return cls.of_edges(edges, len(mask) if size is None else size)

    @classmethod
    def of_edges(cls, edges: Ints, size: int) -> Spans:
        """Create Spans from ordered starts and ends in turn of ranges that do not touch."""
        return cls._frozen(edges[0::2], edges[1::2], size)

    @classmethod
    def of_runs(cls, page: Page, chosen: ArrayLike) -> Spans:
        """Select runs by a mask or by indices, including the white space between adjacent ones."""
        return page.limited(cls._of_items(page.runs.text_start, page.runs.text_end, chosen, len(page.text)))

    @classmethod
    def of_blocks(cls, page: Page, chosen: ArrayLike) -> Spans:
        """Select blocks by a mask or by indices."""
        return page.limited(cls._of_items(page.blocks.text_start, page.blocks.text_end, chosen, len(page.text)))

    @classmethod
    def of_elements(cls, page: Page, chosen: ArrayLike) -> Spans:
        """Select the content of elements by a mask or by indices."""
        which = _indices(chosen)
        first, last = page.elements.first[which], page.elements.last[which]
        some = first < last
        first, last = first[some], last[some]
        return page.limited(cls.union(page.runs.text_start[first], page.runs.text_end[last - 1], len(page.text)))

    @classmethod
    def of_source(cls, page: Page, ranges: Iterable[tuple[int, int]]) -> Spans:
        """Select the text in ranges of the source."""
        pairs = np.array(list(ranges), np.int64).reshape(-1, 2)
        origin = page.source_of_text
        starts, ends = np.searchsorted(origin, pairs[:, 0]), np.searchsorted(origin, pairs[:, 1])
        return page.limited(cls.union(starts, ends, len(page.text)))

    @classmethod
    def _of_items(cls, starts: Ints, ends: Ints, chosen: ArrayLike, size: int) -> Spans:
        """Select items, merging adjacent ones with the white space between them."""
        which = _indices(chosen)
        if not len(which):
            return cls.none(size)
        if len(which) <= _FEW and (merged := _merged(starts, ends, which.tolist(), size)) is not None:
            return cls._frozen(np.array(merged[0], np.int64), np.array(merged[1], np.int64), size)
        steps = which[1:] - which[:-1]
        if (steps < 1).any():
            which = _ordered(which)
            steps = which[1:] - which[:-1]
        gaps = (steps > 1).nonzero()[0]
        begin = starts[which[np.concatenate(([0], gaps + 1))]]
        end = ends[which[np.concatenate((gaps, [-1]))]]
        # Items are in order, so no sorting or merging is needed, except for empty ones.
        if begin[0] >= 0 and end[-1] <= size and (begin < end).all() and (end[:-1] < begin[1:]).all():
            return cls._frozen(begin, end, size)
        return cls.union(begin, end, size)

    @classmethod
    def _frozen(cls, starts: Ints, ends: Ints, size: int) -> Spans:
        starts.setflags(write=False)
        ends.setflags(write=False)
        return cls(starts, ends, size)

    # -- the algebra ----------------------------------------------------------------------------------------

    def __and__(self, other: Spans) -> Spans:
        if self.size == other.size and other.is_all:  # the scope of nearly every page
            return self
        return self._combine(other, np.logical_and)

    def __or__(self, other: Spans) -> Spans:
        if self.size == other.size and not other:
            return self
        return self._combine(other, np.logical_or)

    def __xor__(self, other: Spans) -> Spans:
        return self._combine(other, np.logical_xor)

    def __sub__(self, other: Spans) -> Spans:
        if self.size == other.size and not other:
            return self
        return self._combine(other, np.greater)

    def __invert__(self) -> Spans:
        edges = np.concatenate(([0], np.stack([self.starts, self.ends], 1).ravel(), [self.size])).astype(np.int64)
        some = edges[0::2] < edges[1::2]
        return self._frozen(edges[0::2][some], edges[1::2][some], self.size)

    def _combine(self, other: Spans, rule: np.ufunc) -> Spans:
        if self.size != other.size:
            raise ValueError(f"these spans are of different texts: {self.size} and {other.size} characters")
        points = _ordered(np.concatenate((self.starts, self.ends, other.starts, other.ends)))
        inside = np.zeros(len(points) + 1, np.bool_)
        rule(self.covers(points), other.covers(points), out=inside[1:])
        edges = np.flatnonzero(inside[1:] != inside[:-1])
        return self._frozen(points[edges[0::2]], points[edges[1::2]], self.size)

    def covers(self, positions: ArrayLike) -> Bools:
        """Return whether each position is in the set."""
        begun = self.starts.searchsorted(positions, side="right")
        over = self.ends.searchsorted(positions, side="right")
        return np.asarray(begun > over)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Spans):
            return NotImplemented
        same = self.size == other.size and np.array_equal(self.starts, other.starts)
        return same and np.array_equal(self.ends, other.ends)

    def __hash__(self) -> int:
        return hash((self.size, self.starts.tobytes(), self.ends.tobytes()))

    def __le__(self, other: Spans) -> bool:
        return not self - other

    def __reduce__(self) -> tuple[Any, ...]:
        return Spans._frozen, (self.starts, self.ends, self.size)

    def __bool__(self) -> bool:
        return len(self.starts) > 0

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return iter(zip(self.starts.tolist(), self.ends.tolist(), strict=True))

    def __len__(self) -> int:
        """Return the number of ranges."""
        return len(self.starts)

    def __contains__(self, position: int) -> bool:
        return bool(self.covers([position])[0])

    @property
    def is_all(self) -> bool:
        """Return whether this is the whole text."""
        return len(self.starts) == 1 and bool(self.starts[0] == 0 and self.ends[0] == self.size)

    @property
    def characters(self) -> int:
        """Return the number of selected characters."""
        return int((self.ends - self.starts).sum())

    def __repr__(self) -> str:
        listed = ", ".join(f"{start}:{end}" for start, end in list(self)[:4]) + (", …" if len(self) > 4 else "")
        return f"Spans({listed} of {self.size})"

    # -- reading --------------------------------------------------------------------------------------------

    def text(self, page: Page) -> str:
        """Return the selected text, with a space for each gap inside a line, and a line break between blocks."""
        parts: list[str] = []
        done = 0
        for start, end in self:
            piece = page.text[start:end].strip()
            if piece:
                if parts:
                    parts.append("\n" if "\n" in page.text[done : start + 1] else " ")
                parts.append(piece)
            done = max(end - 1, 0)
        return "".join(parts)

    def words(self, page: Page) -> list[str]:
        """Return the selected text, split at white space."""
        return self.text(page).split()

    def mask(self) -> Bools:
        """Return a flag for every character of the text."""
        return self.mask_of(0, self.size)

    def mask_of(self, first: int, last: int) -> Bools:
        """Return a flag for every character from `first` to `last`, a range that must contain all selected
        characters.
        """
        steps = np.zeros(last - first + 1, np.int8)
        steps[self.starts - first] = 1
        steps[self.ends - first] = -1  # ranges never touch, so no position is both
        return np.cumsum(steps[:-1], dtype=np.int8).view(np.bool_)

    def runs(self, page: Page) -> Bools:
        """Return which runs contain selected characters."""
        cache: list[tuple[Spans, Bools]] = page.memo.setdefault(_TOUCHED, [])  # few Spans are used again and again
        for spans, touched in cache:
            if spans is self:
                return touched.copy()
        touched = self.touches(page.runs.text_start, page.runs.text_end)
        cache.append((self, touched))
        del cache[:-_KNOWN]
        return touched.copy()

    def blocks(self, page: Page) -> Bools:
        """Return which blocks contain selected characters."""
        return self.touches(page.blocks.text_start, page.blocks.text_end)

    def touches(self, starts: Ints, ends: Ints) -> Bools:
        """Return which of some sorted, disjoint ranges contain selected characters."""
        first_ending_after = self.ends.searchsorted(starts, side="right")
        first_starting_behind = self.starts.searchsorted(ends, side="left")
        return np.asarray(first_starting_behind > first_ending_after)

    def pieces(self, starts: Ints, ends: Ints) -> tuple[Ints, Ints, Ints]:
        """Return the selected pieces of some sorted, disjoint ranges: starts, ends and the index of the range."""
        cuts = np.concatenate((self.starts, starts[self.covers(starts)]))
        begin = _ordered(cuts)
        owner = np.searchsorted(starts, begin, side="right") - 1
        reach = self.ends[np.searchsorted(self.starts, begin, side="right") - 1]
        finish = np.minimum(ends[owner], reach) if len(ends) else reach
        some = (owner >= 0) & (begin < finish)
        return begin[some], finish[some], owner[some]

    def source_ranges(self, page: Page) -> list[tuple[int, int]]:
        """Return the source ranges of the selected text, one for each piece of a run."""
        begin, end = page.source_of_pieces(*self.pieces(page.runs.text_start, page.runs.text_end))
        return list(zip(begin.tolist(), end.tolist(), strict=True))


def _ordered(values: Ints) -> Ints:
    """Sort and deduplicate. NumPy's `unique` hashes first, which is slower for nearly sorted arrays."""
    values = np.sort(values, kind="stable")
    new = np.ones(len(values), np.bool_)
    np.not_equal(values[1:], values[:-1], out=new[1:])
    return np.asarray(values[new])


def _indices(chosen: ArrayLike) -> Ints:
    array = np.asarray(chosen)
    if array.dtype == np.bool_:
        return array.nonzero()[0] if array.ndim == 1 else np.flatnonzero(array)
    return array.astype(np.int64).ravel()


def _merged(starts: Ints, ends: Ints, which: list[int], size: int) -> tuple[list[int], list[int]] | None:
    """Return starts and ends of items with adjacent ones merged; None if they are unsorted, empty or outside."""
    begin, end = [starts.item(which[0])], []
    for item, next_item in pairwise(which):
        if next_item != item + 1:
            if next_item <= item:
                return None
            end.append(ends.item(item))
            begin.append(starts.item(next_item))
    end.append(ends.item(which[-1]))
    if begin[0] < 0 or end[-1] > size:
        return None
    previous_end = -1
    for start, finish in zip(begin, end, strict=True):
        if not previous_end < start < finish:
            return None
        previous_end = finish
    return begin, end
