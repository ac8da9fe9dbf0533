"""Which articles a list or a search is of: the tables that lead to them, in the order of their places, and conditions.

Where words must be there, SQLite's full-text table leads, as its row numbers are places; a list by author or by source
is led by their own tables, which have places too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tidings.news.store.base import known, spoken_in
from tidings.news.store.clock import places
from tidings.news.store.database import Database, Session
from tidings.news.store.query_tree import And, Is, Not, Or, Property, Query
from tidings.news.store.records_of_articles import Only
from tidings.news.store.selection import SqlCondition, joined, name_key, within
from tidings.news.store.verbs.sources import named_sources
from tidings.news.store.verbs.stories import real_story

_NOT_MUTED: Final = SqlCondition("a.muted = 0")
_ALONE_NOT_MUTED: Final = "w.rowid NOT IN (SELECT place FROM article WHERE muted <> 0)"
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
    conditions = [] if only is None else _conditions(session, only)
    tables, place, rank, match = "article a", "a.place", None, None
    by_others = [] if only is None else _by_others(only)
    spoken = () if query is None else tuple(languages(session))
    if query is not None:
        asked = database.select(_real(session, query), spoken, lambda name: named_sources(session, name))
        tables, rank, match = database.searched, asked.rank, asked.match
        conditions.append(asked.where)
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
    told = [
        SqlCondition(_ALONE_NOT_MUTED if one == _NOT_MUTED else one.sql.replace("a.place", "w.rowid"), one.values)
        for one in conditions
    ]
    return None if any(_OF_ARTICLES.search(one.sql) for one in told) else joined(" AND ", told)


def languages(session: Session) -> list[str]:
    """The languages of the articles there are, found by leaping through the index."""
    found: list[str] = []
    after: str | None = session.value("SELECT min(language) FROM article")
    while after is not None:
        found.append(after)
        after = session.value("SELECT min(language) FROM article WHERE language > ?", after)
    return [language for language in found if language]


def _by_others(only: Only) -> list[tuple[str, SqlCondition]]:
    """What is told by tables beside the article's own."""
    found: list[tuple[str, SqlCondition]] = []
    if only.author is not None:
        found.append(("article_author", SqlCondition("s.author = ?", (name_key(only.author),))))
    if only.source is not None:
        found.append(("article_source", SqlCondition("s.source = ?", (_number(only.source),))))
    return found


def _conditions(session: Session, only: Only) -> list[SqlCondition]:
    found = [] if only.muted else [_NOT_MUTED]
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


def _real(session: Session, query: Query) -> Query:
    """Stories that were merged into others are those now."""
    match query:
        case Is(Property.STORY, value):
            return Is(Property.STORY, str(real_story(session, int(value)) or 0))
        case And(parts) | Or(parts):
            return replace(query, parts=tuple(_real(session, part) for part in parts))
        case Not(part):
            return Not(_real(session, part))
        case _:
            return query


def score(database: Database, chosen: ArticleSelection) -> tuple[str, tuple[str, ...]]:
    """An SQL expression that is larger for better answers, and its values; 0 where there is nothing to rank by."""
    if chosen.rank is None:
        return "0.0", ()
    return database.ranking(chosen.rank)
