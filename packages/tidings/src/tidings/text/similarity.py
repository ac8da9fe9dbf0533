"""How alike two texts are: vectors, letter pairs, overlap, and the similarity of stories.

Letter pairs: how alike two texts are, letter by letter (LBNEST III.A, after Simon White).

Texts are upper-cased and cut into words, words into pairs of neighbouring letters; the similarity is twice
the number of common pairs over the number of all pairs. FRANCE and FRENCH share FR and NC, so they have
2·2 / (5 + 5) = 0.4. LBNEST takes sentences for related from 0.20 (III.B).

The paper prints sets, for words in which no pair occurs twice, and leaves repeated pairs open. Here they are
counted as often as both texts hold them, or a short text would equal its repetition. Words here are runs of
letters and digits with their marks, in scripts without spaces too, so punctuation makes no pairs. Where
neither text has a pair (single letters), equal words count as 1 and all else as 0.

How alike two news stories are, for clustering them (LBNEST V.C).

The length of a story is √(number of its tokens); the similarity of two is the sum over their common tokens
of √(count in one · count in the other), over the product of the lengths. It lies between 0 and 1 and is 1
for a story and itself; one minus it is the distance. Tokens are given by the caller: LBNEST's are words
without full stops, commas and common verbs (`terms`, or `content_words` without stop words).

Cosine, Dice, Jaccard and overlap of term vectors (N-EXT thesis eq. 4.2–4.5, appendix B).

With P = Σ tf_s·tf_b, S = Σ tf_s², B = Σ tf_b², all on relative term frequencies:

    cosine  P / √(S·B)      Dice  2P / (S + B)      Jaccard  P / (S + B − P)      overlap  P / min(S, B)

The singular functions take the terms of two texts; they are the equations written down. The plural ones put
one query to many rows at once and take any weights (relative frequencies for N-EXT, tf-idf for TitleFinder).
A text without terms is similar to nothing: 0.

Cosine, Dice and Jaccard lie between 0 and 1. Overlap as printed does not: the shorter vector's square may be
smaller than the product (1.167 in appendix B), and it is not capped here.

Overlap scoring and the aggregate: how TitleFinder ranks sentences by a title (DANA thesis 5.3.3).

The query is the text of the `title` element, the collection are the text fragments of the page. Eq. 5.2
weighs the query by tf-idf over the collection and each fragment by tf brought to length 1 (so raw counts and
eq. 2.7 give the same); eq. 5.3 adds the two cosines, on tf and on tf-idf, to it. Query terms that no fragment
holds weigh nothing in tf-idf, as the thesis's vocabulary is that of the page, but they lengthen the tf query.

Neither score is bounded by 1, neither is symmetric, and a score means something only within its collection.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final

import numpy as np

from tidings.text.vectors import (
    FloatArray,
    Vectors,
    count_against,
    inverse_document_frequencies,
    quotients,
    relative_frequencies,
    tf_idf,
)
from tidings.text.words import letter_runs


def letter_pairs(text: str) -> list[str]:
    """Return the pairs of neighbouring letters within the words of a text, upper-cased, in reading order."""
    return [run[i : i + 2] for run in letter_runs(text.upper()) for i in range(len(run) - 1)]


def letter_pair_similarity(first: str, second: str) -> float:
    """Return the letter-pair similarity of two texts, between 0 and 1."""
    one, other = Counter(letter_pairs(first)), Counter(letter_pairs(second))
    pairs = one.total() + other.total()
    return 2 * (one & other).total() / pairs if pairs else _pairless(first, second)


def letter_pair_similarities(query: str, texts: Sequence[str]) -> FloatArray:
    """Return the letter-pair similarity of one text to each of many."""
    counted_query, counted_texts = count_against(letter_pairs(query), map(letter_pairs, texts))
    of_query = counted_query.total()
    common = counted_texts.sums(np.minimum(counted_texts.weights, of_query[counted_texts.columns]))
    pairs = counted_texts.sums(counted_texts.weights) + of_query.sum()
    found = quotients(2 * common, pairs)
    for index in np.flatnonzero(pairs == 0).tolist():
        found[index] = _pairless(query, texts[index])
    return found


def _pairless(first: str, second: str) -> float:
    one = letter_runs(first.upper())
    return 1.0 if one and one == letter_runs(second.upper()) else 0.0


def story_similarity(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the similarity of two stories given as tokens."""
    if not first or not second:
        return 0.0
    one, other = Counter(first), Counter(second)
    common = sum(math.sqrt(count * other[token]) for token, count in one.items())
    return common / (math.sqrt(len(first)) * math.sqrt(len(second)))


