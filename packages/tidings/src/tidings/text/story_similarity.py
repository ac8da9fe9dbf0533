"""The similarity of two news articles, for clustering (LBNEST V.C).

The length of an article is √(number of its tokens). The similarity of two is the sum over their common tokens of
√(count in one · count in the other), over the product of the lengths. It is between 0 and 1, and 1 for an article and
itself; one minus it is the distance. The caller provides the tokens: LBNEST uses words without full stops, commas and
common verbs (`terms`, or `content_words` without stop words).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

import numpy as np

from tidings.text.vectors import (
    FloatArray,
    Vectors,
    quotients,
)


def story_similarity(first: Sequence[str], second: Sequence[str]) -> float:
    """Return the similarity of two stories given as tokens."""
    if not first or not second:
        return 0.0
    one, other = Counter(first), Counter(second)
    common = sum(math.sqrt(count * other[token]) for token, count in one.items())
    return common / (math.sqrt(len(first)) * math.sqrt(len(second)))


def story_similarities(query: Vectors, rows: Vectors) -> FloatArray:
    """Return the similarity of one story to many others.

    Args:
        query: the token counts of the story, in one row.
        rows: the token counts of the other stories, a row each.
    """
    of_query = query.total()
    common = rows.sums(np.sqrt(rows.weights * of_query[rows.columns]))
    lengths = np.sqrt(rows.sums(rows.weights)) * np.sqrt(of_query.sum())
    return quotients(common, lengths)
