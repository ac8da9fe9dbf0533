"""What looking at a source told: the facts that the next poll is decided on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from tidings.sources import Offer, Schedule, SourceProblem

#: Publication times that an interval is learned from.
MOST_TIMES: Final = 20
ANY_TIME: Final = Schedule()


@dataclass(frozen=True, slots=True)
class PollReport:
    """What a source said when it was last asked."""

    kind: str = ""  # "rss 2.0", "front page", "sitemap"; empty: it is none of these
    title: str = ""
    shown: int = 0  # links it has
    new: int = 0  # those that nobody had shown before
    published: tuple[datetime, ...] = ()  # when its latest were published, the latest first
    schedule: Schedule = ANY_TIME
    problems: tuple[SourceProblem, ...] = ()
    offers: tuple[Offer, ...] = ()  # feeds that the page offers, where it is a page
    moved_to: str = ""  # where it says that it lives from now on
    ended: bool = False  # it says that nothing will follow
    sitemaps: tuple[str, ...] = ()  # further sitemaps it names
    recipe_problem: str = ""  # why it is read by the default instead of its recipe

    def with_(self, other: PollReport) -> PollReport:
        """Both together: a sitemap and those it names."""
        times = sorted((*self.published, *other.published), reverse=True)[:MOST_TIMES]
        return replace(
            self,
            shown=self.shown + other.shown,
            new=self.new + other.new,
            published=tuple(times),
            problems=self.problems + tuple(one for one in other.problems if one not in self.problems),
        )
