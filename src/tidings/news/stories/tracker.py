"""Topic tracking and new-event detection over a stream of articles (N-EXT thesis 1, 7; Allan 2002).

Each article as it comes is either the first to tell of an event or follows a story. Languages are kept apart: each has
its own stories, and its own knowledge of which words are rare. The same articles in the same order give the same
stories; kept and taken up again, the tracker goes on as if nothing had been.

Time is that of the articles: one that does not say when it came out is taken to be as new as the newest so far.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from tidings.errors import BadState
from tidings.news.stories.packing import of_words, packed, to_words, unpacked
from tidings.news.stories.report import Report
from tidings.news.stories.story_index import Span, StoryIndex, StoryPlacement, Tracking
from tidings.news.stories.weights import TermWeights
from tidings.text import base_language

_KIND, _VERSION = "tracker", 1
_BEFORE_ALL = datetime(1970, 1, 1, tzinfo=UTC)


class EventAge(StrEnum):
    """Whether there is news of an event."""

    CURRENT = "current"
    PAST = "past"


@dataclass(frozen=True, slots=True)
class TrackedStory:
    """A story as it stands: who tells it, in the order they came, and when."""

    id: int  # the number of the article that began it
    language: str
    members: tuple[int, ...]
    first: datetime
    last: datetime

    def age(self, now: datetime, current: timedelta = timedelta(days=3)) -> EventAge:
        """A story is current while there is news of it, and past when there has been none for some days."""
        return EventAge.CURRENT if now - self.last <= current else EventAge.PAST


class Tracker:
    """Puts articles into stories as they come."""

    __slots__ = ("_languages", "tracking")

    def __init__(self, tracking: Tracking | None = None) -> None:
        self.tracking = tracking or Tracking()
        self._languages: dict[str, StoryIndex] = {}

    def __len__(self) -> int:
        return sum(map(len, self._languages.values()))

    def add(self, report: Report) -> StoryPlacement:
        """Put an article into its story, or let it begin one."""
        language = base_language(report.language)
        index = self._languages.get(language)
        if index is None:
            index = self._languages[language] = StoryIndex(self.tracking, language)
        if report.published is not None:
            time = (report.published - _BEFORE_ALL).total_seconds()
        else:
            time = max(one.latest for one in self._languages.values())
        return index.place(report, time)

    def add_all(self, reports: Iterable[Report]) -> list[StoryPlacement]:
        """The same for many, one after another."""
        return [self.add(report) for report in reports]

    def stories(self) -> list[TrackedStory]:
        """The stories that are remembered, language by language, in the order they began."""
        return [
            TrackedStory(name, language, members, _moment(first), _moment(last))
            for language, index in sorted(self._languages.items())
            for name, members, first, last in index.stories()
        ]

    def state(self) -> bytes:
        """All of it, for keeping."""
        languages = sorted(self._languages)
        told = of_words([json.dumps(asdict(self.tracking)), *languages])
        columns = {
            f"{number}/{name}": column
            for number, language in enumerate(languages)
            for name, column in self._languages[language].columns().items()
        }
        return packed(_KIND, _VERSION, {"told": told, **columns})

    @classmethod
    def from_state(cls, kept: bytes) -> Tracker:
        """As it was kept.

        Raises:
            BadState: the bytes are damaged or of something else.
        """
        columns = unpacked(kept, _KIND, _VERSION)
        try:
            told, *languages = to_words(columns["told"])
            parameters = json.loads(told)
            weights, span = TermWeights(**parameters.pop("weights")), Span(**parameters.pop("span"))
            tracker = cls(Tracking(**parameters, weights=weights, span=span))
            for number, language in enumerate(languages):
                begin = f"{number}/"
                own = {name.removeprefix(begin): one for name, one in columns.items() if name.startswith(begin)}
                tracker._languages[language] = StoryIndex.of(own, tracker.tracking, language)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise BadState(f"the kept state of {_KIND} is damaged ({error}); make it anew from the articles") from error
        return tracker


def _moment(seconds: float) -> datetime:
    return _BEFORE_ALL + timedelta(seconds=seconds)
