"""Events of a watch, for progress bars, logs and tests."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from tidings_portal.store.records_of_articles import Fate
from tidings_portal.store.records_of_work import Poll, Source


@dataclass(frozen=True, slots=True)
class Polled:
    """A source was polled."""

    source: Source
    poll: Poll
    new: int = 0


@dataclass(frozen=True, slots=True)
class ArticleStored:
    """A page was extracted, with the result of storing its article."""

    address: str
    fate: Fate
    title: str = ""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class SetAside:
    """A page could not be fetched or extracted, and is not retried."""

    address: str
    reason: str


@dataclass(frozen=True, slots=True)
class Postponed:
    """A page is retried later."""

    address: str
    reason: str


@dataclass(frozen=True, slots=True)
class StoreTrouble:
    """A store problem that stops all work, such as a full disk. An empty sentence reports its end."""

    sentence: str


Event: TypeAlias = Polled | ArticleStored | SetAside | Postponed | StoreTrouble
Tell: TypeAlias = Callable[[Event], None]


@dataclass(slots=True)
class WatchCounts:
    """The counts of events, returned by a watch."""

    polled: int = 0
    broken: int = 0
    found: int = 0  # links that no source had before
    kept: int = 0
    changed: int = 0
    known: int = 0  # unchanged, or the article of another link
    skipped: int = 0
    set_aside: int = 0
    postponed: int = 0

    def count(self, event: Event) -> None:
        """Count an event."""
        if isinstance(event, Polled):
            self.polled += 1
            self.broken += event.poll.failed
            self.found += event.new
        elif isinstance(event, SetAside):
            self.set_aside += 1
        elif isinstance(event, Postponed):
            self.postponed += 1
        elif isinstance(event, ArticleStored):
            self.kept += event.fate is Fate.NEW
            self.changed += event.fate is Fate.CHANGED
            self.known += event.fate in (Fate.SAME, Fate.DUPLICATE)
            self.skipped += event.fate is Fate.SKIPPED
