"""Which articles are near this one by LBNEST's distance: exactly, and without comparing with each.

LBNEST V: the length of a story is the square root of the number of its tokens, the similarity of two the sum of
√(count · count) over the tokens that both have, over the product of the lengths; the distance is 1 − similarity.
Written as Σ √(count/tokens) · √(count/tokens) it is the product of two vectors of length 1, and that makes an index
possible (Bayardo, Ma and Srikant 2007): what the terms not yet looked at can add is at most the length of what remains
of the query. Terms are looked up from the rarest to the most frequent, until what remains is small; only articles that
could still be near are then compared in full.

A token is a content word that is no stop word; LBNEST takes out full stops, commas and common verbs, and does not stem.
Distances are rounded to 12 places, so that the order of adding up cannot move one over the cut.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.news.stories.packing import Column
from tidings.news.stories.report import Report
from tidings.news.stories.sparse_rows import Floats, Growing, Ints, Postings, SparseRows
from tidings.text import base_language, terms

#: LBNEST V and VI.D: 0.35 to 0.4 was found to tell similar stories from others; 0.38 was used.
CUT: Final = 0.38
#: What may remain of a query of length 1: a fifth leaves few candidates, and the most frequent terms untouched.
_REMAINING: Final = 0.2
#: Rounding of single precision in the postings.
_SLACK: Final = 1e-5


def tokens(report: Report) -> list[str]:
    """What LBNEST compares of an article: headline and text without stop words."""
    return terms(f"{report.title}\n{report.text}", report.language, stemmed=False)


@dataclass(frozen=True, slots=True)
class Neighbour:
    """An earlier article by its row, and how far it is."""

    row: int
    distance: float


class NearIndex:
    """Articles as counts of tokens, and the exact neighbours of each new one."""

    __slots__ = ("_postings", "_rows", "_sizes")

    def __init__(self) -> None:
        self._rows = SparseRows()
        self._sizes = Growing(np.empty(0, np.float64))
        self._postings = Postings()

    def __len__(self) -> int:
        return len(self._rows)

    def add(self, words: list[str], language: str, cut: float) -> list[Neighbour]:
        """The articles nearer than the cut, in the order they came; then this one is the last of them."""
        # Each language has its own terms: articles of two share none, and so are never near.
        space = base_language(language)
        counted = {f"{space} {word}": float(count) for word, count in Counter(words).items()}
        row_terms, counts = self._rows.add(counted)
        size = float(len(words))
        weights = np.sqrt(counts / max(size, 1.0)).astype(np.float32)
        candidates = self._candidates(row_terms, weights, 1.0 - cut)
        near = [
            Neighbour(row, distance)
            for row in candidates.tolist()
            if (distance := self._distance(row_terms, counts, size, row)) < cut
        ]
        self._postings.add(len(self._rows) - 1, row_terms, weights)
        self._sizes.append(size)
        return near

    def _candidates(self, row_terms: Ints, weights: Floats, least: float) -> NDArray[np.int64]:
        """Rows whose similarity may be over the least."""
        frequencies = np.array([self._postings.count(term) for term in row_terms.tolist()], np.int64)
        order = np.argsort(frequencies, kind="stable")
        # Before each term: the length of what has not been looked at, this one included.
        remaining = np.sqrt(np.cumsum(weights[order][::-1].astype(np.float64) ** 2)[::-1])
        looked_up = order[remaining > max(min(_REMAINING, least / 2), 0.0)]
        left = float(remaining[len(looked_up)]) if len(looked_up) < len(order) else 0.0
        factors = weights[looked_up].astype(np.float64)
        common = self._postings.summed(row_terms[looked_up].tolist(), factors, self._sizes.size)
        return np.flatnonzero(common > least - left - _SLACK)

    def _distance(self, row_terms: Ints, counts: Floats, size: float, row: int) -> float:
        other_terms, other_counts = self._rows.row(row)
        _, mine, theirs = np.intersect1d(row_terms, other_terms, assume_unique=True, return_indices=True)
        products = counts[mine].astype(np.float64) * other_counts[theirs]
        sizes = size * float(self._sizes.all[row])
        similarity = math.fsum(np.sqrt(products).tolist()) / math.sqrt(sizes) if sizes else 0.0
        return round(1.0 - similarity, 12)

    def columns(self) -> dict[str, Column]:
        """For keeping."""
        return {**self._rows.columns(), "sizes": self._sizes.all}

    @classmethod
    def of(cls, columns: Mapping[str, Column]) -> NearIndex:
        """As it was kept."""
        index = cls()
        index._rows = SparseRows.of(columns)
        index._sizes = Growing(columns["sizes"].astype(np.float64))
        owners = np.repeat(index._sizes.all, np.diff(index._rows.starts))
        index._postings = Postings.of(index._rows, np.sqrt(index._rows.values / owners).astype(np.float32))
        return index
