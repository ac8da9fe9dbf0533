"""Overlap scoring and the aggregate: how TitleFinder ranks sentences by a title (DANA thesis 5.3.3).

The query is the text of the `title` element, and the collection consists of the text fragments of the page. Eq. 5.2
weights the query by tf-idf over the collection and each fragment by tf normalised to length 1 (so raw counts and eq.
2.7 give the same); eq. 5.3 adds the two cosines, on tf and on tf-idf. Query terms in no fragment have weight 0 in
tf-idf, because the vocabulary of the thesis is that of the page, but they lengthen the tf query. The scores are neither
bounded by 1 nor symmetric, and comparable only within a collection.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from tidings.text.similarity import cosine, cosines
from tidings.text.vectors import (
    FloatArray,
    Vectors,
    inverse_document_frequencies,
    quotients,
    tf_idf,
)


def overlap_score(query: Sequence[str], text: Sequence[str], collection: Sequence[Sequence[str]]) -> float:
    """Return the overlap score of a text of a collection for a query, all given as terms (eq. 5.2)."""
    query_weights = _tf_idf(query, collection)
    counts = Counter(text)
    length = math.sqrt(sum(count**2 for count in counts.values()))
    return sum(weight * counts[term] / length for term, weight in query_weights.items()) if length else 0.0


def aggregate_score(query: Sequence[str], text: Sequence[str], collection: Sequence[Sequence[str]]) -> float:
    """Return Cosine on tf + cosine on tf-idf + OSM of one text of a collection to a query (eq. 5.3)."""
    one, other = _tf_idf(query, collection), _tf_idf(text, collection)
    lengths = math.sqrt(sum(w**2 for w in one.values())) * math.sqrt(sum(w**2 for w in other.values()))
    product = sum(weight * other.get(term, 0.0) for term, weight in one.items())
    on_tf_idf = product / lengths if lengths else 0.0
    return cosine(query, text) + on_tf_idf + overlap_score(query, text, collection)


def overlap_scores(query: Vectors, rows: Vectors) -> FloatArray:
    """Return the overlap score of each text of a collection for a query (eq. 5.2).

    Args:
        query: the term counts of the query, in one row.
        rows: the term counts of each text, a row each.
    """
    weighted = tf_idf(query, inverse_document_frequencies(rows)).total()
    lengths = np.sqrt(rows.squares())
    return quotients(rows.dot(weighted), lengths)


def aggregate_scores(query: Vectors, rows: Vectors) -> FloatArray:
    """Return the aggregate score of each text of a collection for a query: cosine on tf, plus cosine on tf-idf, plus
    the overlap score (eq. 5.3).

    Args:
        query: the term counts of the query, in one row.
        rows: the term counts of each text, a row each.
    """
    inverse = inverse_document_frequencies(rows)
    on_tf = cosines(query, rows)
    on_tf_idf = cosines(tf_idf(query, inverse), tf_idf(rows, inverse))
    return on_tf + on_tf_idf + overlap_scores(query, rows)


def _tf_idf(text: Sequence[str], collection: Sequence[Sequence[str]]) -> dict[str, float]:
    counts = Counter(text)
    most = max(counts.values(), default=1)
    document_frequency = {term: sum(term in other for other in collection) for term in counts}
    return {
        term: count / most * (math.log(len(collection) / document_frequency[term]) if document_frequency[term] else 0.0)
        for term, count in counts.items()
    }
