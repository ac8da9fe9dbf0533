"""Letter pairs: the similarity of two texts by pairs of neighbouring letters (LBNEST III.A, after Simon White).

Texts are upper-cased and split into words, and words into pairs of neighbouring letters. The similarity is twice the
number of common pairs over the number of all pairs. FRANCE and FRENCH share FR and NC, so their similarity is 2·2 / (5
+ 5) = 0.4. LBNEST takes sentences for related from 0.20 (III.B).

The paper prints sets, for words without repeated pairs, and leaves repetitions open. Here pairs are counted as often as
both texts have them, because otherwise a short text would equal its repetition. Words here are runs of letters and
digits with their marks, also in scripts without spaces, so punctuation makes no pairs. If neither text has a pair
(single letters), equal words count as 1 and different ones as 0.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tidings.text.vectors import (
    FloatArray,
    count_against,
    quotients,
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
    result = quotients(2 * common, pairs)
    for index in np.flatnonzero(pairs == 0).tolist():
        result[index] = _pairless(query, texts[index])
    return result


def _pairless(first: str, second: str) -> float:
    one = letter_runs(first.upper())
    return 1.0 if one and one == letter_runs(second.upper()) else 0.0
