"""Reading articles out of the store: newest, selected, searched.

The newest of several lists at once, each led by its own index: what a person's sources, or columnists, bring.

Every list gives its newest few, and of these the newest are taken: the time it takes grows with the number of lists,
not with what the store holds.

Which articles a list or a search is of: the tables that lead to them, in the order of their places, and conditions.

Where words must be there, SQLite's full-text table leads, as its row numbers are places; a list by author or by source
is led by their own tables, which have places too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isnan, nan
from typing import Final

from tidings.errors import BadQuery
from tidings.news.store.codec import text_of
from tidings.news.store.database import Database, Row, Session, Value, chunks, key, known, place_of, spoken_in
from tidings.news.store.quarantine import Quarantine, article_name
from tidings.news.store.query import And, Is, Not, Or, Property, Query, parse
from tidings.news.store.records_of_articles import ArticleHeadline, Count, Hit, Listed, Only, SearchOrder
from tidings.news.store.records_of_work import NUMBER_BITS, Stage, places
from tidings.news.store.selection import Selection, SqlCondition, joined, name_key, within
from tidings.news.store.snippets import Marker
from tidings.news.store.verbs.quarantine import QuarantineVerbs
from tidings.news.store.verbs.sources import named_sources
from tidings.news.store.verbs.stories import COLUMNS, WIDTH, headlines, real_story

#: Lists in one statement: SQLite takes 500, and six values of each fit.
_AT_ONCE: Final = 100


@dataclass(frozen=True, slots=True)
class Lead:
    """Tables that lead to articles (`a`), the column of places to go by, and which rows."""

    tables: str
    place: str
    where: str
    values: tuple[Value, ...] = ()


def newest(session: Session, leads: Sequence[Lead], before: int, limit: int) -> list[tuple[int, int]]:
    """The newest articles of several lists before a place, each once: its place and its number."""
    found: set[tuple[int, int]] = set()
    for part in chunks(leads, _AT_ONCE):
        inner = (
            f"SELECT * FROM (SELECT {lead.place} AS place, a.id AS id FROM {lead.tables} WHERE {lead.where}"
            f" AND {lead.place} < ? ORDER BY {lead.place} DESC LIMIT ?) AS t{number}"
            for number, lead in enumerate(part)
        )
        values = [value for lead in part for value in (*lead.values, before, limit)]
        found.update((place, article) for place, article in session.all(" UNION ALL ".join(inner), *values))
    return sorted(found, reverse=True)[:limit]


def counts(session: Session, leads: Sequence[Lead], most: int) -> list[int]:
    """How many articles each list has, counted up to some number."""
    found: list[int] = []
    for part in chunks(leads, _AT_ONCE):
        inner = (
            f"SELECT {number} AS list, (SELECT count(*) FROM (SELECT 1 FROM {lead.tables} WHERE {lead.where} LIMIT ?)"
            f" AS t{number}) AS counted"
            for number, lead in enumerate(part)
        )
        rows = session.all(" UNION ALL ".join(inner), *(value for lead in part for value in (*lead.values, most)))
        found += [int(counted) for _, counted in sorted(rows)]
    return found


def listed(session: Session, leads: Sequence[Lead], after: str | None, limit: int) -> Listed[ArticleHeadline]:
    """The same as headlines, a page at a time."""
    rows = newest(session, leads, place_of(after), limit + 1)
    wanted = [article for _, article in rows[:limit]]
    known = session.in_all(f"SELECT {COLUMNS} FROM article a WHERE a.id IN ({{}})", wanted)
    found = {one.id: one for one in headlines(session, known)}
    more = limit > 0 and len(rows) > limit
    return Listed(tuple(found[number] for number in wanted), str(rows[limit - 1][0]) if more else None)


_NOT_MUTED: Final = SqlCondition("a.muted = 0")
_NO_COPY: Final = SqlCondition("a.copy_of IS NULL")
#: The first of the full-text table by itself.
_ALONE: Final = {_NOT_MUTED: "w.rowid NOT IN (SELECT place FROM article WHERE muted <> 0)"}
_ALIAS_A: Final = re.compile(r"\ba\b")
_ALIAS_W: Final = re.compile(r"\bw\b")
#: One after the other by the index, in one statement: a search asks for them each time.
_LANGUAGES: Final = (
    "WITH RECURSIVE spoken (language) AS (SELECT min(language) FROM article UNION ALL"
    " SELECT (SELECT min(a.language) FROM article a WHERE a.language > spoken.language) FROM spoken"
    " WHERE spoken.language IS NOT NULL) SELECT language FROM spoken WHERE language IS NOT NULL"
)
#: Places of articles, so that the full-text table can be asked by itself.
_NOT_HIDDEN: Final = (
    "a.place NOT IN (SELECT v.place FROM hidden h JOIN article v ON v.id = h.article WHERE h.person = ?)"
)
_OF_ARTICLES: Final = re.compile(r"\ba\.")


@dataclass(frozen=True, slots=True)
class ArticleSelection:
    """Tables, conditions, the column of places, and the words to rank by."""

    tables: str
    where: SqlCondition
    place: str = "a.place"
    rank: str | None = None
    match: str | None = None  # where the full-text table leads, what it is matched with
    alone: SqlCondition | None = None  # where that table tells all that is asked, the same conditions of it by itself
    languages: tuple[str, ...] = ()  # in whose forms words are looked for

    @property
    def smallest(self) -> tuple[str, SqlCondition]:
        """The tables that are enough to find the articles, and the conditions."""
        return (self.tables, self.where) if self.alone is None else ("words w", self.alone)


def select(database: Database, session: Session, query: Query | None, only: Only | None = None) -> ArticleSelection:
    """How to ask for the articles of a query, or of a list, or both."""
    conditions = [] if only is None else _conditions(session, only, is_search=query is not None)
    tables, place, rank, match = "article a", "a.place", None, None
    by_others = [] if only is None else _by_others(only)
    spoken = () if query is None else tuple(languages(session))
    reader = None if only is None else only.reader
    if reader is not None and not (query is not None and _asks_for_hidden(query)):
        conditions.append(SqlCondition(_NOT_HIDDEN, (key(reader),)))
    if query is not None:
        asked = database.select(
            _real(session, query, key(reader or "")), spoken, lambda name: named_sources(session, name)
        )
        tables, rank, match = database.searched, asked.rank, asked.match
        conditions.append(asked.where)
        if only is not None and not only.copies:
            conditions.append(_not_folded(database, asked))
        if match is not None:
            # CROSS JOIN is how SQLite is told which table leads.
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
    return ArticleSelection(tables, joined(" AND ", conditions), place, rank, match, alone, spoken)


def _alone(conditions: Sequence[SqlCondition]) -> SqlCondition | None:
    """Conditions of the full-text table by itself, whose row numbers are places; None where they ask for more."""
    told = [SqlCondition(_ALONE.get(one) or one.sql.replace("a.place", "w.rowid"), one.values) for one in conditions]
    return None if any(_OF_ARTICLES.search(one.sql) for one in told) else joined(" AND ", told)


def languages(session: Session) -> list[str]:
    """The languages of the articles there are, found by leaping through the index."""
    return [language for (language,) in session.all(_LANGUAGES) if language]


def _by_others(only: Only) -> list[tuple[str, SqlCondition]]:
    """What is told by tables beside the article's own."""
    found: list[tuple[str, SqlCondition]] = []
    if only.author is not None:
        found.append(("article_author", SqlCondition("s.author = ?", (name_key(only.author),))))
    if only.source is not None:
        found.append(("article_source", SqlCondition("s.source = ?", (_number(only.source),))))
    return found


