"""Word F1 for tests of the library, which does not import the laboratory and its measures."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from tidings.text import words


class WordScore(NamedTuple):
    """Bag-of-words precision, recall and F1."""

    precision: float
    recall: float
    f1: float


def word_score(result: str, truth: str) -> WordScore:
    """Compare the words of a result with those of the ground truth."""
    ours, theirs = words(result), words(truth)
    common = (Counter(ours) & Counter(theirs)).total()
    precision, recall = common / max(len(ours), 1), common / max(len(theirs), 1)
    return WordScore(precision, recall, 2 * precision * recall / max(precision + recall, 1e-9))