def story_similarities(query: Vectors, rows: Vectors) -> FloatArray:
    """Return the similarity of one story to every row, both as counts."""
    of_query = query.total()
    common = rows.sums(np.sqrt(rows.weights * of_query[rows.columns]))
    lengths = np.sqrt(rows.sums(rows.weights)) * np.sqrt(of_query.sum())
    return quotients(common, lengths)


_Formula = Callable[[FloatArray, FloatArray, FloatArray], tuple[FloatArray, FloatArray]]


class Measure(StrEnum):
    """The four similarities of N-EXT by name; Dice did best there (tables 6.3 and 6.6). Two more that it names (8)."""

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
    """Return Cosine similarity of a one-row query to every row (eq. 4.2; DANA thesis eq. 2.6)."""
    return _against(query, rows, lambda p, s, b: (p, np.sqrt(s) * np.sqrt(b)))


def dices(query: Vectors, rows: Vectors) -> FloatArray:
    """Return Dice similarity of a one-row query to every row (eq. 4.3)."""
    return _against(query, rows, lambda p, s, b: (2 * p, s + b))


def jaccards(query: Vectors, rows: Vectors) -> FloatArray:
    """Return Jaccard similarity of a one-row query to every row (eq. 4.4)."""
    return _against(query, rows, lambda p, s, b: (p, s + b - p))


def overlaps(query: Vectors, rows: Vectors) -> FloatArray:
    """Return overlap similarity of a one-row query to every row (eq. 4.5); may exceed 1."""
    return _against(query, rows, lambda p, s, b: (p, np.minimum(s, b)))


#: Gains below this are errors of rounding.
_NO_GAIN: Final = 1e-12


def earth_movers_similarity(first: Sequence[str], second: Sequence[str]) -> float:
    """One less the earth mover's distance of two texts given as terms (Rubner et al. 2000; N-EXT thesis, chapter 8).

    The thesis names the distance and not how far terms are apart. Here it is as far as their letter pairs are (LBNEST
    III.A), so that inflections and compounds are near each other. Terms with other first letters are at distance 1, so
    the linear program falls apart into one for each letter, each of which is solved exactly.
    """
    if not first or not second:
        return 0.0
    # As whole numbers: both texts have the same mass.
    supplies = {term: count * len(second) for term, count in Counter(first).items()}
    demands = {term: count * len(first) for term, count in Counter(second).items()}
    letters = {term[:1] for term in supplies} & {term[:1] for term in demands}
    parts = (({t: n for t, n in side.items() if t[:1] == letter} for side in (supplies, demands)) for letter in letters)
    return math.fsum(_largest_likeness(supply, demand) for supply, demand in parts) / (len(first) * len(second))


