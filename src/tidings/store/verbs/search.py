"""Search: a query, a page of answers with the places to mark, how many there are."""

from __future__ import annotations

from math import isnan, nan
from typing import Final

from tidings.errors import BadQuery
from tidings.store.database import Row, Session
from tidings.store.packing import text_of
from tidings.store.query import parse
from tidings.store.query_tree import Query
from tidings.store.records_of_articles import Count, Hit, Listed, Only, Order
from tidings.store.snippets import Marker
from tidings.store.verbs.base import Verbs, place_of
from tidings.store.verbs.headlines import COLUMNS, WIDTH, headlines
from tidings.store.verbs.ranking import score
from tidings.store.verbs.selecting import Chosen, languages, select

#: Articles that are ranked: the newest that a query finds. Of a word that is everywhere the best of all is no news, and
#: scoring 100,000 articles takes SQLite 0.4 s.
RANKED: Final = 1_000
#: In front of a cursor that points behind them.
_OLDER: Final = "older/"


class SearchVerbs(Verbs):
    """Finding articles by a query."""

    def search(
        self,
        query: str | Query,
        only: Only | None = None,
        *,
        order: Order = Order.RELEVANCE,
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
            if order is Order.RELEVANCE and chosen.rank is not None:
                rows, cursor = self._by_relevance(session, chosen, limit, after)
            else:
                rows, cursor = _by_time(session, chosen, limit, place_of(after), "")
            found = headlines(session, rows)
            marker = Marker.of(asked, languages(session))
            bodies: dict[int, bytes] = dict(
                session.in_all(
                    "SELECT a.id, v.body FROM article a JOIN version v ON v.id = a.current WHERE a.id IN ({})",
                    [row[0] for row in rows],
                )
            )
        hits = []
        for headline, row in zip(found, rows, strict=True):
            text = text_of(bodies[headline.id])
            title = marker.title(headline.title, headline.language)
            hits.append(Hit(headline, title, marker.text(text, headline.language), float(row[WIDTH])))
        return Listed(tuple(hits), cursor)

    def _by_relevance(
        self, session: Session, chosen: Chosen, limit: int, after: str | None
    ) -> tuple[list[Row], str | None]:
        """The best of the newest, then what is older in the order of time."""
        if after is not None and after.startswith(_OLDER):
            return _by_time(session, chosen, limit, place_of(after.removeprefix(_OLDER)), _OLDER)
        if after is None:
            best, at, first = 1e300, place_of(None), _ranked_from(session, chosen)
        else:
            best, at, first = _score_of(after)
        ranked, values = score(self.database, chosen)
        tables, where = chosen.smallest
        # The score is worked out once for each article and compared outside; what lists show is read for the best only.
        rows = session.all(
            f"SELECT {COLUMNS}, best.score FROM (SELECT * FROM (SELECT {chosen.place} AS at, {ranked} AS score FROM"
            f" {tables} WHERE {where.sql} AND {chosen.place} > ?) AS every"
            " WHERE score < ? OR (score = ? AND at < ?) ORDER BY score DESC, at DESC LIMIT ?) AS best"
            " JOIN article a ON a.place = best.at ORDER BY best.score DESC, best.at DESC",
            *(*values, *where.values, first, best, best, at, limit + 1),
        )
        if limit and len(rows) > limit:
            last = rows[limit - 1]
            return rows[:limit], f"{float(last[WIDTH])!r}/{last[WIDTH - 1]}/{first}"
        return rows[:limit], f"{_OLDER}{first + 1}" if first and limit else None

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


def _by_time(session: Session, chosen: Chosen, limit: int, before: int, sign: str) -> tuple[list[Row], str | None]:
    rows = session.all(
        f"SELECT {COLUMNS}, 0.0 FROM {chosen.tables} WHERE {chosen.where.sql} AND {chosen.place} < ?"
        f" ORDER BY {chosen.place} DESC LIMIT ?",
        *(*chosen.where.values, before, limit + 1),
    )
    more = limit and len(rows) > limit
    return rows[:limit], f"{sign}{rows[limit - 1][WIDTH - 1]}" if more else None


def _ranked_from(session: Session, chosen: Chosen) -> int:
    """The place from which on articles are ranked; 0 if all are."""
    if chosen.match is not None:
        sql = "SELECT rowid FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET ?"
        return session.value(sql, chosen.match, RANKED) or 0
    sql = f"SELECT a.place FROM {chosen.tables} WHERE {chosen.where.sql} ORDER BY a.place DESC LIMIT 1 OFFSET ?"
    return session.value(sql, *chosen.where.values, RANKED) or 0


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
