"""What an article is about, in weights of terms: how often, in the headline or not, a name or not.

The terms are stems without stop words; in scripts without spaces pairs of neighbouring characters. A term counts
1 + ln(times), a time in the headline as several. Names tell events of one kind apart (two earthquakes, two trials), so
they count more: words written with a capital inside a sentence and never without. Where most words have one, as in a
headline set in capitals or in German, capitals tell nothing and names are not looked for.

How rare each term is, is learned from the stream of articles and slowly forgotten.

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

from tidings.news.stories.packing import Column
from tidings.news.stories.report import Report
from tidings.news.stories.sparse_rows import Growing, Ints
from tidings.text import content_words, fold_case, letter_runs, sentences, stems, stop_words, terms
from tidings.text import terms as terms_of

#: Texts are looked at so far; what stands further back adds little to what an article is about.
_MOST_CHARACTERS: Final = 20_000
#: Over this share of words with a capital inside sentences, capitals are no sign of a name.
_CAPITALS_TELL: Final = 0.3


@dataclass(frozen=True, slots=True)
class TermWeights:
    """How much a term counts. How the defaults were found, on labelled stories: docs, stories.md."""

    headline: float = 2.0  # a time in the headline counts as so many in the text
    name: float = 2.0
    number: float = 1.0

    def of(self, report: Report) -> dict[str, float]:
        """The terms of an article and their weights."""
        text = report.text[:_MOST_CHARACTERS]
        counts: Counter[str] = Counter()
        for term in _terms(text, report.language):
            counts[term] += 1
        found: dict[str, float] = dict(counts)
        for term in _terms(report.title[:_MOST_CHARACTERS], report.language):
            found[term] = found.get(term, 0.0) + self.headline
        known_names = names(text, report.language)
        return {
            term: (1.0 + math.log(max(count, 1.0))) * self._kind(term, known_names) for term, count in found.items()
        }

    def _kind(self, term: str, known_names: frozenset[str]) -> float:
        if term in known_names:
            return self.name
        return self.number if term[0].isdigit() else 1.0


def names(text: str, language: str = "") -> frozenset[str]:
    """The terms of a text that are names, as far as capitals tell."""
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
    found = terms(text, language)
    single = sum(1 for term in found if len(term) <= 2 and not term.isascii())
    if 2 * single <= len(found):
        return found
    return [f"{one}{other}" for one, other in pairwise(found)]


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