def _not_folded(database: Database, asked: Selection) -> SqlCondition:
    """Return the condition that leaves out copies of articles that a query finds too; a copy has words of its own."""
    if asked.match is not None:
        sql = (
            "a.place NOT IN (SELECT c.place FROM words v CROSS JOIN article o ON o.place = v.rowid"
            " JOIN article c ON c.copy_of = o.id WHERE v.words MATCH ?)"
        )
        return SqlCondition(sql, (asked.match,))
    tables = _ALIAS_W.sub("v", _ALIAS_A.sub("o", database.searched))
    where = re.sub(r"\bw\.", "v.", _OF_ARTICLES.sub("o.", asked.where.sql))
    sql = f"a.place NOT IN (SELECT c.place FROM {tables} JOIN article c ON c.copy_of = o.id WHERE {where})"
    return SqlCondition(sql, asked.where.values)


def _conditions(session: Session, only: Only, *, is_search: bool = False) -> list[SqlCondition]:
    found = [] if only.muted else [_NOT_MUTED]
    if not only.copies and not is_search:
        found.append(_NO_COPY)
    if only.topic is not None:
        found.append(SqlCondition("a.topic = ?", (key(only.topic),)))
    if only.category is not None:
        found.append(SqlCondition("a.category_key = ?", (name_key(only.category),)))
    if only.language is not None:
        found.append(SqlCondition(*spoken_in("a.language", only.language)))
    if only.site is not None:
        found.append(SqlCondition("a.site = ?", (only.site.lower().removeprefix("www."),)))
    if only.story is not None:
        story = real_story(session, _number(only.story))
        found.append(SqlCondition("(a.story IS NOT NULL AND a.story = ?)", (story or -1,)))
    if only.since is not None or only.until is not None:
        found.append(within(*places(only.since, only.until)))
    return found


