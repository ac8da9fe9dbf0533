"""Texts as vectors of term weights (the vector space model; DANA thesis 2.2.2.2, N-EXT thesis 4.1.4).

Many texts are counted in one pass into a sparse matrix: row *i* has its terms in `columns[starts[i]:starts[i + 1]]` and
their weights at the same indices. Weighting schemes map one `Vectors` to another; a query against all rows is one
multiplication and one sum (`dot`). A query must share the vocabulary of the texts, because its terms that are in no
text still count for its length: `query, rows = count_against(title_terms, block_terms)`.
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
        part = slice(int(starts[0]), int(starts[-1]))
        return Vectors(self.vocabulary, starts - starts[0], self.columns[part], self.weights[part])

    def row(self, index: int) -> dict[str, float]:
        """Return a row as a dictionary from terms to weights, for inspection."""
        part = slice(int(self.starts[index]), int(self.starts[index + 1]))
        terms = list(self.vocabulary)
        pairs = zip(self.columns[part].tolist(), self.weights[part].tolist(), strict=True)
        return {terms[column]: weight for column, weight in pairs}

    def owners(self) -> IntArray:
        """Return for each stored (non-zero) weight the index of its row."""
        return np.repeat(np.arange(len(self), dtype=np.int64), np.diff(self.starts))

    def sums(self, values: FloatArray) -> FloatArray:
        """Return the sum of `values` in each row. `values` has an entry for each stored (non-zero) weight."""
        return np.asarray(np.bincount(self.owners(), weights=values, minlength=len(self)), dtype=np.float64)

    def total(self) -> FloatArray:
        """Return the sum of all rows as a dense vector."""
        summed = np.bincount(self.columns, weights=self.weights, minlength=len(self.vocabulary))
        return np.asarray(summed, dtype=np.float64)

    def dot(self, other: FloatArray) -> FloatArray:
        """Return the scalar product of every row with a dense vector."""
        return self.sums(self.weights * other[self.columns])

    def squares(self) -> FloatArray:
        """Return the squared length of every row."""
        return self.sums(self.weights * self.weights)


def count_terms(texts: Iterable[Iterable[str]], dictionary: Collection[str] | None = None) -> Vectors:
    """Count the terms of each text.

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
    """Return the counts of a query (one row) and of the texts over a shared vocabulary."""
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
    """Return log(N / df) of each term (DANA thesis eq. 2.8).

    The thesis gives no base; this is the natural logarithm. Cosines and the order of OSM do not depend on it, but the
    share of OSM in the aggregate (eq. 5.3) does. A term in no text gets 0, because it is outside the thesis's
    vocabulary.
    """
    frequency = np.bincount(counts.columns, minlength=len(counts.vocabulary))
    present = frequency > 0
    inverse = np.zeros(len(frequency))
    inverse[present] = np.log(len(counts) / frequency[present])
    return inverse


def tf_idf(counts: Vectors, inverse: FloatArray | None = None) -> Vectors:
    """Return weights tf × idf (DANA thesis eq. 2.9, tf by 2.7). A query takes the `inverse` of its collection."""
    if inverse is None:
        inverse = inverse_document_frequencies(counts)
    frequencies = maximum_frequencies(counts)
    return replace(frequencies, weights=frequencies.weights * inverse[frequencies.columns])


def salton_weights(query: Vectors, inverse: FloatArray) -> Vectors:
    """Return Salton's weights for the terms of a query: (0.5 + 0.5 tf) × idf (DANA thesis eq. 2.10)."""
    frequencies = maximum_frequencies(query)
    return replace(query, weights=(0.5 + 0.5 * frequencies.weights) * inverse[query.columns])


def quotients(numerators: FloatArray, denominators: FloatArray) -> FloatArray:
    """Divide elementwise, with 0 where the denominator is 0."""
    result = np.zeros(len(numerators))
    np.divide(numerators, denominators, out=result, where=denominators > 0)
    return result


def _divided(vectors: Vectors, divisors: FloatArray) -> Vectors:
    # Every stored count is at least 1, so the divisor of a non-empty row is not 0.
    return replace(vectors, weights=vectors.weights / divisors[vectors.owners()])
