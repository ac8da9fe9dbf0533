"""Rows of articles as headlines."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any, Final

from tidings.news.store.clock import maybe_moment, moment
from tidings.news.store.database import Row, Session
from tidings.news.store.records_of_articles import ArticleHeadline

COLUMNS: Final = (
    "a.id, a.title, a.address, a.site, a.site_name, a.language, a.direction, a.authors, a.time, a.published,"
    " a.first_seen, a.category, a.summary, a.image, a.kind, a.word_count, a.story, a.reads, a.muted, a.versions,"
    " a.place"
)
WIDTH: Final = 21


def headlines(session: Session, rows: Sequence[Row]) -> list[ArticleHeadline]:
    """Headlines of rows that begin with COLUMNS, with the sources that showed each."""
    sources: dict[int, list[int]] = {}
    for article, source in session.in_all(
        "SELECT article, source FROM article_source WHERE article IN ({}) ORDER BY source", [row[0] for row in rows]
    ):
        sources.setdefault(article, []).append(source)
    return [_headline(row, tuple(sources.get(row[0], ()))) for row in rows]


def _headline(row: Row, sources: tuple[int, ...]) -> ArticleHeadline:
    times = moment(row[8]), maybe_moment(row[9]), moment(row[10])
    told: list[Any] = [*row[:7], tuple(json.loads(row[7])), *times, *row[11:18], bool(row[18]), row[19], sources]
    return ArticleHeadline(*told)
