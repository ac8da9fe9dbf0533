"""A few sentences that tell a story, taken from its articles, and the headline that fits it best.

**Sentences** are chosen by maximal marginal relevance (Carbonell and Goldstein 1998): near the centroid of the whole
story (Radev et al. 2004), not near what was chosen already and never saying the same, and rather from the beginning of
an article, where newspapers put what matters. They are shown in the order in which they came.

**The headline** is the one most like all the others: what most sources say, said by one of them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from tidings.news.stories.report import Report
from tidings.text import (
    FloatArray,
    Vectors,
    count_terms,
    count_words,
    fold_space,
    inverse_document_frequencies,
    sentences,
    terms,
)

_RELEVANCE: Final = 0.7  # against novelty: Carbonell and Goldstein's λ
_SAID: Final = 0.6  # cosine from which a sentence says what a chosen one says
_LEAD: Final = 0.25  # what the first sentence of an article is better by; half of it for the second, and so on
_SHORTEST, _LONGEST = 6, 60  # words of a sentence that can stand alone
_REPORTS: Final = 40  # articles that are looked at
_SENTENCES: Final = 25  # of each
_DATELINE: Final = re.compile(
    r"(?:(?P<bracketed>【[^】]{1,40}】)|(?P<place>[^–—(-]{2,60}?)(?: ?\([^)]{1,40}\))? ?[–—-] )\s*"
)


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of a summary and the article it is from."""

    text: str
    report: int


@dataclass(frozen=True, slots=True)
class _SentenceTerms:
    text: str
    report: int
    place: int


def summarise(reports: Sequence[Report], count: int = 3) -> tuple[SummarySentence, ...]:
    """At most so many sentences that tell a story, in the order they came."""
    found = _sentences(reports)
    if not found:
        return ()
    language = reports[0].language
    counted = count_terms(terms(one.text, language) for one in found)
    units = _units(counted)
    centroid = units.sum(axis=0)
    length = float(np.linalg.norm(centroid))
    relevance = units @ centroid / length if length else np.zeros(len(found))
    relevance = relevance * (1.0 + _LEAD / (1.0 + np.array([one.place for one in found])))
    relevance /= max(float(relevance.max()), 1e-12)
    chosen = _marginal(units, relevance, count)
    return tuple(SummarySentence(found[place].text, found[place].report) for place in sorted(chosen))


def story_title(reports: Sequence[Report]) -> str:
    """The headline that is most like the headlines and first sentences of all; among equals the first."""
    told = [report for report in reports if report.title.strip()]
    if not told:
        return ""
    language = told[0].language
    titles = [terms(report.title, language) for report in told]
    leads = [terms(" ".join(sentences(report.text, language)[:2]), language) for report in told]
    units = _units(count_terms([*titles, *leads]))
    centroid = units.sum(axis=0)
    fits = units[: len(told)] @ centroid
    return fold_space(told[int(fits.argmax())].title)


def _sentences(reports: Sequence[Report]) -> list[_SentenceTerms]:
    """Sentences that can stand alone, each once."""
    found: dict[str, _SentenceTerms] = {}
    for report in reports[:_REPORTS]:
        for place, sentence in enumerate(sentences(report.text, report.language)[:_SENTENCES]):
            text = fold_space(sentence) if place else _without_dateline(fold_space(sentence))
            if _SHORTEST <= count_words(text) <= _LONGEST * _stretch(text):
                found.setdefault(text, _SentenceTerms(text, report.id, place))
    return list(found.values())


def _without_dateline(text: str) -> str:
    """A first sentence without the place that agencies put before it: `PORT SELENE (Agency) – Storm Ilse …`."""
    found = _DATELINE.match(text)
    if found is None:
        return text
    place, rest = (found["place"] or "").partition(",")[0], text[found.end() :]
    is_dateline = found["bracketed"] or (place.isupper() and len(place.split()) <= 6 and not rest[:1].islower())
    return rest if is_dateline else text


def _stretch(text: str) -> int:
    """Scripts without spaces have a word for each character: their sentences have more."""
    return 1 if " " in text else 3


def _units(counted: Vectors) -> FloatArray:
    """Rows of length 1, terms weighted by 1 + ln(count) and rarity among the rows; written out, as there are few."""
    rarity = np.log1p(inverse_document_frequencies(counted)) + 0.1
    dense = np.zeros((len(counted), max(len(counted.vocabulary), 1)))
    weights = (1.0 + np.log(counted.weights)) * rarity[counted.columns] if len(counted.columns) else counted.weights
    dense[counted.owners(), counted.columns] = weights
    lengths = np.linalg.norm(dense, axis=1, keepdims=True)
    return np.asarray(np.divide(dense, lengths, out=dense, where=lengths > 0))


def _marginal(units: FloatArray, relevance: FloatArray, count: int) -> list[int]:
    chosen: list[int] = []
    repeated = np.zeros(len(relevance))
    for _ in range(min(count, len(relevance))):
        gain = _RELEVANCE * relevance - (1 - _RELEVANCE) * repeated
        gain[repeated >= _SAID] = -np.inf
        best = int(gain.argmax())
        if not np.isfinite(gain[best]):
            break
        chosen.append(best)
        repeated = np.maximum(repeated, units @ units[best])
        repeated[best] = 1.0
    return chosen
