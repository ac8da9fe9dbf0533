"""Search: a query, a page of answers with the places to mark, how many there are."""

from __future__ import annotations

from dataclasses import dataclass
from math import isnan, nan
from typing import Final

from tidings.errors import BadQuery
from tidings.news.store.base import place_of
from tidings.news.store.codec import text_of
from tidings.news.store.database import Row, Session
from tidings.news.store.quarantine import Quarantine, article_name
from tidings.news.store.query import parse
from tidings.news.store.query_tree import Query
from tidings.news.store.records_of_articles import ArticleHeadline, Count, Hit, Listed, Only, SearchOrder
from tidings.news.store.records_of_work import Stage
from tidings.news.store.snippets import Marker
from tidings.news.store.verbs.headlines import COLUMNS, WIDTH, headlines
from tidings.news.store.verbs.quarantine import QuarantineVerbs
from tidings.news.store.verbs.select_articles import ArticleSelection, score, select

#: Articles that are ranked: the newest that a query finds. Of a word that is everywhere the best of all is no news, and
#: scoring 100,000 articles takes SQLite 0.4 s.
RANKED: Final = 1_000
_ALL: Final = 1 << 31
#: In front of a cursor that points behind them.
_OLDER: Final = "older/"


@dataclass(frozen=True, slots=True)
class _FoundRows:
    """Rows of articles with their scores, where the next ones begin, and how many there are if that is known."""

    rows: list[Row]
    cursor: str | None
    count: Count | None = None


class SearchVerbs(QuarantineVerbs):
    """Finding articles by a query."""

    def search(
        self,
        query: str | Query,
        only: Only | None = None,
        *,
        order: SearchOrder = SearchOrder.RELEVANCE,
        limit: int = 20,
        after: str | None = None,
    ) -> Listed[Hit]:
        """Articles that a query finds, with the places it was found at.

        Raises:
            BadQuery: the query, or the cursor, cannot be read.
        """
        asked = parse(query) if isinstance(query, str) else query
        with self.database.reading() as session:
            chosen = select(self.database, session, asked, only or Only())
            if order is SearchOrder.RELEVANCE and chosen.rank is not None:
                answer = self._by_relevance(session, chosen, limit, after)
            else:
                answer = _by_time(session, chosen, limit, place_of(after), "")
            found = headlines(session, answer.rows)
            bodies: dict[int, bytes] = dict(
                session.in_all(
                    "SELECT a.id, v.body FROM article a JOIN version v ON v.id = a.current WHERE a.id IN ({})",
                    [one.id for one in found],
                )
            )
        marker = Marker.of(asked, chosen.languages)
        hits = []
        for headline, row in zip(found, answer.rows, strict=True):
            text = self._text(headline, bodies[headline.id])
            title = marker.title(headline.title, headline.language)
            hits.append(Hit(headline, title, marker.text(text, headline.language), float(row[WIDTH])))
        return Listed(tuple(hits), answer.cursor, answer.count)

    def _text(self, headline: ArticleHeadline, body: bytes) -> str:
        """The text of an article; nothing of one that cannot be read any more: it is found, and set aside."""
        try:
            return text_of(body)
        except Exception as error:  # bytes that were damaged may bring out anything
            aside = Quarantine(self, Stage.STORE)
            if not aside.is_out(article_name(headline)):
                aside.put(article_name(headline), error)
            return ""

    def _by_relevance(self, session: Session, chosen: ArticleSelection, limit: int, after: str | None) -> _FoundRows:
        """The best of the newest, then what is older in the order of time."""
        if after is not None and after.startswith(_OLDER):
            return _by_time(session, chosen, limit, place_of(after.removeprefix(_OLDER)), _OLDER)
        best, at, first = (1e300, place_of(None), 0) if after is None else _score_of(after)
        most = RANKED if after is None else _ALL
        ranked, values = score(self.database, chosen)
        tables, where = chosen.smallest
        # One look at the index tells scores, from where on is ranked, and how many there are; what lists show is read
        # for the best only. One statement of few rows: between any two rows other threads get their turn.
        rows = session.all(
            f"WITH every AS (SELECT {ranked} AS score, {chosen.place} AS at FROM {tables}"
            f" WHERE {where.sql} AND {chosen.place} > ? ORDER BY {chosen.place} DESC LIMIT ?),"
            " counted AS (SELECT count(*) AS number, min(at) AS last FROM every),"
            " best AS (SELECT * FROM counted CROSS JOIN every"
            " WHERE (score < ? OR (score = ? AND at < ?)) AND (number <= ? OR at > last)"
            " ORDER BY score DESC, at DESC LIMIT ?)"
            f" SELECT {COLUMNS}, best.score, best.number, best.last FROM best JOIN article a ON a.place = best.at"
            " ORDER BY best.score DESC, best.at DESC",
            *(*values, *where.values, first, most + 1, best, best, at, most, limit + 1),
        )
        number, last = rows[0][WIDTH + 1 :] if rows else (0, 0)
        if number > most:
            first = last
        count = Count(min(number, most), number > most) if after is None else None
        if limit and len(rows) > limit:
            score_of_last, place = rows[limit - 1][WIDTH], rows[limit - 1][WIDTH - 1]
            return _FoundRows(rows[:limit], f"{float(score_of_last)!r}/{place}/{first}", count)
        return _FoundRows(rows[:limit], f"{_OLDER}{first + 1}" if first and limit else None, count)

    def count(self, query: str | Query | None, only: Only | None = None, *, most: int = 1000) -> Count:
        """How many articles a query finds; counting stops at some number, so that it is quick.

        Raises:
            BadQuery: the query cannot be read.
        """
        asked = parse(query) if isinstance(query, str) else query
        with self.database.reading() as session:
            chosen = select(self.database, session, asked, only or Only())
            tables, where = chosen.smallest
            number = session.value(
                f"SELECT count(*) FROM (SELECT 1 FROM {tables} WHERE {where.sql} LIMIT ?) AS found",
                *(*where.values, most + 1),
            )
        return Count(min(number, most), number > most)


def _by_time(session: Session, chosen: ArticleSelection, limit: int, before: int, sign: str) -> _FoundRows:
    rows = session.all(
        f"SELECT {COLUMNS}, 0.0 FROM {chosen.tables} WHERE {chosen.where.sql} AND {chosen.place} < ?"
        f" ORDER BY {chosen.place} DESC LIMIT ?",
        *(*chosen.where.values, before, limit + 1),
    )
    more = limit and len(rows) > limit
    return _FoundRows(rows[:limit], f"{sign}{rows[limit - 1][WIDTH - 1]}" if more else None)


def _score_of(cursor: str) -> tuple[float, int, int]:
    """The score, the place, and from where on is ranked."""
    told, _, places = cursor.partition("/")
    place, _, first = places.partition("/")
    try:
        score = float(told)
    except ValueError:
        score = nan
    if isnan(score):
        raise BadQuery(cursor[:100], 0, "this is no cursor; begin the list anew")
    return score, place_of(place), place_of(first)
