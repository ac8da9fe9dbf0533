"""Similarity-based: paragraphs of a story are about one thing, so each resembles the rest.

DANA thesis 7.2.3, named there as future work "implemented to some extent": stop words out, words stemmed, paragraphs
compared by cosine or by overlap scoring on tf or tf-idf weights, no markup asked. Instead of all pairs, each paragraph
is compared with the sum of all others, which takes one pass: what the sum over the others is follows from the sum over all.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.registry import register
from tidings.fields import read
from tidings.page import Page, Spans
from tidings.text import (
    FloatArray,
    Vectors,
    count_terms,
    inverse_document_frequencies,
    maximum_frequencies,
    terms,
    tf_idf,
)
from tidings.text.vectors import quotients


class Weighting(StrEnum):
    """How terms are weighted."""

    TF = "tf"
    TF_IDF = "tf-idf"


class Likeness(StrEnum):
    """How a paragraph is compared with the others."""

    COSINE = "cosine"
    OVERLAP = "overlap"


def likeness_to_others(rows: Vectors, how: Likeness = Likeness.COSINE) -> FloatArray:
    total = rows.total()
    squares = rows.squares()
    product = rows.dot(total) - squares  # of each row with the sum of the others
    others = (total * total).sum() - 2 * product - squares
    lengths = np.sqrt(squares) * np.sqrt(np.maximum(others, 0))
    return quotients(product, lengths)
