"""Report of a poll: the facts that the next poll is decided on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from tidings.sources import Offer, Schedule, SourceProblem

#: The number of publication times for adapting the interval.
MOST_TIMES: Final = 20
ANY_TIME: Final = Schedule()


@dataclass(frozen=True, slots=True)
class PollReport:
    """The facts from the response of a source."""

    kind: str = ""  # "rss 2.0", "front page", "sitemap"; empty: unknown
    title: str = ""
    links: int = 0
    new: int = 0  # links that no source had before
    published: tuple[datetime, ...] = ()  # latest first
    schedule: Schedule = ANY_TIME
    problems: tuple[SourceProblem, ...] = ()
    offers: tuple[Offer, ...] = ()  # feeds that a page declares
    moved_to: str = ""  # its declared new URL
    is_ended: bool = False  # it declares that no items will follow
    sitemaps: tuple[str, ...] = ()  # listed sitemaps
    recipe_problem: str = ""  # why the default replaced its recipe

    def with_(self, other: PollReport) -> PollReport:
        """Combine two reports: of a sitemap and of a sitemap that it lists."""
        times = sorted((*self.published, *other.published), reverse=True)[:MOST_TIMES]
        return replace(
            self,
            links=self.links + other.links,
            new=self.new + other.new,
            published=tuple(times),
            problems=self.problems + tuple(problem for problem in other.problems if problem not in self.problems),
        )
