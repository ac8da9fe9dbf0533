"""Store methods for listing, filtering and searching articles.

A list is read from one or more leads: tables in the order of places, each with its own index. Each lead gives its
newest few, and the newest of these are returned, so the time grows with the number of leads and not with the size of
the store. If words are required, SQLite's full-text table leads, as its row numbers are places. A list by author or
source is led by the table of authors or sources, which has places too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Final

from tidings.errors import BadQuery
from tidings_portal.store.codec import text_of
from tidings_portal.store.database import Database, Row, Session, Value, chunks, is_possible, key, place_of, spoken_in
from tidings_portal.store.quarantine import Quarantine, article_name
from tidings_portal.store.query import And, Is, Not, Or, Property, Query, parse
from tidings_portal.store.records_of_articles import ArticleHeadline, Count, Hit, Listed, Only, SearchOrder
from tidings_portal.store.records_of_work import NUMBER_BITS, Stage, places
from tidings_portal.store.selection import Selection, SqlCondition, combined, name_key, within
from tidings_portal.store.snippets import Marker
from tidings_portal.store.verbs.quarantine import QuarantineVerbs
from tidings_portal.store.verbs.sources import named_sources
from tidings_portal.store.verbs.stories import COLUMNS, WIDTH, headlines, real_story

#: Leads per statement: SQLite accepts 500 SELECTs, with six values each.
_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True)
class Lead:
    """SQL tables from which a list of articles (`a`) can be read in the order of their places (sort keys)."""

    tables: str
    place: str
    where: str
    values: tuple[Value, ...] = ()


def newest(session: Session, leads: Sequence[Lead], before: int, limit: int) -> list[tuple[int, int]]:
    """Return the newest articles of several leads (see `Lead`) before a place, each once: its place and its number."""
    articles: set[tuple[int, int]] = set()
    for part in chunks(leads, _AT_ONCE):
        inner = (
            f"SELECT * FROM (SELECT {lead.place} AS place, a.id AS id FROM {lead.tables} WHERE {lead.where}"
            f" AND {lead.place} < ? ORDER BY {lead.place} DESC LIMIT ?) AS t{number}"
            for number, lead in enumerate(part)
        )
        values = [value for lead in part for value in (*lead.values, before, limit)]
        articles.update((place, article) for place, article in session.all(" UNION ALL ".join(inner), *values))
    return sorted(articles, reverse=True)[:limit]


def counts(session: Session, leads: Sequence[Lead], most: int) -> list[int]:
    """Return the number of articles of each lead (see `Lead`), counted up to `most`."""
    totals: list[int] = []
    for part in chunks(leads, _AT_ONCE):
        inner = (
            f"SELECT {number} AS list, (SELECT count(*) FROM (SELECT 1 FROM {lead.tables} WHERE {lead.where} LIMIT ?)"
            f" AS t{number}) AS counted"
            for number, lead in enumerate(part)
        )
        rows = session.all(" UNION ALL ".join(inner), *(value for lead in part for value in (*lead.values, most)))
        totals += [int(counted) for _, counted in sorted(rows)]
    return totals


def listed(session: Session, leads: Sequence[Lead], after: str | None, limit: int) -> Listed[ArticleHeadline]:
    """Return the newest articles of several leads (see `Lead`) as headlines, one page at a time."""
    rows = newest(session, leads, place_of(after), limit + 1)
    numbers = [article for _, article in rows[:limit]]
    rows_of_articles = session.in_all(f"SELECT {COLUMNS} FROM article a WHERE a.id IN ({{}})", numbers)
    articles = {article.id: article for article in headlines(session, rows_of_articles)}
    more = limit > 0 and len(rows) > limit
    return Listed(tuple(articles[number] for number in numbers), str(rows[limit - 1][0]) if more else None)


_NOT_MUTED: Final = SqlCondition("a.muted = 0")
_NO_COPY: Final = SqlCondition("a.copy_of IS NULL")
#: Conditions on the full-text table alone.
_ALONE: Final = {_NOT_MUTED: "w.rowid NOT IN (SELECT place FROM article WHERE muted <> 0)"}
_ALIAS_A: Final = re.compile(r"\ba\b")
_ALIAS_W: Final = re.compile(r"\bw\b")
#: A loose index scan in one statement, as each search needs the languages.
_LANGUAGES: Final = (
    "WITH RECURSIVE spoken (language) AS (SELECT min(language) FROM article UNION ALL"
    " SELECT (SELECT min(a.language) FROM article a WHERE a.language > spoken.language) FROM spoken"
    " WHERE spoken.language IS NOT NULL) SELECT language FROM spoken WHERE language IS NOT NULL"
)
#: By place, so that the condition also works on the full-text table alone.
_NOT_HIDDEN: Final = (
    "a.place NOT IN (SELECT v.place FROM hidden h JOIN article v ON v.id = h.article WHERE h.person = ?)"
)
_OF_ARTICLES: Final = re.compile(r"\ba\.")


@dataclass(frozen=True, slots=True)
class ArticleSelection:
    """The parts of an SQL query for articles: tables, conditions, column of places, and the words to rank by."""

    tables: str
    where: SqlCondition
    place: str = "a.place"
    rank: str | None = None
    match: str | None = None  # the full-text match, if the full-text table leads
    alone: SqlCondition | None = None  # the same conditions on that table alone, if possible
    languages: tuple[str, ...] = ()  # the languages for word forms

    @property
    def smallest(self) -> tuple[str, SqlCondition]:
        """Return the fewest SQL tables that suffice to select the articles, and their condition."""
        return (self.tables, self.where) if self.alone is None else ("words w", self.alone)


def select(database: Database, session: Session, query: Query | None, only: Only | None = None) -> ArticleSelection:
    """Return the selection of articles for a query, a filter, or both."""
    conditions = [] if only is None else _conditions(session, only, is_search=query is not None)
    tables, place, rank, match = "article a", "a.place", None, None
    by_others = [] if only is None else _lead_conditions(only)
    spoken = () if query is None else tuple(languages(session))
    reader = None if only is None else only.reader
    if reader is not None and not (query is not None and _asks_for_hidden(query)):
        conditions.append(SqlCondition(_NOT_HIDDEN, (key(reader),)))
    if query is not None:
        match_selection = database.select(
            _real(session, query, key(reader or "")), spoken, lambda name: named_sources(session, name)
        )
        tables, rank, match = database.searched, match_selection.rank, match_selection.match
        conditions.append(match_selection.where)
        if only is not None and not only.copies:
            conditions.append(_not_folded(database, match_selection))
        if match is not None:
            # CROSS JOIN makes SQLite start with the left table.
            tables, place = "words w CROSS JOIN article a ON a.place = w.rowid", "w.rowid"
            conditions.insert(0, SqlCondition("w.words MATCH ?", (match,)))
    elif by_others:
        table, condition = by_others.pop(0)
        tables, place = f"{table} s JOIN article a ON a.id = s.article", "s.place"
        conditions.insert(0, condition)
    alone = None if match is None or by_others else _alone(conditions)
    for table, condition in by_others:
        inner = f"SELECT 1 FROM {table} s WHERE s.article = a.id AND {condition.sql}"
        conditions.append(SqlCondition(f"EXISTS ({inner})", condition.values))
    return ArticleSelection(tables, combined(" AND ", conditions), place, rank, match, alone, spoken)


def _alone(conditions: Sequence[SqlCondition]) -> SqlCondition | None:
    """Return the conditions that the full-text table can check alone (its row numbers are places); None if others
    remain.
    """
    alone = [
        SqlCondition(_ALONE.get(condition) or condition.sql.replace("a.place", "w.rowid"), condition.values)
        for condition in conditions
    ]
    return None if any(_OF_ARTICLES.search(condition.sql) for condition in alone) else combined(" AND ", alone)


def languages(session: Session) -> list[str]:
    """Return the languages of the articles, by a loose index scan."""
    return [language for (language,) in session.all(_LANGUAGES) if language]


def _lead_conditions(only: Only) -> list[tuple[str, SqlCondition]]:
    """Return the conditions on tables other than `article`."""
    conditions: list[tuple[str, SqlCondition]] = []
    if only.author is not None:
        conditions.append(("article_author", SqlCondition("s.author = ?", (name_key(only.author),))))
    if only.source is not None:
        conditions.append(("article_source", SqlCondition("s.source = ?", (_number(only.source),))))
    return conditions


def _not_folded(database: Database, selection: Selection) -> SqlCondition:
    """Return the SQL condition that leaves out copies if the query matches their original too; a copy has its own
    words.
    """
    if selection.match is not None:
        sql = (
            "a.place NOT IN (SELECT c.place FROM words v CROSS JOIN article o ON o.place = v.rowid"
            " JOIN article c ON c.copy_of = o.id WHERE v.words MATCH ?)"
        )
        return SqlCondition(sql, (selection.match,))
    tables = _ALIAS_W.sub("v", _ALIAS_A.sub("o", database.searched))
    where = re.sub(r"\bw\.", "v.", _OF_ARTICLES.sub("o.", selection.where.sql))
    sql = f"a.place NOT IN (SELECT c.place FROM {tables} JOIN article c ON c.copy_of = o.id WHERE {where})"
    return SqlCondition(sql, selection.where.values)


def _conditions(session: Session, only: Only, *, is_search: bool = False) -> list[SqlCondition]:
    conditions = [] if only.muted else [_NOT_MUTED]
    if not only.copies and not is_search:
        conditions.append(_NO_COPY)
    if only.topic is not None:
        conditions.append(SqlCondition("a.topic = ?", (key(only.topic),)))
    if only.category is not None:
        conditions.append(SqlCondition("a.category_key = ?", (name_key(only.category),)))
    if only.language is not None:
        conditions.append(SqlCondition(*spoken_in("a.language", only.language)))
    if only.site is not None:
        conditions.append(SqlCondition("a.site = ?", (only.site.lower().removeprefix("www."),)))
    if only.story is not None:
        story = real_story(session, _number(only.story))
        conditions.append(SqlCondition("(a.story IS NOT NULL AND a.story = ?)", (story or -1,)))
    if only.since is not None or only.until is not None:
        conditions.append(within(*places(only.since, only.until)))
    return conditions


def _number(number: int) -> int:
    return number if is_possible(number) else -1


def _asks_for_hidden(query: Query) -> bool:
    match query:
        case Is(Property.IS, "hidden"):
            return True
        case And(parts) | Or(parts):
            return any(map(_asks_for_hidden, parts))
        case Not(part):
            return _asks_for_hidden(part)
        case _:
            return False


def _real(session: Session, query: Query, reader: str) -> Query:
    """Replace numbers of merged stories in a query by their targets, and conditions on marks by those of the reader."""
    match query:
        case Is(Property.IS, value):
            return Is(Property.IS, value, reader)
        case Is(Property.STORY, value):
            return Is(Property.STORY, str(real_story(session, int(value)) or 0))
        case And(parts) | Or(parts):
            return replace(query, parts=tuple(_real(session, part, reader) for part in parts))
        case Not(part):
            return Not(_real(session, part, reader))
        case _:
            return query


def score(database: Database, chosen: ArticleSelection) -> tuple[str, tuple[str, ...]]:
    """Return an SQL expression for relevance and its values; 0 if there is nothing to rank by."""
    if chosen.rank is None:
        return "0.0", ()
    return database.ranking(chosen.rank)


#: The number of newest matches to rank. The best match of a common word may be old, and scoring 100,000 articles takes
#: SQLite 0.4 s.
RANKED: Final = 400
_ALL: Final = 1 << 31
#: The age of an article in days, relative to the newest match, so that it is the same on every page of results.
_DAYS: Final = f"((newest >> {NUMBER_BITS}) / 86400 - (at >> {NUMBER_BITS}) / 86400)"
#: After this many days an article scores three quarters, in the end half; in a language that the user does not prefer,
#: less.
_FRESH: Final = 30.0
_OTHER_LANGUAGE: Final = 0.3
#: The prefix of a cursor after the ranked articles.
_OLDER: Final = "older/"


@dataclass(frozen=True, slots=True)
class _FoundRows:
    """Rows of articles with their scores, the cursor of the next page, and the total if it was counted."""

    rows: list[Row]
    cursor: str | None
    count: Count | None = None


class SearchVerbs(QuarantineVerbs):
    """Store methods for full-text search."""

    def search(
        self,
        query: str | Query,
        only: Only | None = None,
        *,
        order: SearchOrder = SearchOrder.RELEVANCE,
        limit: int = 20,
        after: str | None = None,
        prefer: Sequence[str] = (),
    ) -> Listed[Hit]:
        """Return the articles that a query matches, with the positions of the matches.

        Args:
            query: the query.
            only: further filters.
            order: by relevance (headline words, new articles and preferred languages first), or by time.
            limit: the maximum number of articles.
            after: the cursor of the previous page.
            prefer: the user's languages; articles in other languages rank lower.

        Raises:
            BadQuery: the query, or the cursor, cannot be read.
        """
        parsed = parse(query) if isinstance(query, str) else query
        with self.database.reading() as session:
            chosen = select(self.database, session, parsed, only or Only())
            if order is SearchOrder.RELEVANCE and chosen.rank is not None:
                answer = self._by_relevance(session, chosen, limit, after, prefer)
            else:
                answer = _by_time(session, chosen, limit, place_of(after), "")
            articles = headlines(session, answer.rows)
            bodies = _bodies(session, articles)
        marker = Marker.of(parsed, chosen.languages)
        hits = []
        for headline, row in zip(articles, answer.rows, strict=True):
            text = self._text(headline, bodies[headline.id])
            title = marker.title(headline.title, headline.language)
            hits.append(Hit(headline, title, marker.text(text, headline.language), float(row[WIDTH])))
        return Listed(tuple(hits), answer.cursor, answer.count)

    def texts(self, of: Sequence[ArticleHeadline]) -> dict[int, str]:
        """Return the texts of some articles by number. Deleted and damaged ones are left out."""
        with self.database.reading() as session:
            bodies = _bodies(session, of)
        return {article.id: self._text(article, bodies[article.id]) for article in of if article.id in bodies}

    def _text(self, headline: ArticleHeadline, body: bytes) -> str:
        """Return the text of an article, or "" if its bytes are damaged; a damaged article is quarantined."""
        try:
            return text_of(body)
        except Exception as error:  # bytes that were damaged may bring out anything
            aside = Quarantine(self, Stage.STORE)
            if not aside.is_out(article_name(headline)):
                aside.add(article_name(headline), error)
            return ""

    def _by_relevance(
        self, session: Session, chosen: ArticleSelection, limit: int, after: str | None, prefer: Sequence[str]
    ) -> _FoundRows:
        """Return the best of the newest matches, then older ones in order of time."""
        if after is not None and after.startswith(_OLDER):
            return _by_time(session, chosen, limit, place_of(after.removeprefix(_OLDER)), _OLDER)
        best, at, first = (1e300, place_of(None), 0) if after is None else _score_of(after)
        most = RANKED if after is None else _ALL
        ranked, values = score(self.database, chosen)
        tables, where = chosen.smallest
        spoken, languages = spoken_in("s.language", prefer) if prefer else ("", ())
        other = f" * CASE WHEN {spoken} THEN 1.0 ELSE {_OTHER_LANGUAGE} END" if prefer else ""
        joined_to = " JOIN article s ON s.place = every.at" if prefer else ""
        # One scan of the index gives scores, the first ranked place, and the total. The columns of lists are read for
        # the best only. Other threads run between any two rows, and a statement of few rows has few such pauses.
        rows = session.all(
            f"WITH every AS (SELECT {ranked} AS score, {chosen.place} AS at FROM {tables}"
            f" WHERE {where.sql} AND {chosen.place} > ? ORDER BY {chosen.place} DESC LIMIT ?),"
            " counted AS (SELECT count(*) AS number, min(at) AS last, max(at) AS newest FROM every),"
            f" weighed AS (SELECT score * (0.5 + 0.5 / (1 + {_DAYS} / {_FRESH})){other} AS score, at, number, last"
            f" FROM counted CROSS JOIN every{joined_to}),"
            " best AS (SELECT * FROM weighed"
            " WHERE (score < ? OR (score = ? AND at < ?)) AND (number <= ? OR at > last)"
            " ORDER BY score DESC, at DESC LIMIT ?)"
            f" SELECT {COLUMNS}, best.score, best.number, best.last FROM best JOIN article a ON a.place = best.at"
            " ORDER BY best.score DESC, best.at DESC",
            *(*values, *where.values, first, most + 1, *languages, best, best, at, most, limit + 1),
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
        """Return the number of articles that a query matches. Counting stops at `most` to stay fast.

        Raises:
            BadQuery: the query cannot be read.
        """
        parsed = parse(query) if isinstance(query, str) else query
        with self.database.reading() as session:
            chosen = select(self.database, session, parsed, only or Only())
            tables, where = chosen.smallest
            number = session.value(
                f"SELECT count(*) FROM (SELECT 1 FROM {tables} WHERE {where.sql} LIMIT ?) AS found",
                *(*where.values, most + 1),
            )
        return Count(min(number, most), number > most)


def _bodies(session: Session, of: Sequence[ArticleHeadline]) -> dict[int, bytes]:
    rows = session.in_all(
        "SELECT a.id, v.body FROM article a JOIN version v ON v.id = a.current WHERE a.id IN ({})",
        [article.id for article in of],
    )
    return dict(rows)


def _by_time(session: Session, chosen: ArticleSelection, limit: int, before: int, sign: str) -> _FoundRows:
    rows = session.all(
        f"SELECT {COLUMNS}, 0.0 FROM {chosen.tables} WHERE {chosen.where.sql} AND {chosen.place} < ?"
        f" ORDER BY {chosen.place} DESC LIMIT ?",
        *(*chosen.where.values, before, limit + 1),
    )
    more = limit and len(rows) > limit
    return _FoundRows(rows[:limit], f"{sign}{rows[limit - 1][WIDTH - 1]}" if more else None)


def _score_of(cursor: str) -> tuple[float, int, int]:
    """Parse a search cursor; return the score and place of the last result, and the place where ranking starts."""
    digits, _, places = cursor.partition("/")
    place, _, first = places.partition("/")
    try:
        score = float(digits)
    except ValueError:
        score = nan
    if isnan(score):
        raise BadQuery(cursor[:100], 0, "this is no cursor; begin the list anew")
    return score, place_of(place), place_of(first)
