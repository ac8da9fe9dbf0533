"""What processes that serve one store count together: numbers by name, and when each was written. Short-lived all."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar

from tidings.news.store.base import Verbs
from tidings.news.store.database import Session

T = TypeVar("T")
#: Numbers and seconds are written as whole millionths: both databases have the same integers.
_MILLIONTHS: Final = 1_000_000


class CounterRows:
    """The counters of a space, inside a transaction."""

    def __init__(self, session: Session, space: str, locked: str) -> None:
        self._session, self._space, self._locked = session, space, locked

    def get(self, name: str) -> tuple[float, float] | None:
        """A number and when it was written, in seconds since 1970."""
        sql = f"SELECT number, written FROM counter WHERE space = ? AND name = ?{self._locked}"
        row = self._session.one(sql, self._space, name)
        return None if row is None else (row[0] / _MILLIONTHS, row[1] / _MILLIONTHS)

    def put(self, name: str, entry: tuple[float, float]) -> None:
        """Write a number."""
        sql = (
            "INSERT INTO counter (space, name, number, written) VALUES (?, ?, ?, ?) ON CONFLICT (space, name)"
            " DO UPDATE SET number = excluded.number, written = excluded.written"
        )
        number, written = entry
        self._session.run(sql, self._space, name, round(number * _MILLIONTHS), round(written * _MILLIONTHS))

    def drop(self, name: str) -> None:
        """Forget a number."""
        self._session.run("DELETE FROM counter WHERE space = ? AND name = ?", self._space, name)


class CounterVerbs(Verbs):
    """Counters that several processes share."""

    def change_counters(self, space: str, work: Callable[[CounterRows], T]) -> T:
        """Look at counters and change them; nobody else does meanwhile. It may be run more than once."""
        locked = self.database.locked
        return self.database.write(lambda session: work(CounterRows(session, space, locked)))

    def forget_counters(self, space: str, before: float, most: int) -> None:
        """Forget what was written before some second since 1970, and of the others all but the latest so many."""

        def work(session: Session) -> None:
            session.run("DELETE FROM counter WHERE space = ? AND written < ?", space, round(before * _MILLIONTHS))
            sql = "SELECT written FROM counter WHERE space = ? ORDER BY written DESC LIMIT 1 OFFSET ?"
            oldest = session.value(sql, space, most)
            if oldest is not None:
                session.run("DELETE FROM counter WHERE space = ? AND written <= ?", space, oldest)

        self.database.write(work)
