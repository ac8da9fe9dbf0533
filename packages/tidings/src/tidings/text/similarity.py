"""Cosine, Dice, Jaccard and overlap of term vectors (N-EXT thesis eq. 4.2–4.5, appendix B).

With P = Σ tf_s·tf_b, S = Σ tf_s², B = Σ tf_b², all on relative term frequencies:

cosine  P / √(S·B)      Dice  2P / (S + B)      Jaccard  P / (S + B − P)      overlap  P / min(S, B)

The singular functions take the terms of two texts and follow the equations. The plural ones compare a query with many
rows at once and take any weights (relative frequencies for N-EXT, tf-idf for TitleFinder). A text without terms has
similarity 0 to all texts.

Cosine, Dice and Jaccard are between 0 and 1. Overlap as printed is not: the square of the shorter vector may be smaller
than the product (1.167 in appendix B), and it is not capped here.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum

import numpy as np

from tidings.text.earth_movers import earth_movers_similarity
from tidings.text.vectors import (
    FloatArray,
    Vectors,
    count_against,
    quotients,
    relative_frequencies,
)

_Formula = Callable[[FloatArray, FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


class Measure(StrEnum):
    """The four similarities of N-EXT, of which Dice did best (tables 6.3 and 6.6), and two more that it names (8)."""

    COSINE = "cosine"
    DICE = "dice"
    JACCARD = "jaccard"
    OVERLAP = "overlap"
    EARTH_MOVERS = "earth-movers"
    COMBINED = "combined"


def cosine(first: Sequence[str], second: Sequence[str]) -> float:
    """Return Cosine similarity of two texts given as terms (eq. 4.2)."""
    product, one, other = _sums(first, second)
    return _ratio(product, math.sqrt(one) * math.sqrt(other))


def dice(first: Sequence[str], second: Sequence[str]) -> float:
    """Return Dice similarity of two texts given as terms (eq. 4.3)."""
    product, one, other = _sums(first, second)
    return _ratio(2 * product, one + other)


def jaccard(first: Sequence[str], second: Sequence[str]) -> float:
    """Return Jaccard similarity of two texts given as terms (eq. 4.4)."""
    product, one, other = _sums(first, second)
    return _ratio(product, one + other - product)


def overlap(first: Sequence[str], second: Sequence[str]) -> float:
    """Return overlap similarity of two texts given as terms (eq. 4.5); may exceed 1."""
    product, one, other = _sums(first, second)
    return _ratio(product, min(one, other))


def cosines(query: Vectors, rows: Vectors) -> FloatArray:
    """Return Cosine similarity of a query to many texts (eq. 4.2; DANA thesis eq. 2.6). `query` has one row, and `rows`
    a row for each text.
    """
    return _against(query, rows, lambda p, s, b: (p, np.sqrt(s) * np.sqrt(b)))


def dices(query: Vectors, rows: Vectors) -> FloatArray:
    """Return Dice similarity of a query to many texts (eq. 4.3). `query` has one row, and `rows` a row for
    each text.
    """
    return _against(query, rows, lambda p, s, b: (2 * p, s + b))


def jaccards(query: Vectors, rows: Vectors) -> FloatArray:
    """Return Jaccard similarity of a query to many texts (eq. 4.4). `query` has one row, and `rows` a row for each
    text.
    """
    return _against(query, rows, lambda p, s, b: (p, s + b - p))


def overlaps(query: Vectors, rows: Vectors) -> FloatArray:
    """Return overlap similarity of a query to many texts (eq. 4.5); it may exceed 1. `query` has one row, and `rows` a
    row for each text.
    """
    return _against(query, rows, lambda p, s, b: (p, np.minimum(s, b)))


def combined_similarity(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the mean of cosine, Dice and Jaccard similarity (N-EXT thesis, chapter 8: measures combined)."""
    return (cosine(first, second) + dice(first, second) + jaccard(first, second)) / 3


def _combined(query: Vectors, rows: Vectors) -> FloatArray:
    """Return the mean of cosine, Dice and Jaccard similarity of a query to many texts. `query` has one row, and `rows`
    a row for each text.
    """
    mean: FloatArray = (cosines(query, rows) + dices(query, rows) + jaccards(query, rows)) / 3
    return mean


_PLURAL: dict[Measure, Callable[[Vectors, Vectors], FloatArray]] = {
    Measure.COSINE: cosines,
    Measure.DICE: dices,
    Measure.JACCARD: jaccards,
    Measure.OVERLAP: overlaps,
    Measure.COMBINED: _combined,
}


def similarities(query: Sequence[str], texts: Sequence[Sequence[str]], measure: Measure = Measure.DICE) -> FloatArray:
    """Return the similarity of each text to a query by a measure. Terms are weighted by their relative frequency.

    Args:
        query: the terms of the query.
        texts: the terms of each text.
        measure: the similarity measure.
    """
    if measure is Measure.EARTH_MOVERS:
        return np.array([earth_movers_similarity(query, text) for text in texts], np.float64)
    counted_query, counted_texts = count_against(query, texts)
    return _PLURAL[measure](relative_frequencies(counted_query), relative_frequencies(counted_texts))


def _sums(first: Sequence[str], second: Sequence[str]) -> tuple[float, float, float]:
    if not first or not second:
        return 0.0, 0.0, 0.0
    one = {term: count / len(first) for term, count in Counter(first).items()}
    other = {term: count / len(second) for term, count in Counter(second).items()}
    product = sum(weight * other.get(term, 0.0) for term, weight in one.items())
    return product, sum(weight**2 for weight in one.values()), sum(weight**2 for weight in other.values())


def _ratio(numerator: float, denominator: float) -> float:
    return numerator / denominator if denominator else 0.0


def _against(query: Vectors, rows: Vectors, formula: _Formula) -> FloatArray:
    # In every formula, a query or row of length 0 results in similarity 0.
    of_query = np.full(len(rows), query.squares()[0])
    return quotients(*formula(rows.dot(query.total()), of_query, rows.squares()))
