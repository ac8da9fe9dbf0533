"""How rare each term is, learned from the stream of articles and slowly forgotten.

Inverse document frequency: ln((articles + prior) / (articles with the term + ½)). The prior stands for articles that
nobody has seen yet: with none, a term that the first two articles share would look common. What was seen long ago
counts less, by half for every `half_life` articles: new articles count ever more instead, and everything is scaled down
before it gets too large.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.news.stories.packing import Column
from tidings.news.stories.sparse_rows import Growing, Ints

_TOO_LARGE: Final = 1e9


class Rarity:
    """Counts of articles by term, and what they say about terms."""

    __slots__ = ("_articles", "_counts", "_unit", "half_life", "prior")

    def __init__(self, prior: float, half_life: float) -> None:
        self.prior = prior
        self.half_life = half_life
        self._unit = 1.0  # what an article counts now
        self._articles = 0.0
        self._counts = Growing(np.empty(0, np.float64))

    def see(self, terms: Ints) -> None:
        """An article with these terms came by."""
        missing = (int(terms.max()) + 1 if len(terms) else 0) - self._counts.size
        if missing > 0:
            self._counts.extend(np.zeros(missing))
        self._unit *= 2.0 ** (1.0 / self.half_life)
        if self._unit > _TOO_LARGE:
            self._counts = Growing(self._counts.all / self._unit)
            self._articles /= self._unit
            self._unit = 1.0
        self._counts.all[terms] += self._unit
        self._articles += self._unit

    def of(self, terms: Ints) -> NDArray[np.float64]:
        """How rare terms are: 0 for those that every article has."""
        return self._rarity(self._counts.all[terms])

    def unseen(self) -> float:
        """How rare a term is that nobody has seen."""
        return float(self._rarity(np.zeros(1))[0])

    def of_all(self) -> NDArray[np.float64]:
        """How rare each term is."""
        return self._rarity(self._counts.all)

    def _rarity(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        ratio = (self._articles / self._unit + self.prior) / (counts / self._unit + 0.5)
        return np.maximum(np.log(ratio), 0.0)

    def some(self, kept: NDArray[np.int64]) -> Rarity:
        """The same of some terms, which get new numbers in this order."""
        fewer = Rarity(self.prior, self.half_life)
        fewer._unit, fewer._articles = self._unit, self._articles
        fewer._counts = Growing(self._counts.all[kept])
        return fewer

    def columns(self) -> dict[str, Column]:
        """For keeping."""
        told = np.array([self.prior, self.half_life, self._unit, self._articles])
        return {"rarity": told, "rarity counts": self._counts.all}

    @classmethod
    def of_columns(cls, columns: Mapping[str, Column]) -> Rarity:
        """As it was kept."""
        prior, half_life, unit, articles = columns["rarity"].tolist()
        rarity = cls(prior, half_life)
        rarity._unit, rarity._articles = unit, articles
        rarity._counts = Growing(columns["rarity counts"].astype(np.float64))
        return rarity
