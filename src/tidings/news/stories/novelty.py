"""What each article adds to a story: the sentences that nobody had said before (novelty detection; N-EXT thesis 1).

Articles of a story repeat each other. A sentence has been said if one earlier sentence holds most of its terms; this is
the overlap of sets that did as well as finer measures in the novelty tracks of TREC (Soboroff and Harman 2005). How new
it is, is the share of its terms that no single earlier sentence holds.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import chain
from typing import Final

from tidings.errors import BadState
from tidings.news.stories.report import Report
from tidings.text import sentences, terms

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
        self._holders: dict[str, list[int]] = {}

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
        if len(self._said) < _REMEMBERED:
            for term in held:
                self._holders.setdefault(term, []).append(len(self._said))
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
