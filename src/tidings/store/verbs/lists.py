"""Lists of articles: latest, by category, source, author, story, site, language and time; most read; alike."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from tidings.store.clock import micros, moment, places
from tidings.store.query_tree import Or, Words
from tidings.store.records_of_articles import Headline, Listed, Only, Tally, Totals
from tidings.store.search_words import search_words
from tidings.store.verbs.base import Verbs, known, place_of
from tidings.store.verbs.headlines import COLUMNS, WIDTH, headlines
from tidings.store.verbs.ranking import score
from tidings.store.verbs.selecting import languages, select
from tidings.text import stop_words

#: Articles about the same thing are near in time.
_NEAR = timedelta(days=30)
_ALIKE_WORDS = 8


class ListVerbs(Verbs):
    """Lists, a page at a time."""

    def articles(self, only: Only | None = None, *, limit: int = 20, after: str | None = None) -> Listed[Headline]:
        """The latest articles, all of them or some only. The cursor of a list asks for what comes after it."""
        wanted = only or Only()
        with self.database.reading() as session:
            chosen = select(self.database, session, wanted.query, wanted)
            rows = session.all(
                f"SELECT {COLUMNS} FROM {chosen.tables} WHERE {chosen.where.sql} AND {chosen.place} < ?"
                f" ORDER BY {chosen.place} DESC LIMIT ?",
                *chosen.where.values,
                *(place_of(after), limit + 1),
            )
            found = headlines(session, rows[:limit])
        return Listed(tuple(found), str(rows[limit - 1][WIDTH - 1]) if limit and len(rows) > limit else None)

    def most_read(self, since: datetime, *, limit: int = 20, after: str | None = None) -> Listed[Headline]:
        """What was read most since a day."""
        reads, number = _reads_of(after)
        day = micros(since) // (24 * 3600 * 1_000_000)
        with self.database.reading() as session:
            rows = session.all(
                f"SELECT {COLUMNS}, r.total FROM (SELECT article, sum(reads) AS total FROM reading WHERE day >= ?"
                " GROUP BY article) AS r JOIN article a ON a.id = r.article"
                " WHERE a.muted = 0 AND (r.total < ? OR (r.total = ? AND a.id < ?))"
                " ORDER BY r.total DESC, a.id DESC LIMIT ?",
                *(day, reads, reads, number, limit + 1),
            )
            found = headlines(session, rows[:limit])
        more = limit and len(rows) > limit
        return Listed(tuple(found), f"{int(rows[limit - 1][WIDTH])}-{rows[limit - 1][0]}" if more else None)

    def similar(self, article: int, *, limit: int = 6) -> list[Headline]:
        """Articles of the same weeks whose words are most like the title of this one. Not those of its own story."""
        if not known(article):
            return []
        with self.database.reading() as session:
            row = session.one("SELECT title, language, time, story FROM article WHERE id = ?", article)
            if row is None:
                return []
            title, language, time, story = row
            stopped = {token for word in stop_words(language) for token in search_words(word)}
            told = dict.fromkeys(token for token in search_words(title) if token not in stopped and len(token) > 1)
            words = sorted(told, key=lambda token: -len(token))[:_ALIKE_WORDS]
            if not words:
                return []
            query = Or(tuple(Words(word, exact=True) for word in words))
            first, last = places(*_around(time))
            chosen = select(self.database, session, query, Only(language=language))
            ranked, values = score(self.database, chosen)
            rows = session.all(
                f"SELECT {COLUMNS}, {ranked} AS score FROM {chosen.tables} WHERE {chosen.where.sql}"
                f" AND {chosen.place} BETWEEN ? AND ? AND a.id <> ? AND (a.story IS NULL OR a.story <> ?)"
                " ORDER BY score DESC LIMIT ?",
                *(*values, *chosen.where.values, first, last, article, story or 0, limit),
            )
            return headlines(session, rows)

    def categories(self) -> list[Tally]:
        """The categories there are and how many articles each has, the largest first."""
        sql = (
            "SELECT (SELECT category FROM article a WHERE a.category_key = k.category_key ORDER BY a.place LIMIT 1),"
            " number FROM (SELECT category_key, count(*) AS number FROM article WHERE category_key <> ''"
            " GROUP BY category_key) AS k ORDER BY number DESC, category_key"
        )
        return self._tally(sql)

    def authors(self, *, limit: int = 100) -> list[Tally]:
        """Those who have written most."""
        sql = (
            "SELECT min(name), count(*) FROM article_author WHERE author <> '' GROUP BY author"
            " ORDER BY count(*) DESC, author LIMIT ?"
        )
        return self._tally(sql, limit)

    def sites(self, *, limit: int = 100) -> list[Tally]:
        """The hosts with most articles."""
        return self._tally(
            "SELECT site, count(*) FROM article GROUP BY site ORDER BY count(*) DESC, site LIMIT ?", limit
        )

    def languages(self) -> list[str]:
        """The languages of the articles there are."""
        with self.database.reading() as session:
            return languages(session)

    def articles_by_source(self) -> dict[int, int]:
        """How many articles each source has brought."""
        with self.database.reading() as session:
            return dict(session.all("SELECT source, count(*) FROM article_source GROUP BY source"))

    def totals(self) -> Totals:
        """How much there is."""
        with self.database.reading() as session:
            counted: list[Any] = [
                session.value(f"SELECT count(*) FROM {table}")
                for table in ("article", "version", "story WHERE size > 0", "source", "link", "page")
            ]
            counted.append(int(session.value("SELECT coalesce(sum(stored), 0) FROM page")))
        return Totals(*counted)

    def _tally(self, sql: str, *values: int) -> list[Tally]:
        with self.database.reading() as session:
            return [Tally(name, number) for name, number in session.all(sql, *values)]


def _around(time: int) -> tuple[datetime, datetime]:
    return moment(time) - _NEAR, moment(time) + _NEAR


def _reads_of(cursor: str | None) -> tuple[int, int]:
    if cursor is None:
        return 1 << 62, 1 << 62
    reads, _, number = cursor.partition("-")
    return place_of(reads or None), place_of(number or None)
