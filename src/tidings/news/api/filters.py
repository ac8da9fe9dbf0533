"""Which articles a list or a search is of: the same filters for both."""

from __future__ import annotations

from dataclasses import dataclass

from tidings.news.api.about import (
    Author,
    Category,
    Language,
    Muted,
    Since,
    Site,
    SourceNumber,
    StoryNumber,
    Until,
)
from tidings.news.store.records_of_articles import Only


@dataclass(frozen=True, slots=True)
class Filters:
    """All that is given must be true."""

    category: Category = None
    source: SourceNumber = None
    site: Site = None
    author: Author = None
    language: Language = None
    story: StoryNumber = None
    since: Since = None
    until: Until = None
    muted: Muted = False

    @property
    def only(self) -> Only:
        """The same as the store takes it."""
        return Only(
            category=self.category,
            source=self.source,
            author=self.author,
            story=self.story,
            site=self.site,
            language=self.language,
            since=self.since,
            until=self.until,
            muted=self.muted,
        )
