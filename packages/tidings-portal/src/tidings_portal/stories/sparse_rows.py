"""Sparse rows that grow, and their postings: the storage of the incremental indexes.

A row is a sorted list of term numbers with values. Terms are numbered in order of appearance. `Postings` is the
transpose: for each term the rows that have it.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from tidings_portal.stories.packing import Column, of_words, to_words

Ints = NDArray[np.int32]
Floats = NDArray[np.float32]
Scalar = TypeVar("Scalar", bound=np.generic)


class Growing(Generic[Scalar]):
    """A growable array."""

    __slots__ = ("_room", "size")

    def __init__(self, values: NDArray[Scalar]) -> None:
        self._room = values
        self.size = len(values)

    def extend(self, values: NDArray[Scalar]) -> None:
        """Append values."""
        size = self.size + len(values)
        if size > len(self._room):
            room = np.empty(max(size, 2 * len(self._room), 64), self._room.dtype)
            room[: self.size] = self._room[: self.size]
            self._room = room
        self._room[self.size : size] = values
        self.size = size

    def append(self, value: Any) -> None:
        """Append a value."""
        self.extend(np.array([value], self._room.dtype))

    def pop(self) -> None:
        """Remove the last value."""
        self.size -= 1

    @property
    def all(self) -> NDArray[Scalar]:
        """Return all values as a view, valid until the next append."""
        return self._room[: self.size]


class SparseRows:
    """Sparse rows over terms numbered in order of appearance."""

    __slots__ = ("_starts", "_terms", "_values", "numbers")

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self._starts = Growing(np.zeros(1, np.int64))
        self._terms = Growing(np.empty(0, np.int32))
        self._values = Growing(np.empty(0, np.float32))

    def __len__(self) -> int:
        return self._starts.size - 1

    def add(self, values: Mapping[str, float]) -> tuple[Ints, Floats]:
        """Append a row; return its term numbers and values."""
        numbers = self.numbers
        pairs = sorted((numbers.setdefault(term, len(numbers)), value) for term, value in values.items())
        terms = np.array([number for number, _ in pairs], np.int32)
        row = np.array([value for _, value in pairs], np.float32)
        self._terms.extend(terms)
        self._values.extend(row)
        self._starts.append(self._terms.size)
        return terms, row

    def row(self, number: int) -> tuple[Ints, Floats]:
        """Return the terms and values of a row as views, valid until the next row is added."""
        span = slice(int(self._starts.all[number]), int(self._starts.all[number + 1]))
        return self._terms.all[span], self._values.all[span]

    @property
    def starts(self) -> NDArray[np.int64]:
        """Return the start of each row, and the end of the last one."""
        return self._starts.all

    @property
    def terms(self) -> Ints:
        """Return the terms of all rows."""
        return self._terms.all

    @property
    def values(self) -> Floats:
        """Return the values of all rows."""
        return self._values.all

    def columns(self) -> dict[str, Column]:
        """Return the rows as columns (`stories.packing` serialises them)."""
        return {
            "vocabulary": of_words(self.numbers),
            "starts": self.starts,
            "terms": self.terms,
            "values": self.values,
        }

    @classmethod
    def of(cls, columns: Mapping[str, Column]) -> SparseRows:
        """Restore the rows from their columns."""
        rows = cls()
        rows.numbers = {term: number for number, term in enumerate(to_words(columns["vocabulary"]))}
        rows._starts = Growing(columns["starts"].astype(np.int64))
        rows._terms = Growing(columns["terms"].astype(np.int32))
        rows._values = Growing(columns["values"].astype(np.float32))
        return rows

    def select(self, selected: NDArray[np.int64]) -> SparseRows:
        """Return the rows with these numbers in this order, with only their terms."""
        names = list(self.numbers)
        fewer = SparseRows()
        for number in selected.tolist():
            terms, values = self.row(number)
            new = np.array(
                [fewer.numbers.setdefault(names[term], len(fewer.numbers)) for term in terms.tolist()], np.int32
            )
            order = np.argsort(new, kind="stable")
            fewer._terms.extend(new[order])
            fewer._values.extend(values[order])
            fewer._starts.append(fewer._terms.size)
        return fewer


class Postings:
    """An inverted index: for each term the rows that have it, in order, with their values."""

    __slots__ = ("_rows", "_values")

    def __init__(self) -> None:
        self._rows: list[array[int]] = []
        self._values: list[array[float]] = []

    @classmethod
    def of(cls, rows: SparseRows, values: Floats) -> Postings:
        """Return the postings of rows, with `values` parallel to the terms of all rows."""
        postings = cls()
        terms = rows.terms
        order = np.argsort(terms, kind="stable")
        owners = np.repeat(np.arange(len(rows), dtype=np.int32), np.diff(rows.starts))[order]
        sorted_values = values[order]
        edges = np.searchsorted(terms[order], np.arange(len(rows.numbers) + 1)).tolist()
        for start, end in pairwise(edges):
            postings._rows.append(array("i", owners[start:end].tobytes()))
            postings._values.append(array("f", sorted_values[start:end].tobytes()))
        return postings

    def add(self, row: int, terms: Ints, values: Floats) -> None:
        """Add the terms and values of a row."""
        numbers = terms.tolist()
        while numbers and len(self._rows) <= numbers[-1]:
            self._rows.append(array("i"))
            self._values.append(array("f"))
        for term, value in zip(numbers, values.tolist(), strict=True):
            self._rows[term].append(row)
            self._values[term].append(value)

    def count(self, term: int) -> int:
        """Return the number of rows that have a term."""
        return len(self._rows[term]) if term < len(self._rows) else 0

    def summed(self, terms: Sequence[int], factors: NDArray[np.float64], size: int) -> NDArray[np.float64]:
        """Return for each of `size` rows the sum of its values for some terms, each times a factor of the term."""
        present = [(term, factor) for term, factor in zip(terms, factors.tolist(), strict=True) if self.count(term)]
        if not present:
            return np.zeros(size)
        rows = np.concatenate([np.frombuffer(self._rows[term], np.int32) for term, _ in present])
        values = np.concatenate([np.frombuffer(self._values[term], np.float32) for term, _ in present])
        counts = [len(self._rows[term]) for term, _ in present]
        products = values * np.repeat([factor for _, factor in present], counts)
        return np.asarray(np.bincount(rows, products, minlength=size), np.float64)
