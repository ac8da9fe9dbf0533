"""Letter pairs: how alike two texts are, letter by letter (LBNEST III.A, after Simon White).

Texts are upper-cased and cut into words, words into pairs of neighbouring letters; the similarity is twice
the number of common pairs over the number of all pairs. FRANCE and FRENCH share FR and NC, so they have
2·2 / (5 + 5) = 0.4. LBNEST takes sentences for related from 0.20 (III.B).

The paper prints sets, for words in which no pair occurs twice, and leaves repeated pairs open. Here they are
counted as often as both texts hold them, or a short text would equal its repetition. Words here are runs of
letters and digits with their marks, in scripts without spaces too, so punctuation makes no pairs. Where
neither text has a pair (single letters), equal words count as 1 and all else as 0.
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np

from tidings.text.vectors import FloatArray, count_against, quotients
from tidings.text.words import letter_runs


def letter_pairs(text: str) -> list[str]:
    """The pairs of neighbouring letters within the words of a text, upper-cased, in reading order."""
    return [run[i : i + 2] for run in letter_runs(text.upper()) for i in range(len(run) - 1)]


def letter_pair_similarity(first: str, second: str) -> float:
    """The letter-pair similarity of two texts, between 0 and 1."""
    one, other = Counter(letter_pairs(first)), Counter(letter_pairs(second))
    pairs = one.total() + other.total()
    return 2 * (one & other).total() / pairs if pairs else _pairless(first, second)


def letter_pair_similarities(query: str, texts: Sequence[str]) -> FloatArray:
    """The letter-pair similarity of one text to each of many."""
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