def _number(number: int) -> int:
    return number if known(number) else -1


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
    """Stories that were merged into others are those now; what somebody has done is what the reader has done."""
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
    """An SQL expression that is larger for better answers, and its values; 0 where there is nothing to rank by."""
    if chosen.rank is None:
        return "0.0", ()
    return database.ranking(chosen.rank)


#: Articles that are ranked: the newest that a query finds. Of a word that is everywhere the best of all is no news, and
#: scoring 100,000 articles takes SQLite 0.4 s.
RANKED: Final = 400
_ALL: Final = 1 << 31
#: How many whole days an article is older than the newest that was found: the same on every page of an answer.
_DAYS: Final = f"((newest >> {NUMBER_BITS}) / 86400 - (at >> {NUMBER_BITS}) / 86400)"
#: After so many days an article counts three quarters, in the end half; in a language that the reader has not chosen,
#: less.
_FRESH: Final = 30.0
_OTHER_LANGUAGE: Final = 0.3
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
        prefer: Sequence[str] = (),
    ) -> Listed[Hit]:
        """Articles that a query finds, with the places it was found at.

        Args:
            query: what is looked for.
            only: of what.
            order: by relevance, words in headlines, new articles and languages that are preferred first; or by time.
            limit: so many.
            after: where the last list ended.
            prefer: the languages that somebody reads; articles in others come after them.

        Raises:
            BadQuery: the query, or the cursor, cannot be read.
        """
        asked = parse(query) if isinstance(query, str) else query
        with self.database.reading() as session:
            chosen = select(self.database, session, asked, only or Only())
            if order is SearchOrder.RELEVANCE and chosen.rank is not None:
                answer = self._by_relevance(session, chosen, limit, after, prefer)
            else:
                answer = _by_time(session, chosen, limit, place_of(after), "")
            found = headlines(session, answer.rows)
            bodies = _bodies(session, found)
        marker = Marker.of(asked, chosen.languages)
        hits = []
        for headline, row in zip(found, answer.rows, strict=True):
            text = self._text(headline, bodies[headline.id])
            title = marker.title(headline.title, headline.language)
            hits.append(Hit(headline, title, marker.text(text, headline.language), float(row[WIDTH])))
        return Listed(tuple(hits), answer.cursor, answer.count)

    def texts(self, of: Sequence[ArticleHeadline]) -> dict[int, str]:
        """The texts of some articles by their numbers; nothing of those that are gone or cannot be read any more."""
        with self.database.reading() as session:
            bodies = _bodies(session, of)
        return {one.id: self._text(one, bodies[one.id]) for one in of if one.id in bodies}

    def _text(self, headline: ArticleHeadline, body: bytes) -> str:
        """The text of an article; nothing of one that cannot be read any more: it is found, and set aside."""
        try:
            return text_of(body)
        except Exception as error:  # bytes that were damaged may bring out anything
            aside = Quarantine(self, Stage.STORE)
            if not aside.is_out(article_name(headline)):
                aside.put(article_name(headline), error)
            return ""

    def _by_relevance(
        self, session: Session, chosen: ArticleSelection, limit: int, after: str | None, prefer: Sequence[str]
    ) -> _FoundRows:
        """The best of the newest, then what is older in the order of time."""
        if after is not None and after.startswith(_OLDER):
            return _by_time(session, chosen, limit, place_of(after.removeprefix(_OLDER)), _OLDER)
        best, at, first = (1e300, place_of(None), 0) if after is None else _score_of(after)
        most = RANKED if after is None else _ALL
        ranked, values = score(self.database, chosen)
        tables, where = chosen.smallest
        spoken, languages = spoken_in("s.language", prefer) if prefer else ("", ())
        other = f" * CASE WHEN {spoken} THEN 1.0 ELSE {_OTHER_LANGUAGE} END" if prefer else ""
        joined_to = " JOIN article s ON s.place = every.at" if prefer else ""
        # One look at the index tells scores, from where on is ranked, and how many there are; what lists show is read
        # for the best only. One statement of few rows: between any two rows other threads get their turn.
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


def _bodies(session: Session, of: Sequence[ArticleHeadline]) -> dict[int, bytes]:
    found = session.in_all(
        "SELECT a.id, v.body FROM article a JOIN version v ON v.id = a.current WHERE a.id IN ({})",
        [one.id for one in of],
    )
    return dict(found)


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
