"""Texts as vectors of term weights (the vector space model; DANA thesis 2.2.2.2, N-EXT thesis 4.1.4).

Many texts are counted in one pass into one sparse matrix: row *i* has its terms in
`columns[starts[i]:starts[i + 1]]` and their weights beside them. Weighting schemes turn one `Vectors` into
another; a query against all rows is one multiplication and one sum (`dot`).

A query belongs into the same vocabulary as the texts, because its terms that no text holds still count in
its length: `query, rows = count_against(title_terms, block_terms)`.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

FloatArray = NDArray[np.float64]
IntArray = NDArray[np.int64]


@dataclass(frozen=True, eq=False, slots=True)
class Vectors:
    """Term weights of many texts over one vocabulary, as compressed rows."""

    vocabulary: Mapping[str, int]
    """Term → column, in order of first appearance."""
    starts: IntArray
    """Where each row begins in `columns` and `weights`, and where the last one ends."""
    columns: IntArray
    weights: FloatArray

    def __len__(self) -> int:
        return len(self.starts) - 1

    def rows(self, first: int, last: int) -> "Vectors":
        """Return the rows from `first` up to, not including, `last`, over the same vocabulary."""
        starts = self.starts[first : last + 1]
        held = slice(int(starts[0]), int(starts[-1]))
        return Vectors(self.vocabulary, starts - starts[0], self.columns[held], self.weights[held])

    def row(self, index: int) -> dict[str, float]:
        """One row as term → weight, for looking at."""
        held = slice(int(self.starts[index]), int(self.starts[index + 1]))
        terms = list(self.vocabulary)
        pairs = zip(self.columns[held].tolist(), self.weights[held].tolist(), strict=True)
        return {terms[column]: weight for column, weight in pairs}

    def owners(self) -> IntArray:
        """Return the row of each stored weight."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.starts))

    def sums(self, values: FloatArray) -> FloatArray:
        """Return values given one for each stored weight, summed by row."""
        return np.asarray(np.bincount(self.owners(), weights=values, minlength=len(self)), dtype=np.float64)

    def total(self) -> FloatArray:
        """Return the sum of all rows, one value for each column; of a single row, that row written out."""
        summed = np.bincount(self.columns, weights=self.weights, minlength=len(self.vocabulary))
        return np.asarray(summed, dtype=np.float64)

    def dot(self, other: FloatArray) -> FloatArray:
        """Return the scalar product of every row with one written-out vector."""
        return self.sums(self.weights * other[self.columns])

    def squares(self) -> FloatArray:
        """Return the squared length of every row."""
        return self.sums(self.weights * self.weights)


def count_terms(texts: Iterable[Iterable[str]], dictionary: Collection[str] | None = None) -> Vectors:
    """Return how often each term occurs in each text.

    With a dictionary only its terms are counted (TrendFinder, DANA thesis 6.6.3.2 and figure 6.1).
    """
    vocabulary: dict[str, int] = {}
    for term in dictionary or ():
        vocabulary.setdefault(term, len(vocabulary))
    starts, columns, weights = [0], list[int](), list[int]()
    for terms in texts:
        for term, count in Counter(terms).items():
            if dictionary is None:
                columns.append(vocabulary.setdefault(term, len(vocabulary)))
            elif term in vocabulary:
                columns.append(vocabulary[term])
            else:
                continue
            weights.append(count)
        starts.append(len(columns))
    return Vectors(
        vocabulary,
        np.array(starts, dtype=np.int64),
        np.array(columns, dtype=np.int64),
        np.array(weights, dtype=np.float64),
    )


def count_against(query: Iterable[str], texts: Iterable[Iterable[str]]) -> tuple[Vectors, Vectors]:
    """Return the counts of a query (one row) and of the texts it is put to, over one vocabulary."""
    counted = count_terms(_chained(query, texts))
    return counted.rows(0, 1), counted.rows(1, len(counted))


def _chained(query: Iterable[str], texts: Iterable[Iterable[str]]) -> Iterable[Iterable[str]]:
    yield query
    yield from texts


def relative_frequencies(counts: Vectors) -> Vectors:
    """Return counts over the number of terms of the text: n_a / n_B (N-EXT thesis 4.1.4)."""
    return _divided(counts, counts.sums(counts.weights))


def maximum_frequencies(counts: Vectors) -> Vectors:
    """Return counts over the count of the text's most frequent term (DANA thesis eq. 2.7)."""
    most = np.zeros(len(counts))
    np.maximum.at(most, counts.owners(), counts.weights)
    return _divided(counts, most)


def inverse_document_frequencies(counts: Vectors) -> FloatArray:
    """log(N / df) of each term (DANA thesis eq. 2.8).

    The thesis names no base; this is the natural logarithm. Cosines and the order of OSM do not depend on it,
    the share of OSM in the aggregate (eq. 5.3) does. A term that no text holds gets 0, as it lies outside the
    thesis's vocabulary.
    """
    held_by = np.bincount(counts.columns, minlength=len(counts.vocabulary))
    present = held_by > 0
    inverse = np.zeros(len(held_by))
    inverse[present] = np.log(len(counts) / held_by[present])
    return inverse


def tf_idf(counts: Vectors, inverse: FloatArray | None = None) -> Vectors:
    """Return weights tf × idf (DANA thesis eq. 2.9, tf by 2.7); a query takes the `inverse` of the texts it meets."""
    if inverse is None:
        inverse = inverse_document_frequencies(counts)
    frequencies = maximum_frequencies(counts)
    return replace(frequencies, weights=frequencies.weights * inverse[frequencies.columns])


def salton_weights(query: Vectors, inverse: FloatArray) -> Vectors:
    """Return Salton's weights for the terms of a query: (0.5 + 0.5 tf) × idf (DANA thesis eq. 2.10)."""
    frequencies = maximum_frequencies(query)
    return replace(query, weights=(0.5 + 0.5 * frequencies.weights) * inverse[query.columns])


def quotients(numerators: FloatArray, denominators: FloatArray) -> FloatArray:
    """Return element by element, with 0 where the denominator is 0."""
    found = np.zeros(len(numerators))
    np.divide(numerators, denominators, out=found, where=denominators > 0)
    return found


def _divided(vectors: Vectors, divisors: FloatArray) -> Vectors:
    # Every stored count is at least 1, so the divisor of a row that stores anything is not 0.
    return replace(vectors, weights=vectors.weights / divisors[vectors.owners()])
