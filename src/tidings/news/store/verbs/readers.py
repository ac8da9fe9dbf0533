"""Readers: what is read, and what somebody saved. Who they are is for others to know: here a person is a name."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from tidings.news.store.base import Verbs, clean, key, known, place_of
from tidings.news.store.clock import micros
from tidings.news.store.database import Session
from tidings.news.store.records_of_articles import ArticleHeadline, Listed
from tidings.news.store.verbs.headlines import COLUMNS, WIDTH, headlines

_DAY = 24 * 3600 * 1_000_000


class ReaderVerbs(Verbs):
    """Counting, saving."""

    def count_reads(self, reads: Mapping[int, int], at: datetime) -> None:
        """Articles were read so many times each. Those that are gone are not counted."""
        counted = sorted((article, times) for article, times in reads.items() if known(article) and times > 0)

        def work(session: Session) -> None:
            for article, times in counted:
                if session.run("UPDATE article SET reads = reads + ? WHERE id = ?", times, article):
                    session.run(
                        "INSERT INTO reading (day, article, reads) VALUES (?, ?, ?) ON CONFLICT (day, article)"
                        " DO UPDATE SET reads = reading.reads + excluded.reads",
                        *(micros(at) // _DAY, article, times),
                    )

        self.database.write(work)

    def save(self, article: int, person: str, at: datetime) -> bool:
        """Somebody saves an article: retention leaves it. False: there is no such article."""

        def work(session: Session) -> bool:
            there = known(article) and session.value("SELECT 1 FROM article WHERE id = ?", article) is not None
            if there:
                session.run(
                    "INSERT INTO saved (person, article, at) VALUES (?, ?, ?) ON CONFLICT (person, article) DO NOTHING",
                    *(key(person), article, micros(at)),
                )
            return there

        return self.database.write(work)

    def unsave(self, article: int, person: str) -> bool:
        """Somebody does not need a saved article any more. False: it was not saved."""
        sql = "DELETE FROM saved WHERE person = ? AND article = ?"
        return known(article) and self.database.write(lambda session: session.run(sql, key(person), article) > 0)

    def preference(self, person: str, name: str) -> str:
        """What somebody likes; empty where they have not said."""
        with self.database.reading() as session:
            return str(
                session.value("SELECT value FROM preference WHERE person = ? AND name = ?", key(person), name) or ""
            )

    def set_preference(self, person: str, name: str, value: str) -> None:
        """Somebody says what they like."""
        sql = (
            "INSERT INTO preference (person, name, value) VALUES (?, ?, ?)"
            " ON CONFLICT (person, name) DO UPDATE SET value = excluded.value"
        )
        self.database.write(lambda session: session.run(sql, key(person), name, clean(value)))

    def is_saved(self, article: int, person: str) -> bool:
        """Whether somebody saved an article."""
        with self.database.reading() as session:
            sql = "SELECT 1 FROM saved WHERE person = ? AND article = ?"
            return known(article) and bool(session.all(sql, key(person), article))

    def saved(self, person: str, *, limit: int = 20, after: str | None = None) -> Listed[ArticleHeadline]:
        """What somebody saved, the latest articles first."""
        with self.database.reading() as session:
            rows = session.all(
                f"SELECT {COLUMNS} FROM saved s JOIN article a ON a.id = s.article WHERE s.person = ? AND a.place < ?"
                " ORDER BY a.place DESC LIMIT ?",
                *(key(person), place_of(after), limit + 1),
            )
            found = headlines(session, rows[:limit])
        return Listed(tuple(found), str(rows[limit - 1][WIDTH - 1]) if limit and len(rows) > limit else None)
