"""Term weights of an article (frequency, headline, names), and term rarities learned from a stream of articles.

The terms are stems without stop words; in scripts without spaces, pairs of adjacent characters. A term weighs 1 +
ln(times); an occurrence in the headline counts as several. Names distinguish events of one kind (two earthquakes, two
trials), so they weigh more: words that are always capitalised inside sentences. If most words are capitalised, as in
headlines set in capitals or in German, names are not detected.

Rarity is the inverse document frequency ln((articles + prior) / (articles with the term + ½)). The prior counts future
articles: without it, a term that the first two articles share would look common. Old counts are halved for every
`half_life` articles: new articles count more and more instead, and everything is scaled down before it overflows.

A new store has no counts: of three events in twenty-four articles the words of each are in every third one, and look
common. So `common_terms.toml` has the document frequencies of the most common terms of a language, which count as the
first articles (`background`). Other terms count as rare.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import pairwise
from types import MappingProxyType
from typing import Final

import numpy as np
from numpy.typing import NDArray

from tidings.text import content_words, fold_case, letter_runs, sentences, stems, stop_words, terms
from tidings.text import terms as terms_of
from tidings_portal.stories.packing import Column
from tidings_portal.stories.report import Report
from tidings_portal.stories.sparse_rows import Growing, Ints

#: The rest of a text is ignored; it adds little to the subject of an article.
_MOST_CHARACTERS: Final = 20_000
#: Above this share of capitalised words inside sentences, capitals do not indicate names.
_CAPITALS_TELL: Final = 0.3


@dataclass(frozen=True, slots=True)
class TermWeights:
    """The parameters of term weights. docs/explanation/stories.md explains the defaults, found on labelled stories."""

    headline: float = 2.0  # the weight of an occurrence in the headline
    name: float = 2.0
    number: float = 1.0

    def of(self, report: Report) -> dict[str, float]:
        """Return the terms of an article with their weights."""
        text = report.text[:_MOST_CHARACTERS]
        counts: Counter[str] = Counter()
        for term in _terms(text, report.language):
            counts[term] += 1
        weights: dict[str, float] = dict(counts)
        for term in _terms(report.title[:_MOST_CHARACTERS], report.language):
            weights[term] = weights.get(term, 0.0) + self.headline
        known_names = names(text, report.language)
        return {
            term: (1.0 + math.log(max(count, 1.0))) * self._kind(term, known_names) for term, count in weights.items()
        }

    def _kind(self, term: str, known_names: frozenset[str]) -> float:
        if term in known_names:
            return self.name
        return self.number if term[0].isdigit() else 1.0


def names(text: str, language: str = "") -> frozenset[str]:
    """Return the terms of a text that are names, judged by capitals."""
    capitals: Counter[str] = Counter()
    inside = 0
    lower: set[str] = set()
    for sentence in sentences(text, language):
        for place, word in enumerate(letter_runs(sentence)):
            if word[0].isupper():
                if place:
                    capitals[word] += 1
                    inside += 1
            elif word[0].islower():
                lower.add(word)
                inside += 1
    if sum(capitals.values()) > _CAPITALS_TELL * inside:
        return frozenset()
    stopped = stop_words(language)
    folded = {word: fold_case(word, language) for word in capitals}
    chosen = [word for word, small in folded.items() if small not in lower and small not in stopped and len(word) > 1]
    return frozenset(stems(content_words(" ".join(chosen), language), language))


def _terms(text: str, language: str) -> list[str]:
    stems_ = terms(text, language)
    single = sum(1 for term in stems_ if len(term) <= 2 and not term.isascii())
    if 2 * single <= len(stems_):
        return stems_
    return [f"{first}{second}" for first, second in pairwise(stems_)]


_TOO_LARGE: Final = 1e9
_NOTHING: Final[Mapping[str, float]] = MappingProxyType({})


@cache
def common_terms(language: str) -> Mapping[str, float]:
    """Return the document frequencies of the most common terms of a language; empty if unknown."""
    listed = _listed().get(language)
    if listed is None:
        return _NOTHING
    frequencies: dict[str, float] = {}
    for share, words in listed.items():
        for term in terms_of(words, language):
            frequencies.setdefault(term, float(share))
    return MappingProxyType(frequencies)


@cache
def _listed() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads(files(__package__).joinpath("common_terms.toml").read_text("utf-8"))


class Rarity:
    """Document counts of terms, and their rarities."""

    __slots__ = ("_articles", "_counts", "_unit", "background", "common", "half_life", "prior")

    def __init__(
        self, prior: float, half_life: float, background: float = 0.0, common: Mapping[str, float] = _NOTHING
    ) -> None:
        self.prior = prior
        self.half_life = half_life
        self.common = common
        self.background = background if common else 0.0  # articles that the common terms count for
        self._unit = 1.0  # the current weight of an article
        self._articles = self.background
        self._counts = Growing(np.empty(0, np.float64))

    def see(self, terms: Ints, new: Sequence[str] = ()) -> None:
        """Count an article in the document frequencies of its terms.

        Args:
            terms: the numbers of its terms.
            new: the terms that no article had before; they have the highest numbers.
        """
        missing = (int(terms.max()) + 1 if len(terms) else 0) - self._counts.size
        if missing > 0:
            expected = [self.background * self.common.get(term, 0.0) for term in new] if self.background else []
            self._counts.extend(np.array(expected if len(expected) == missing else [0.0] * missing))
        self._unit *= 2.0 ** (1.0 / self.half_life)
        if self._unit > _TOO_LARGE:
            self._counts = Growing(self._counts.all / self._unit)
            self._articles /= self._unit
            self._unit = 1.0
        self._counts.all[terms] += self._unit
        self._articles += self._unit

    def of(self, terms: Ints) -> NDArray[np.float64]:
        """Return the rarities of terms; 0 for a term of every article."""
        return self._rarity(self._counts.all[terms])

    def unseen(self) -> float:
        """Return the rarity of a term that has not occurred."""
        return float(self._rarity(np.zeros(1))[0])

    def of_all(self) -> NDArray[np.float64]:
        """Return the rarities of all terms."""
        return self._rarity(self._counts.all)

    def _rarity(self, counts: NDArray[np.float64]) -> NDArray[np.float64]:
        ratio = (self._articles / self._unit + self.prior) / (counts / self._unit + 0.5)
        return np.maximum(np.log(ratio), 0.0)

    def select(self, selected: NDArray[np.int64]) -> Rarity:
        """Return the rarities of some terms, renumbered in this order."""
        fewer = Rarity(self.prior, self.half_life, self.background, self.common)
        fewer._unit, fewer._articles = self._unit, self._articles
        fewer._counts = Growing(self._counts.all[selected])
        return fewer

    def columns(self) -> dict[str, Column]:
        """Return the state as columns (`stories.packing` serialises them)."""
        parameters = np.array([self.prior, self.half_life, self._unit, self._articles, self.background])
        return {"rarity": parameters, "rarity counts": self._counts.all}

    @classmethod
    def of_columns(cls, columns: Mapping[str, Column], common: Mapping[str, float] = _NOTHING) -> Rarity:
        """Restore the state. A state of version 0.1 has no background, and continues without."""
        prior, half_life, unit, articles, *background = columns["rarity"].tolist()
        rarity = cls(prior, half_life, background[0] if background else 0.0, common)
        rarity._unit, rarity._articles = unit, articles
        rarity._counts = Growing(columns["rarity counts"].astype(np.float64))
        return rarity