def _largest_likeness(supply: dict[str, int], demand: dict[str, int]) -> float:
    """Return the largest sum of mass times likeness with which a supply can be moved to a demand.

    Successive longest paths (a transportation problem): mass goes along the path with the largest gain, which may take
    back what was moved before, until no path gains.
    """
    gains = {
        (one, other): likeness for one in supply for other in demand if (likeness := _term_likeness(one, other)) > 0
    }
    moved: dict[tuple[str, str], int] = dict.fromkeys(gains, 0)
    supply, demand, total = dict(supply), dict(demand), 0.0
    while True:
        best, came_from = _longest_paths(gains, moved, supply)
        ends = [other for other in demand if demand[other] and best.get((1, other), 0.0) > _NO_GAIN]
        if not ends:
            return total
        at = (1, max(ends, key=lambda other: best[1, other]))
        path, end = [], at
        while at in came_from:
            path.append((came_from[at], at))
            at = came_from[at]
        amount = min(supply[at[1]], demand[end[1]])
        amount = min([amount, *(moved[there[1], here[1]] for here, there in path if here[0])])
        for here, there in path:
            pair = (here[1], there[1]) if not here[0] else (there[1], here[1])
            moved[pair] += amount if not here[0] else -amount
        supply[at[1]] -= amount
        demand[end[1]] -= amount
        total += amount * best[end]


def _longest_paths(
    gains: dict[tuple[str, str], float], moved: dict[tuple[str, str], int], supply: dict[str, int]
) -> tuple[dict[tuple[int, str], float], dict[tuple[int, str], tuple[int, str]]]:
    """Return the largest gain of a path to each term (side, term) from terms with supply, and the term before it."""
    best = {(0, one): 0.0 for one, mass in supply.items() if mass}
    came_from: dict[tuple[int, str], tuple[int, str]] = {}
    is_changed = True
    while is_changed:
        is_changed = False
        for (one, other), gain in gains.items():
            here, there = (0, one), (1, other)
            if here in best and best[here] + gain > best.get(there, -math.inf) + _NO_GAIN:
                best[there], came_from[there], is_changed = best[here] + gain, here, True
            if moved[one, other] and there in best and best[there] - gain > best.get(here, -math.inf) + _NO_GAIN:
                best[here], came_from[here], is_changed = best[there] - gain, there, True
    return best, came_from


@lru_cache(maxsize=1 << 16)
def _term_likeness(first: str, second: str) -> float:
    """Return how alike two words are by letter pairs; words that do not share their first letter are not asked."""
    return letter_pair_similarity(first, second) if first[:1] == second[:1] else 0.0


def combined_similarity(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the mean of cosine, Dice and Jaccard similarity (N-EXT thesis, chapter 8: measures combined)."""
    return (cosine(first, second) + dice(first, second) + jaccard(first, second)) / 3


def _combined(query: Vectors, rows: Vectors) -> FloatArray:
    """Return the same of a one-row query to every row."""
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
    """Return how similar each text is to the query, both given as terms, on relative term frequencies."""
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
    # Whatever the formula, a query or a row of length 0 makes the product 0, and so the similarity.
    of_query = np.full(len(rows), query.squares()[0])
    return quotients(*formula(rows.dot(query.total()), of_query, rows.squares()))


def overlap_score(query: Sequence[str], text: Sequence[str], collection: Sequence[Sequence[str]]) -> float:
    """OSM of one text of a collection to a query, all given as terms (eq. 5.2)."""
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
    """OSM of every row to a one-row query, both as counts (eq. 5.2)."""
    weighted = tf_idf(query, inverse_document_frequencies(rows)).total()
    lengths = np.sqrt(rows.squares())
    return quotients(rows.dot(weighted), lengths)


def aggregate_scores(query: Vectors, rows: Vectors) -> FloatArray:
    """Return Cosine on tf + cosine on tf-idf + OSM of every row to a one-row query, both as counts (eq. 5.3)."""
    inverse = inverse_document_frequencies(rows)
    on_tf = cosines(query, rows)
    on_tf_idf = cosines(tf_idf(query, inverse), tf_idf(rows, inverse))
    return on_tf + on_tf_idf + overlap_scores(query, rows)


def _tf_idf(text: Sequence[str], collection: Sequence[Sequence[str]]) -> dict[str, float]:
    counts = Counter(text)
    most = max(counts.values(), default=1)
    held_by = {term: sum(term in other for other in collection) for term in counts}
    return {
        term: count / most * (math.log(len(collection) / held_by[term]) if held_by[term] else 0.0)
        for term, count in counts.items()
    }
