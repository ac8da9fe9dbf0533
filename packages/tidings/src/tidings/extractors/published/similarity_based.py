"""Similarity-based: the paragraphs of a story have one subject, so each resembles the others.

Source: DANA thesis 7.2.3, as future work that was "implemented to some extent": paragraphs without stop words, stemmed,
compared by cosine or overlap scoring on tf or tf-idf weights, without regard to markup. Each paragraph is compared with
the sum of all others, not with each of them, so the work is linear: the sum of the others is the sum of all minus the
paragraph itself.

The thesis gives no weighting, measure or threshold. They were chosen by word F1 on half of the sites of wcxb-dev. A
paragraph is selected from a share of the mean similarity on, where the mean is weighted by the number of terms.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from tidings.errors import BadParameter
from tidings.extractors.parameters import checked
from tidings.extractors.published.n_ext import stemmed_terms
from tidings.fields import read
from tidings.page import Page, Spans
from tidings.page.columns import Bools
from tidings.text import FloatArray, Vectors, count_terms, inverse_document_frequencies
from tidings.text.vectors import quotients


class TermWeighting(StrEnum):
    """How the terms of paragraphs are weighted before they are compared."""

    TF = "tf"
    TF_IDF = "tf-idf"


class TextComparison(StrEnum):
    """How the similarity of a paragraph to the other paragraphs is measured."""

    COSINE = "cosine"
    OVERLAP = "overlap"  # overlap scoring: the others are the query, the paragraph has length 1 (eq. 5.2)


def likeness_to_others(
    counts: Vectors,
    weighting: TermWeighting = TermWeighting.TF_IDF,
    comparison: TextComparison = TextComparison.OVERLAP,
) -> FloatArray:
    """Return the similarity of each row to the sum of all other rows."""
    weighted = counts
    if weighting is TermWeighting.TF_IDF:
        weighted = replace(counts, weights=counts.weights * inverse_document_frequencies(counts)[counts.columns])
    rows = weighted if comparison is TextComparison.COSINE else counts
    total = weighted.total()
    # The product with the sum of the others is the product with the sum of all, minus that with the row itself.
    product = np.maximum(rows.dot(total) - rows.sums(rows.weights * weighted.weights), 0)
    alone = np.sqrt(rows.squares())
    if comparison is TextComparison.OVERLAP:
        return quotients(product, alone)
    others = (total * total).sum() - 2 * product - rows.squares()
    return quotients(product, alone * np.sqrt(np.maximum(others, 0)))


def similar(likeness: FloatArray, sizes: FloatArray, share: float = 0.5) -> Bools:
    """Return which rows have at least `share` of the mean similarity, weighted by size; none if all are 0."""
    mean = (likeness * sizes).sum() / max(sizes.sum(), 1)
    return np.asarray((likeness >= share * mean) & (likeness > 0))


@checked
@dataclass(frozen=True, slots=True)
class SimilarityBased:
    """Paragraphs that resemble the rest of the page's paragraphs."""

    weighting: TermWeighting = TermWeighting.TF_IDF  # the four combinations lie within 0.003 of each other
    comparison: TextComparison = TextComparison.OVERLAP
    share: float = 0.5  # 0.3 to 0.6 are equally good, above 0.7 recall falls quickly

    def __call__(self, page: Page, /) -> Spans:
        """Return the paragraphs that resemble the other paragraphs."""
        if self.share < 0:
            raise BadParameter(f"share is {self.share}; it is a share of the mean likeness, 0 or more")
        counts = _counted(page)
        likeness = likeness_to_others(counts, self.weighting, self.comparison)
        chosen = similar(likeness, counts.sums(counts.weights), self.share)
        return page.shown(Spans.of_blocks(page, chosen))

    def score(self, page: Page, /) -> FloatArray:
        """Return for each block the similarity of its terms to those of the other blocks."""
        return likeness_to_others(_counted(page), self.weighting, self.comparison)


def _counted(page: Page) -> Vectors:
    """Return the term counts of each block of the page; hidden blocks have no terms."""
    language, columns = read(page).language, page.blocks
    ends = np.where(columns.hidden, columns.text_start, columns.text_end).tolist()
    ranges = zip(columns.text_start.tolist(), ends, strict=True)
    return count_terms(stemmed_terms((page.text[start:end] for start, end in ranges), language))
