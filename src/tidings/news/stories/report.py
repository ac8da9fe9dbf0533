"""A report: an article as this package sees it, and no more of it than grouping needs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime

from tidings.article import Article
from tidings.urls import URL


@dataclass(frozen=True, slots=True)
class Report:
    """What one source tells. The number is whatever its keeper knows it by; it says nothing about order."""

    id: int
    title: str = ""
    text: str = ""
    language: str = ""
    published: datetime | None = None
    source: str = ""  # the host, or any name of who tells it

    @classmethod
    def of(cls, number: int, article: Article, published: datetime | None = None) -> Report:
        """An article as a report; the keeper may know better when it came out."""
        when = published or moment(article.published_told)
        url = URL.try_parse(article.url)
        host = article.site if url is None else url.host
        return cls(number, article.title, article.text, article.language, when, host)


def moment(told: datetime | date | None) -> datetime | None:
    """A date or a time as an aware time: a day begins at midnight, and a time without zone is taken for UTC."""
    if told is None:
        return None
    if not isinstance(told, datetime):
        return datetime(told.year, told.month, told.day, tzinfo=UTC)
    return told if told.tzinfo else told.replace(tzinfo=UTC)
