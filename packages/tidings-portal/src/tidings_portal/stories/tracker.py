"""Topic tracking and new-event detection over a stream of articles (N-EXT thesis 1, 7; Allan 2002).

Each article either begins a story or joins one. Each language has its own stories and term rarities. The same articles
in the same order give the same stories, also after saving and restoring the tracker. Time is that of the articles; an
article without a time counts as new as the newest so far.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

from tidings.errors import BadState
from tidings.text import base_language
from tidings_portal.stories.packing import of_words, packed, to_words, unpacked
from tidings_portal.stories.report import Report
from tidings_portal.stories.story_index import Span, StoryIndex, StoryPlacement, Tracking
from tidings_portal.stories.weights import TermWeights

_KIND, _VERSION = "tracker", 1
_BEFORE_ALL = datetime(1970, 1, 1, tzinfo=UTC)


class EventAge(StrEnum):
    """Whether a story has recent news."""

    CURRENT = "current"
    PAST = "past"


@dataclass(frozen=True, slots=True)
class TrackedStory:
    """A story with its members in order of arrival, and its times."""

    id: int  # the number of the article that began it
    language: str
    members: tuple[int, ...]
    first: datetime
    last: datetime

    def age(self, now: datetime, current: timedelta = timedelta(days=3)) -> EventAge:
        """Return whether the story has had news within `current`."""
        return EventAge.CURRENT if now - self.last <= current else EventAge.PAST


class Tracker:
    """A tracker that groups a stream of articles into stories."""

    __slots__ = ("_languages", "tracking")

    def __init__(self, tracking: Tracking | None = None) -> None:
        self.tracking = tracking or Tracking()
        self._languages: dict[str, StoryIndex] = {}

    def __len__(self) -> int:
        return sum(map(len, self._languages.values()))

    def add(self, report: Report) -> StoryPlacement:
        """Place an article in its story, or begin one."""
        language = base_language(report.language)
        index = self._languages.get(language)
        if index is None:
            index = self._languages[language] = StoryIndex(self.tracking, language)
        if report.published is not None:
            time = (report.published - _BEFORE_ALL).total_seconds()
        else:
            time = max(index_.latest for index_ in self._languages.values())
        return index.place(report, time)

    def add_all(self, reports: Iterable[Report]) -> list[StoryPlacement]:
        """Place articles in order."""
        return [self.add(report) for report in reports]

    def stories(self) -> list[TrackedStory]:
        """Return the stories by language, in the order they began."""
        return [
            TrackedStory(name, language, members, _moment(first), _moment(last))
            for language, index in sorted(self._languages.items())
            for name, members, first, last in index.stories()
        ]

    def state(self) -> bytes:
        """Return the state as bytes."""
        languages = sorted(self._languages)
        header = of_words([json.dumps(asdict(self.tracking)), *languages])
        columns = {
            f"{number}/{name}": column
            for number, language in enumerate(languages)
            for name, column in self._languages[language].columns().items()
        }
        return packed(_KIND, _VERSION, {"told": header, **columns})

    @classmethod
    def from_state(cls, data: bytes) -> Tracker:
        """Restore the state.

        Raises:
            BadState: the bytes are damaged or of another kind.
        """
        columns = unpacked(data, _KIND, _VERSION)
        try:
            parameters_json, *languages = to_words(columns["told"])
            parameters = json.loads(parameters_json)
            weights, span = TermWeights(**parameters.pop("weights")), Span(**parameters.pop("span"))
            tracker = cls(Tracking(**parameters, weights=weights, span=span))
            for number, language in enumerate(languages):
                begin = f"{number}/"
                own = {name.removeprefix(begin): column for name, column in columns.items() if name.startswith(begin)}
                tracker._languages[language] = StoryIndex.of(own, tracker.tracking, language)
        except (ValueError, KeyError, TypeError, IndexError) as error:
            raise BadState(f"the kept state of {_KIND} is damaged ({error}); make it anew from the articles") from error
        return tracker


def _moment(seconds: float) -> datetime:
    return _BEFORE_ALL + timedelta(seconds=seconds)
