"""What an article is about, in weights of terms: how often, in the headline or not, a name or not.

The terms are stems without stop words; in scripts without spaces pairs of neighbouring characters. A term counts
1 + ln(times), a time in the headline as several. Names tell events of one kind apart (two earthquakes, two trials), so
they count more: words written with a capital inside a sentence and never without. Where most words have one, as in a
headline set in capitals or in German, capitals tell nothing and names are not looked for.

How rare a term is, is not known here: `rarity` learns that from the articles that come by.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from tidings.news.stories.report import Report
from tidings.text import content_words, fold_case, letter_runs, sentences, stems, stop_words, terms

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
