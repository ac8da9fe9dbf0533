"""What a story is about: its summary, and what is new in it.

A few sentences that tell a story, taken from its articles, and the headline that fits it best.

**Sentences** are chosen by maximal marginal relevance (Carbonell and Goldstein 1998): near the centroid of the whole
story (Radev et al. 2004), not near what was chosen already and never saying the same, and rather from the beginning of
an article, where newspapers put what matters. They are shown in the order in which they came.

**The headline** is the one most like all the others: what most sources say, said by one of them.

What each article adds to a story: the sentences that nobody had said before (novelty detection; N-EXT thesis 1).

Articles of a story repeat each other. A sentence has been said if one earlier sentence holds most of its terms; this is
the overlap of sets that did as well as finer measures in the novelty tracks of TREC (Soboroff and Harman 2005). How new
it is, is the share of its terms that no single earlier sentence holds.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

import numpy as np

from tidings.errors import BadState
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


#: From this share of terms not held by one earlier sentence a sentence is new.
NEW: Final = 0.5
_FEWEST_TERMS: Final = 3  # of a sentence that says anything
_MOST_SENTENCES: Final = 500  # of an article
_REMEMBERED: Final = 5000  # sentences of a story


@dataclass(frozen=True, slots=True)
class NewSentence:
    """A sentence and how new it was when it came: 1 if nothing of it had been said, 0 if all of it."""

    text: str
    novelty: float


@dataclass(frozen=True, slots=True)
class Addition:
    """An article's sentences in their order."""

    sentences: tuple[NewSentence, ...]

    @property
    def new(self) -> tuple[str, ...]:
        """The sentences that had not been said."""
        return tuple(one.text for one in self.sentences if one.novelty >= NEW)

    @property
    def share(self) -> float:
        """The share of its sentences that are new."""
        return len(self.new) / len(self.sentences) if self.sentences else 0.0


class StoryTerms:
    """What has been told of a story so far, as sets of terms."""

    __slots__ = ("_holders", "_said")

    def __init__(self) -> None:
        self._said: list[frozenset[str]] = []
        self._holders: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, report: Report) -> Addition:
        """What an article adds; afterwards it has been told. Its own repetitions are not new either."""
        found = []
        for text in sentences(report.text, report.language)[:_MOST_SENTENCES]:
            held = frozenset(terms(text, report.language))
            if len(held) >= _FEWEST_TERMS:
                found.append(NewSentence(text, self._novelty(held)))
                self._remember(held)
        return Addition(tuple(found))

    def _novelty(self, held: frozenset[str]) -> float:
        common = Counter(chain.from_iterable(map(self._holders.__getitem__, held & self._holders.keys())))
        return 1.0 - max(common.values(), default=0) / len(held)

    def _remember(self, held: frozenset[str]) -> None:
        number, holders = len(self._said), self._holders
        if number < _REMEMBERED:
            for term in held:
                holders[term].append(number)
            self._said.append(held)

    def state(self) -> bytes:
        """All of it, for keeping."""
        return json.dumps([sorted(held) for held in self._said], ensure_ascii=False).encode("utf-8", "surrogatepass")

    @classmethod
    def from_state(cls, kept: bytes) -> StoryTerms:
        """As it was kept.

        Raises:
            BadState: the bytes are damaged or of something else.
        """
        told = cls()
        try:
            said = json.loads(kept.decode("utf-8", "surrogatepass"))
            for held in list(said):
                told._remember(frozenset(map(str, held)))
        except (ValueError, TypeError, RecursionError) as error:
            raise BadState(
                f"what was told of a story cannot be read ({error}); make it anew from its articles"
            ) from error
        return told


def what_each_adds(reports: Iterable[Report]) -> list[Addition]:
    """What each article of a story adds to those before it."""
    told = StoryTerms()
    return [told.add(report) for report in reports]
