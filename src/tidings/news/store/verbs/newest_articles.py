"""The newest of several lists at once, each led by its own index: what a person's sources, or columnists, bring.

Every list gives its newest few, and of these the newest are taken: the time it takes grows with the number of lists,
not with what the store holds.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tidings.news.store.base import place_of
from tidings.news.store.database import Session, Value, chunks
from tidings.news.store.records_of_articles import ArticleHeadline, Listed
from tidings.news.store.verbs.headlines import COLUMNS, headlines

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
