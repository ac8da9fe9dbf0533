"""A person's own sources: which of the store's they read, in folders and under titles of their own."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from tidings.news.store.base import Verbs, clean, key, known
from tidings.news.store.clock import micros, moment
from tidings.news.store.database import Session
from tidings.news.store.records_of_people import Subscription
from tidings.news.store.verbs.sources import sources_by_number
from tidings.news.store.verbs.unread import unread_by_source
from tidings.text import fold_space

#: Of one person.
MOST_SUBSCRIPTIONS: Final = 1_000


class SubscriptionVerbs(Verbs):
    """Making a source one's own."""

    def subscribe(self, source: int, person: str, at: datetime, *, folder: str = "", title: str = "") -> bool:
        """A source becomes somebody's own, or changes folder and title. False: no such source, or too many."""

        def work(session: Session) -> bool:
            if session.value("SELECT 1 FROM source WHERE id = ?", source) is None:
                return False
            session.run(
                "INSERT INTO subscription (person, source, folder, title, since) VALUES (?, ?, ?, ?, ?)"
                " ON CONFLICT (person, source) DO UPDATE SET folder = excluded.folder, title = excluded.title",
                *(key(person), source, _name(folder), _name(title), micros(at)),
            )
            count = session.value("SELECT count(*) FROM subscription WHERE person = ?", key(person))
            if count > MOST_SUBSCRIPTIONS:
                session.run("DELETE FROM subscription WHERE person = ? AND source = ?", key(person), source)
            return bool(count <= MOST_SUBSCRIPTIONS)

        return known(source) and self.database.write(work)

    def unsubscribe(self, source: int, person: str) -> bool:
        """A source is somebody's own no more; the store keeps it. False: it was not."""
        sql = "DELETE FROM subscription WHERE person = ? AND source = ?"
        return known(source) and self.database.write(lambda session: session.run(sql, key(person), source) > 0)

    def subscriptions(self, person: str, *, most_unread: int = 99) -> list[Subscription]:
        """Somebody's own sources, by folder and name, with how much of each is unread: counted up to some number."""
        with self.database.reading() as session:
            rows = session.all("SELECT source, folder, title, since FROM subscription WHERE person = ?", key(person))
            numbers = [row[0] for row in rows]
            sources = sources_by_number(session, numbers)
            unread = unread_by_source(session, key(person), numbers, most_unread) if most_unread else {}
        found = [
            Subscription(sources[number], folder, title, moment(since), unread.get(number, 0))
            for number, folder, title, since in rows
        ]
        return sorted(found, key=lambda one: (one.folder.casefold(), one.name.casefold(), one.source.id))

    def unread_by_source(self, person: str, sources: Sequence[int], *, most: int = 99) -> dict[int, int]:
        """How much of each of some sources is unread: counted up to some number."""
        with self.database.reading() as session:
            return unread_by_source(session, key(person), sources, most)

    def rename_folder(self, folder: str, new: str, person: str) -> int:
        """Call one of somebody's folders something else; how many sources were in it. An empty name is no folder."""
        sql = "UPDATE subscription SET folder = ? WHERE person = ? AND folder = ?"
        return self.database.write(lambda session: session.run(sql, _name(new), key(person), _name(folder)))


def _name(name: str) -> str:
    return clean(fold_space(name))[:200]
