"""Summaries and headlines of stories, and novelty detection: what each article adds to a story.

The summary is a few sentences from the articles, selected by maximal marginal relevance (Carbonell and Goldstein 1998):
near the centroid of the story (Radev et al. 2004), different from selected ones, and preferably from the beginning of
an article, where newspapers put what matters. They are shown in their original order. The headline is the one most
similar to all the others.

Novelty detection (N-EXT thesis 1): articles of a story repeat each other. A sentence is known if one earlier sentence
has most of its terms; this overlap of sets did as well as finer measures in the novelty tracks of TREC (Soboroff and
Harman 2005). Its novelty is the share of its terms that no single earlier sentence has.
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
from tidings_portal.stories.report import Report

_RELEVANCE: Final = 0.7  # versus novelty: Carbonell and Goldstein's λ
_SAID: Final = 0.6  # cosine from which a sentence repeats a selected one
_LEAD: Final = 0.25  # bonus of the first sentence of an article; half of it for the second, and so on
_SHORTEST, _LONGEST = 6, 60  # words of a suitable sentence
_REPORTS: Final = 40  # articles per story
_SENTENCES: Final = 25  # sentences per article
_DATELINE: Final = re.compile(
    r"(?:(?P<bracketed>【[^】]{1,40}】)|(?P<place>[^–—(-]{2,60}?)(?: ?\([^)]{1,40}\))? ?[–—-] )\s*"
)


@dataclass(frozen=True, slots=True)
class SummarySentence:
    """A sentence of a summary, and its article."""

    text: str
    report: int


@dataclass(frozen=True, slots=True)
class _SentenceTerms:
    text: str
    report: int
    place: int


def summarise(reports: Sequence[Report], count: int = 3) -> tuple[SummarySentence, ...]:
    """Return at most `count` sentences that summarise a story, in order of appearance."""
    candidates = _sentences(reports)
    if not candidates:
        return ()
    language = reports[0].language
    counted = count_terms(terms(sentence.text, language) for sentence in candidates)
    units = _units(counted)
    centroid = units.sum(axis=0)
    length = float(np.linalg.norm(centroid))
    relevance = units @ centroid / length if length else np.zeros(len(candidates))
    relevance = relevance * (1.0 + _LEAD / (1.0 + np.array([sentence.place for sentence in candidates])))
    relevance /= max(float(relevance.max()), 1e-12)
    chosen = _marginal(units, relevance, count)
    return tuple(SummarySentence(candidates[place].text, candidates[place].report) for place in sorted(chosen))


def story_title(reports: Sequence[Report]) -> str:
    """Return the headline most similar to all headlines and first sentences; of equals the first."""
    titled = [report for report in reports if report.title.strip()]
    if not titled:
        return ""
    language = titled[0].language
    titles = [terms(report.title, language) for report in titled]
    leads = [terms(" ".join(sentences(report.text, language)[:2]), language) for report in titled]
    units = _units(count_terms([*titles, *leads]))
    centroid = units.sum(axis=0)
    fits = units[: len(titled)] @ centroid
    return fold_space(titled[int(fits.argmax())].title)


def _sentences(reports: Sequence[Report]) -> list[_SentenceTerms]:
    """Return the distinct sentences of suitable length in some articles."""
    by_text: dict[str, _SentenceTerms] = {}
    for report in reports[:_REPORTS]:
        for place, sentence in enumerate(sentences(report.text, report.language)[:_SENTENCES]):
            text = fold_space(sentence) if place else _without_dateline(fold_space(sentence))
            if _SHORTEST <= count_words(text) <= _LONGEST * _stretch(text):
                by_text.setdefault(text, _SentenceTerms(text, report.id, place))
    return list(by_text.values())


def _without_dateline(text: str) -> str:
    """Return a first sentence without the dateline of an agency: `PORT SELENE (Agency) – Storm Ilse …`."""
    match = _DATELINE.match(text)
    if match is None:
        return text
    place, rest = (match["place"] or "").partition(",")[0], text[match.end() :]
    is_dateline = match["bracketed"] or (place.isupper() and len(place.split()) <= 6 and not rest[:1].islower())
    return rest if is_dateline else text


def _stretch(text: str) -> int:
    """Return the factor for the maximum number of words in a sentence: in scripts without spaces each character is a
    word.
    """
    return 1 if " " in text else 3


def _units(counted: Vectors) -> FloatArray:
    """Return term counts as dense rows of length 1, with terms weighted by 1 + ln(count) and by rarity among
    the rows.
    """
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


#: The least share of new terms of a new sentence.
NEW: Final = 0.5
_FEWEST_TERMS: Final = 3  # terms of a sentence
_MOST_SENTENCES: Final = 500  # of an article
_REMEMBERED: Final = 5000  # sentences of a story


@dataclass(frozen=True, slots=True)
class NewSentence:
    """A sentence and its novelty: 1 if all its terms are new, 0 if none."""

    text: str
    novelty: float


@dataclass(frozen=True, slots=True)
class Addition:
    """The sentences of an article in order, with the novelty of each."""

    sentences: tuple[NewSentence, ...]

    @property
    def new(self) -> tuple[str, ...]:
        """Return the new sentences."""
        return tuple(sentence.text for sentence in self.sentences if sentence.novelty >= NEW)

    @property
    def share(self) -> float:
        """Return the share of new sentences."""
        return len(self.new) / len(self.sentences) if self.sentences else 0.0


class StoryTerms:
    """The sentences of a story up to now, as sets of terms."""

    __slots__ = ("_holders", "_said")

    def __init__(self) -> None:
        self._said: list[frozenset[str]] = []
        self._holders: defaultdict[str, list[int]] = defaultdict(list)

    def add(self, report: Report) -> Addition:
        """Add an article and return its novelty. Repetitions inside the article are not new."""
        additions = []
        for text in sentences(report.text, report.language)[:_MOST_SENTENCES]:
            term_set = frozenset(terms(text, report.language))
            if len(term_set) >= _FEWEST_TERMS:
                additions.append(NewSentence(text, self._novelty(term_set)))
                self._remember(term_set)
        return Addition(tuple(additions))

    def _novelty(self, term_set: frozenset[str]) -> float:
        common = Counter(chain.from_iterable(map(self._holders.__getitem__, term_set & self._holders.keys())))
        return 1.0 - max(common.values(), default=0) / len(term_set)

    def _remember(self, term_set: frozenset[str]) -> None:
        number, holders = len(self._said), self._holders
        if number < _REMEMBERED:
            for term in term_set:
                holders[term].append(number)
            self._said.append(term_set)

    def state(self) -> bytes:
        """Return the state as bytes."""
        saved = [sorted(term_set) for term_set in self._said]
        return json.dumps(saved, ensure_ascii=False).encode("utf-8", "surrogatepass")

    @classmethod
    def from_state(cls, data: bytes) -> StoryTerms:
        """Restore the state.

        Raises:
            BadState: the bytes are damaged or of another kind.
        """
        story_terms = cls()
        try:
            saved = json.loads(data.decode("utf-8", "surrogatepass"))
            for term_set in list(saved):
                story_terms._remember(frozenset(map(str, term_set)))
        except (ValueError, TypeError, RecursionError) as error:
            raise BadState(
                f"what was told of a story cannot be read ({error}); make it anew from its articles"
            ) from error
        return story_terms


def what_each_adds(reports: Iterable[Report]) -> list[Addition]:
    """Return for each article of a story which sentences earlier articles do not have."""
    story_terms = StoryTerms()
    return [story_terms.add(report) for report in reports]
