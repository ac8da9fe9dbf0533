"""Lists of articles: latest, by category, source, author, story, site, language and time; most read; alike."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from tidings.news.store.base import Verbs, known, place_of, spoken_in
from tidings.news.store.clock import micros, moment, places
from tidings.news.store.database import Session
from tidings.news.store.query_tree import Or, Query, SearchedWords
from tidings.news.store.records_of_articles import ArticleHeadline, Listed, NameCount, Only, Totals
from tidings.news.store.search_words import search_words
from tidings.news.store.verbs.headlines import COLUMNS, WIDTH, headlines
from tidings.news.store.verbs.select_articles import languages, score, select
from tidings.text import stop_words

#: Articles about the same thing are near in time.
_NEAR = timedelta(days=30)
_ALIKE_WORDS = 8
#: Articles with one of these words that are compared; a word that is everywhere says little.
_ALIKE_ARTICLES = 1000


class ListVerbs(Verbs):
    """Lists, a page at a time."""

    def articles(
        self, only: Only | None = None, *, limit: int = 20, after: str | None = None
    ) -> Listed[ArticleHeadline]:
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

    def most_read(
        self,
        since: datetime,
        *,
        language: str | Sequence[str] | None = None,
        limit: int = 20,
        after: str | None = None,
    ) -> Listed[ArticleHeadline]:
        """What was read most since a day, in all languages or in some."""
        reads, number = _reads_of(after)
        none: tuple[str, tuple[str, ...]] = ("", ())
        sql, values = none if language is None else spoken_in("language", language)
        spoken = f" AND article IN (SELECT id FROM article WHERE {sql})" if sql else ""
        day = micros(since) // (24 * 3600 * 1_000_000)
        with self.database.reading() as session:
            # The most read are found first, and what lists show is read for those alone.
            rows = session.all(
                f"SELECT {COLUMNS}, r.total FROM (SELECT article, sum(reads) AS total FROM reading WHERE day >= ?"
                " AND article NOT IN (SELECT id FROM article WHERE muted <> 0)" + spoken + " GROUP BY article"
                " HAVING sum(reads) < ? OR (sum(reads) = ? AND article < ?)"
                " ORDER BY sum(reads) DESC, article DESC LIMIT ?) AS r JOIN article a ON a.id = r.article"
                " ORDER BY r.total DESC, a.id DESC",
                day,
                *values,
                *(reads, reads, number, limit + 1),
            )
            found = headlines(session, rows[:limit])
        more = limit and len(rows) > limit
        return Listed(tuple(found), f"{int(rows[limit - 1][WIDTH])}-{rows[limit - 1][0]}" if more else None)

    def similar(self, article: int, *, limit: int = 6) -> list[ArticleHeadline]:
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
            first, last = places(*_around(time))
            asked = Only(language=language)
            longest = sorted(told, key=lambda token: -len(token))[:_ALIKE_WORDS]
            words = self._rarest(session, longest, (first or 0, last or 0))
            if not words:
                return []
            chosen = select(self.database, session, _any_of(words), asked)
            ranked, values = score(self.database, chosen)
            rows = session.all(
                f"SELECT {COLUMNS}, {ranked} AS score FROM {chosen.tables} WHERE {chosen.where.sql}"
                f" AND {chosen.place} BETWEEN ? AND ? AND a.id <> ? AND (a.story IS NULL OR a.story <> ?)"
                " ORDER BY score DESC LIMIT ?",
                *(*values, *chosen.where.values, first, last, article, story or 0, limit),
            )
            return headlines(session, rows)

    def _rarest(self, session: Session, words: Sequence[str], between: tuple[int, int]) -> list[str]:
        """The rarest words of a stretch of time, as many as lead to few enough articles together."""
        counted = []
        for word in words:
            chosen = select(self.database, session, _any_of([word]), Only(muted=True))
            if chosen.alone is not None:  # SQLite goes through them in the order of time, and can stop
                number: int = session.value(
                    f"SELECT count(*) FROM (SELECT 1 FROM words w WHERE {chosen.alone.sql}"
                    f" AND {chosen.place} BETWEEN ? AND ? LIMIT ?) AS found",
                    *(*chosen.alone.values, *between, _ALIKE_ARTICLES),
                )
            else:  # PostgreSQL counts in the index of words, and is slow wherever it has to look beside it
                sql = f"SELECT count(*) FROM article_words w WHERE {chosen.where.sql}"
                number = session.value(sql, *chosen.where.values)
            counted.append((number, word))
        found: list[str] = []
        together = 0
        for number, word in sorted(counted):
            together += number
            if found and together > _ALIKE_ARTICLES:
                break
            found.append(word)
        return found

    def categories(self) -> list[NameCount]:
        """The categories there are and how many articles each has, the largest first."""
        sql = (
            "SELECT (SELECT category FROM article a WHERE a.category_key = k.category_key ORDER BY a.place LIMIT 1),"
            " number FROM (SELECT category_key, count(*) AS number FROM article WHERE category_key <> ''"
            " GROUP BY category_key) AS k ORDER BY number DESC, category_key"
        )
        return self._tally(sql)

    def authors(self, *, limit: int = 100) -> list[NameCount]:
        """Those who have written most."""
        sql = (
            "SELECT min(name), count(*) FROM article_author WHERE author <> '' GROUP BY author"
            " ORDER BY count(*) DESC, author LIMIT ?"
        )
        return self._tally(sql, limit)

    def sites(self, *, limit: int = 100) -> list[NameCount]:
        """The hosts with most articles."""
        return self._tally(
            "SELECT site, count(*) FROM article GROUP BY site ORDER BY count(*) DESC, site LIMIT ?", limit
        )

    def site_names(self) -> dict[str, str]:
        """What sites call themselves, where their articles mostly agree on something that is no address."""
        sql = "SELECT site, site_name, count(*) FROM article WHERE site_name <> '' GROUP BY site, site_name"
        found: dict[str, tuple[int, str]] = {}
        with self.database.reading() as session:
            for site, name, count in session.all(sql):
                if "." not in name.strip(" .") or " " in name.strip():
                    found[site] = max(found.get(site, (0, "")), (count, name))
        return {site: name for site, (_, name) in found.items()}

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

    def _tally(self, sql: str, *values: int) -> list[NameCount]:
        with self.database.reading() as session:
            return [NameCount(name, number) for name, number in session.all(sql, *values)]


def _any_of(words: Sequence[str]) -> Query:
    return Or(tuple(SearchedWords(word, exact=True) for word in words))


def _around(time: int) -> tuple[datetime, datetime]:
    middle = max(moment(time), moment(0))  # weeks before the year 1 there are none
    return middle - _NEAR, middle + _NEAR


def _reads_of(cursor: str | None) -> tuple[int, int]:
    if cursor is None:
        return 1 << 62, 1 << 62
    reads, _, number = cursor.partition("-")
    return place_of(reads or None), place_of(number or None)
