"""Reports: articles with only the fields that grouping needs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime

from tidings.article import Article
from tidings.urls import URL


@dataclass(frozen=True, slots=True)
class Report:
    """An article of a source. Its number identifies it, and says nothing about order."""

    id: int
    title: str = ""
    text: str = ""
    language: str = ""
    published: datetime | None = None
    source: str = ""  # the host, or another name of the source

    @classmethod
    def of(cls, number: int, article: Article, published: datetime | None = None) -> Report:
        """Return an article as a report. `published` overrides the time of the article."""
        when = published or moment(article.published_as_stated)
        url = URL.try_parse(article.url)
        host = article.site if url is None else url.host
        return cls(number, article.title, article.text, article.language, when, host)


def moment(published: datetime | date | None) -> datetime | None:
    """Return a date or time as an aware time. A date begins at midnight UTC; a time without zone is UTC."""
    if published is None:
        return None
    if not isinstance(published, datetime):
        return datetime(published.year, published.month, published.day, tzinfo=UTC)
    return published if published.tzinfo else published.replace(tzinfo=UTC)
