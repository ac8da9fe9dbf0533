"""What other parts remember: states by name, what is known of sites, signatures of articles, settings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from tidings.errors import StoreConflict
from tidings.news.store.base import Verbs, clean, key, known
from tidings.news.store.clock import micros, moment
from tidings.news.store.database import Session
from tidings.news.store.records_of_work import SavedState


class MemoryVerbs(Verbs):
    """Values that the store keeps and does not look into."""

    def load_state(self, name: str, space: str = "state") -> SavedState | None:
        """A value by its name; a space is a set of names, as "state" or "site"."""
        sql = "SELECT value, version, changed FROM remembered WHERE space = ? AND name = ?"
        with self.database.reading() as session:
            row = session.one(sql, key(space), key(name))
        return None if row is None else SavedState(bytes(row[0]), row[1], moment(row[2]))

    def save_state(self, name: str, value: bytes, at: datetime, *, version: int | None, space: str = "state") -> int:
        """Keep a value under a name; its new version.

        Args:
            name: of the value.
            value: any bytes.
            at: now.
            version: what was loaded had; 0 if there was none; None to overwrite whatever is there.
            space: the set of names.

        Raises:
            StoreConflict: somebody else has saved meanwhile; load again, and change that.
        """
        where = (key(space), key(name))

        def work(session: Session) -> int:
            if version is None:
                sql = (
                    "INSERT INTO remembered (space, name, value, version, changed) VALUES (?, ?, ?, 1, ?) ON CONFLICT"
                    " (space, name) DO UPDATE SET value = excluded.value, version = remembered.version + 1, changed ="
                    " excluded.changed RETURNING version"
                )
                return int(session.value(sql, *where, value, micros(at)))
            if version == 0:
                sql = (
                    "INSERT INTO remembered (space, name, value, version, changed) VALUES (?, ?, ?, 1, ?)"
                    " ON CONFLICT (space, name) DO NOTHING"
                )
                done = session.run(sql, *where, value, micros(at))
            else:
                sql = (
                    "UPDATE remembered SET value = ?, version = version + 1, changed = ? WHERE space = ? AND name = ?"
                    " AND version = ?"
                )
                done = session.run(sql, value, micros(at), *where, version)
            if not done:
                raise StoreConflict(f"{name!r} has been changed by somebody else meanwhile; load it again")
            return version + 1

        return self.database.write(work)

    def forget_state(self, name: str, space: str = "state") -> bool:
        """Forget a value. False: there was none."""
        sql = "DELETE FROM remembered WHERE space = ? AND name = ?"
        return self.database.write(lambda session: session.run(sql, key(space), key(name)) > 0)

    def states(self, space: str = "state") -> list[str]:
        """The names of a space, sorted."""
        with self.database.reading() as session:
            rows = session.all("SELECT name FROM remembered WHERE space = ? ORDER BY name", key(space))
        return [row[0] for row in rows]

    def save_signatures(self, signatures: Mapping[int, bytes]) -> None:
        """What articles are compared by, to find those that are nearly the same."""
        self.database.write(
            lambda session: session.many(
                "INSERT INTO signature (article, value) SELECT id, ? FROM article WHERE id = ?"
                " ON CONFLICT (article) DO UPDATE SET value = excluded.value",
                [(value, article) for article, value in sorted(signatures.items()) if known(article)],
            )
        )

    def signatures(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """All signatures in the order of the articles' numbers, a few hundred at a time."""
        sql = "SELECT article, value FROM signature WHERE article > ? ORDER BY article LIMIT 500"
        while True:
            with self.database.reading() as session:
                rows = session.all(sql, after)
            if not rows:
                return
            yield from ((article, bytes(value)) for article, value in rows)
            after = rows[-1][0]

    def setting(self, name: str, default: str = "") -> str:
        """A setting."""
        with self.database.reading() as session:
            found = session.value("SELECT value FROM setting WHERE name = ?", key(name))
        return default if found is None else str(found)

    def set_setting(self, name: str, value: str) -> None:
        """Change a setting."""
        sql = "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        self.database.write(lambda session: session.run(sql, key(name), clean(value)))
