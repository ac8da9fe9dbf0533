"""How rare each term is, learned from the stream of articles and slowly forgotten.

Inverse document frequency: ln((articles + prior) / (articles with the term + ½)). The prior stands for articles that
nobody has seen yet: with none, a term that the first two articles share would look common. What was seen long ago
counts less, by half for every `half_life` articles: new articles count ever more instead, and everything is scaled down
before it gets too large.

A store that has just begun knows nothing: of three events in twenty-four articles the words of each stand in every
third one, and look common. So counting does not begin at nothing: `common_terms.toml` says of the commonest terms of a
language in which share of articles they stand, and these stand for the first articles (`background`). What is not
listed there is taken to be rare.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.news.stories.packing import Column
from tidings.news.stories.sparse_rows import Growing, Ints
from tidings.text import terms as terms_of

_TOO_LARGE: Final = 1e9
_NOTHING: Final[Mapping[str, float]] = MappingProxyType({})


@cache
def common_terms(language: str) -> Mapping[str, float]:
    """In which share of articles the commonest terms of a language stand; nothing where nobody has counted."""
    listed = _listed().get(language)
    if listed is None:
        return _NOTHING
    found: dict[str, float] = {}
    for share, words in listed.items():
        for term in terms_of(words, language):
            found.setdefault(term, float(share))
    return MappingProxyType(found)


@cache
def _listed() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files(__package__).joinpath("common_terms.toml").read_text("utf-8"))


class Rarity:
    """Counts of articles by term, and what they say about terms."""

    __slots__ = ("_articles", "_counts", "_unit", "background", "common", "half_life", "prior")

    def __init__(
        self, prior: float, half_life: float, background: float = 0.0, common: Mapping[str, float] = _NOTHING
    ) -> None:
        self.prior = prior
        self.half_life = half_life
        self.common = common
        self.background = background if common else 0.0  # articles that the common terms stand for
        self._unit = 1.0  # what an article counts now
        self._articles = self.background
        self._counts = Growing(np.empty(0, np.float64))

    def see(self, terms: Ints, new: Sequence[str] = ()) -> None:
        """An article with these terms came by; of them these are new, and have the last numbers."""
        missing = (int(terms.max()) + 1 if len(terms) else 0) - self._counts.size
        if missing > 0:
            known = [self.background * self.common.get(term, 0.0) for term in new] if self.background else []
            self._counts.extend(np.array(known if len(known) == missing else [0.0] * missing))
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
        fewer = Rarity(self.prior, self.half_life, self.background, self.common)
        fewer._unit, fewer._articles = self._unit, self._articles
        fewer._counts = Growing(self._counts.all[kept])
        return fewer

    def columns(self) -> dict[str, Column]:
        """For keeping."""
        told = np.array([self.prior, self.half_life, self._unit, self._articles, self.background])
        return {"rarity": told, "rarity counts": self._counts.all}

    @classmethod
    def of_columns(cls, columns: Mapping[str, Column], common: Mapping[str, float] = _NOTHING) -> Rarity:
        """As it was kept; what 0.1 kept began at nothing, and goes on so."""
        prior, half_life, unit, articles, *background = columns["rarity"].tolist()
        rarity = cls(prior, half_life, background[0] if background else 0.0, common)
        rarity._unit, rarity._articles = unit, articles
        rarity._counts = Growing(columns["rarity counts"].astype(np.float64))
        return rarity
