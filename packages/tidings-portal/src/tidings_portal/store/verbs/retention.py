"""Store methods for retention, states, counters and saved pages.

Retention removes by age, number and size. It never removes articles that a user saved, labelled or annotated, nor the
members of a followed story. The link of a removed article stays, marked as forgotten, so that a feed that still lists
it does not bring it back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final, TypeVar

from tidings.errors import StoreConflict, StoreDamaged
from tidings_portal.store.codec import digest, pack, unpack
from tidings_portal.store.database import Row, Session, Value, Verbs, chunks, clean, is_possible, key, possible
from tidings_portal.store.quarantine import LOG
from tidings_portal.store.records_of_articles import RawPage, Removed, Retention
from tidings_portal.store.records_of_work import ItemKind, LinkState, SavedState, micros, moment, places
from tidings_portal.store.verbs.links import forget_items
from tidings_portal.store.verbs.stories import refresh_stories

#: Articles per transaction, so that other writers do not wait long.
_AT_ONCE = 500
_FREE = (
    "NOT EXISTS (SELECT 1 FROM saved WHERE saved.article = a.id)"
    " AND NOT EXISTS (SELECT 1 FROM note WHERE note.article = a.id)"
    " AND NOT EXISTS (SELECT 1 FROM label WHERE label.article = a.id)"
    " AND NOT EXISTS (SELECT 1 FROM follower WHERE follower.story = a.story)"
)


class RetentionVerbs(Verbs):
    """Store methods for retention."""

    def retain(self, policy: Retention, at: datetime) -> Removed:
        """Delete everything that a retention policy does not protect."""
        with self.database.reading() as session:
            articles = sorted(_old(session, policy, at) | _surplus(session, policy))
            versions = _versions(session, policy)
        removed = self.remove_articles(articles)
        self._delete("version", "id", versions)
        with self.database.reading() as session:
            pages = _pages(session, policy, at)
        self._delete("page", "hash", pages)
        return Removed(removed, len(versions), len(pages), self._forget_links(policy, at))

    def remove_articles(self, articles: Sequence[int]) -> int:
        """Delete articles with all versions and never fetch their links again; return the number of articles."""
        return sum(self.database.write(partial(self._remove, part=part)) for part in chunks(articles, _AT_ONCE))

    def _remove(self, session: Session, part: Sequence[int]) -> int:
        stories = session.in_all("SELECT DISTINCT story FROM article WHERE story IS NOT NULL AND id IN ({})", part)
        self.database.unindex(session, part)
        session.run_in("UPDATE link SET article = NULL, state = ? WHERE article IN ({})", part, LinkState.FORGOTTEN)
        removed = session.run_in("DELETE FROM article WHERE id IN ({})", part)
        forget_items(session, ItemKind.ARTICLE, part)
        refresh_stories(session, {row[0] for row in stories})
        return removed

    def _delete(self, table: str, column: str, names: Sequence[Value]) -> None:
        sql = f"DELETE FROM {table} WHERE {column} IN ({{}})"
        for part in chunks(names, _AT_ONCE):
            self.database.write(partial(Session.run_in, sql=sql, options=part))

    def _forget_links(self, policy: Retention, at: datetime) -> int:
        if policy.links_for is None:
            return 0
        sql = "DELETE FROM link WHERE article IS NULL AND state <> ? AND last_seen < ? RETURNING id"
        before = micros(at - policy.links_for)

        def work(session: Session) -> int:
            expired = [row[0] for row in session.all(sql, LinkState.WAITING, before)]
            forget_items(session, ItemKind.LINK, expired)
            return len(expired)

        return self.database.write(work)


def _old(session: Session, policy: Retention, at: datetime) -> set[int]:
    if policy.articles_for is None:
        return set()
    first, _ = places(at - policy.articles_for, None)
    return {row[0] for row in session.all(f"SELECT a.id FROM article a WHERE a.place < ? AND {_FREE}", first)}


def _surplus(session: Session, policy: Retention) -> set[int]:
    """Return the articles that exceed the maximum number of articles per source in every one of their sources."""
    if policy.articles_per_source is None:
        return set()
    ranked = "SELECT article, ROW_NUMBER() OVER (PARTITION BY source ORDER BY place DESC) AS rank FROM article_source"
    sql = (
        f"SELECT a.id FROM article a JOIN (SELECT article, min(rank) AS best FROM ({ranked}) AS r GROUP BY article)"
        f" AS b ON b.article = a.id WHERE b.best > ? AND {_FREE}"
    )
    return {row[0] for row in session.all(sql, policy.articles_per_source)}


def _versions(session: Session, policy: Retention) -> list[int]:
    """Return the versions that are neither the first, nor the current one, nor among the latest."""
    if policy.versions_per_article is None:
        return []
    sql = (
        "SELECT v.id FROM version v JOIN article a ON a.id = v.article WHERE v.number > 1 AND v.id <> a.current"
        " AND v.number <= a.versions - ?"
    )
    return [row[0] for row in session.all(sql, policy.versions_per_article)]


def _pages(session: Session, policy: Retention, at: datetime) -> list[str]:
    """Return the oldest pages to delete until the rest fits the size limit."""
    before = None if policy.pages_for is None else micros(at - policy.pages_for)
    total = int(session.value("SELECT coalesce(sum(stored), 0) FROM page"))
    pages: list[str] = []
    for name, fetched, stored in session.each("SELECT hash, fetched, stored FROM page ORDER BY fetched, hash"):
        too_old = before is not None and fetched < before
        too_much = policy.pages_bytes is not None and total > policy.pages_bytes
        if not too_old and not too_much:
            break
        pages.append(name)
        total -= stored
    return pages


class MemoryVerbs(Verbs):
    """Store methods for saved states of other components (as bytes), near-duplicate signatures and settings."""

    def load_state(self, name: str, space: str = "state") -> SavedState | None:
        """Return a saved state by its name, or None. A space is a namespace, such as "state" or "site"."""
        sql = "SELECT value, version, changed FROM remembered WHERE space = ? AND name = ?"
        with self.database.reading() as session:
            row = session.first(sql, key(space), key(name))
        return None if row is None else SavedState(bytes(row[0]), row[1], moment(row[2]))

    def save_state(self, name: str, value: bytes, at: datetime, *, version: int | None, space: str = "state") -> int:
        """Save a state under a name and return its new version.

        Args:
            name: the name of the state.
            value: any bytes.
            at: now.
            version: the version that was loaded; 0 if there was none; None to overwrite any version.
            space: the namespace of the name.

        Raises:
            StoreConflict: another process saved meanwhile; load again and apply the change to that.
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
        """Delete a state; return False if there was none."""
        sql = "DELETE FROM remembered WHERE space = ? AND name = ?"
        return self.database.write(lambda session: session.run(sql, key(space), key(name)) > 0)

    def states(self, space: str = "state") -> list[str]:
        """Return the names of all saved states in a namespace, sorted."""
        with self.database.reading() as session:
            rows = session.all("SELECT name FROM remembered WHERE space = ? ORDER BY name", key(space))
        return [row[0] for row in rows]

    def save_signatures(self, signatures: Mapping[int, bytes]) -> None:
        """Store the near-duplicate signatures of articles."""
        self.database.write(
            lambda session: session.many(
                "INSERT INTO signature (article, value) SELECT id, ? FROM article WHERE id = ?"
                " ON CONFLICT (article) DO UPDATE SET value = excluded.value",
                [(value, article) for article, value in sorted(signatures.items()) if is_possible(article)],
            )
        )

    def signatures_of(self, articles: Iterable[int]) -> dict[int, bytes]:
        """Return the signatures of some articles."""
        with self.database.reading() as session:
            rows = session.in_all("SELECT article, value FROM signature WHERE article IN ({})", possible(articles))
        return {article: bytes(value) for article, value in rows}

    def signatures(self, after: int = 0) -> Iterator[tuple[int, bytes]]:
        """Yield all signatures by article number, a few hundred at a time."""
        sql = "SELECT article, value FROM signature WHERE article > ? ORDER BY article LIMIT 500"
        while True:
            with self.database.reading() as session:
                rows = session.all(sql, after)
            if not rows:
                return
            yield from ((article, bytes(value)) for article, value in rows)
            after = rows[-1][0]

    def setting(self, name: str, default: str = "") -> str:
        """Return a setting."""
        with self.database.reading() as session:
            value = session.value("SELECT value FROM setting WHERE name = ?", key(name))
        return default if value is None else str(value)

    def set_setting(self, name: str, value: str) -> None:
        """Change a setting."""
        sql = "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
        self.database.write(lambda session: session.run(sql, key(name), clean(value)))


T = TypeVar("T")
#: Numbers and seconds are stored as integer millionths, identical in both databases.
_MILLIONTHS: Final = 1_000_000


class CounterRows:
    """The shared counters of a namespace inside a transaction."""

    def __init__(self, session: Session, space: str, locked: str) -> None:
        self._session, self._space, self._locked = session, space, locked

    def get(self, name: str) -> tuple[float, float] | None:
        """Return a counter and its time in seconds since 1970."""
        sql = f"SELECT number, written FROM counter WHERE space = ? AND name = ?{self._locked}"
        row = self._session.first(sql, self._space, name)
        return None if row is None else (row[0] / _MILLIONTHS, row[1] / _MILLIONTHS)

    def put(self, name: str, entry: tuple[float, float]) -> None:
        """Write a counter."""
        sql = (
            "INSERT INTO counter (space, name, number, written) VALUES (?, ?, ?, ?) ON CONFLICT (space, name)"
            " DO UPDATE SET number = excluded.number, written = excluded.written"
        )
        number, written = entry
        self._session.run(sql, self._space, name, round(number * _MILLIONTHS), round(written * _MILLIONTHS))

    def drop(self, name: str) -> None:
        """Delete a counter."""
        self._session.run("DELETE FROM counter WHERE space = ? AND name = ?", self._space, name)


class CounterVerbs(Verbs):
    """Store methods for counters that several processes share."""

    def change_counters(self, space: str, work: Callable[[CounterRows], T]) -> T:
        """Run `work` on the counters of a namespace, under a lock. It may run more than once."""
        locked = self.database.locked
        return self.database.write(lambda session: work(CounterRows(session, space, locked)))

    def forget_counters(self, space: str, before: float, most: int) -> None:
        """Delete counters written before a time (seconds since 1970), and of the rest all but the latest `most`."""

        def work(session: Session) -> None:
            session.run("DELETE FROM counter WHERE space = ? AND written < ?", space, round(before * _MILLIONTHS))
            sql = "SELECT written FROM counter WHERE space = ? ORDER BY written DESC LIMIT 1 OFFSET ?"
            oldest = session.value(sql, space, most)
            if oldest is not None:
                session.run("DELETE FROM counter WHERE space = ? AND written <= ?", space, oldest)

        self.database.write(work)


@dataclass(frozen=True, slots=True)
class KeptPage:
    """A saved page by its digest, with the articles extracted from it."""

    hash: str
    page: RawPage
    articles: tuple[int, ...] = ()


class PageVerbs(Verbs):
    """Store methods for saved pages."""

    def page(self, name: str) -> KeptPage | None:
        """Return a saved page by its digest."""
        with self.database.reading() as session:
            return _page(session, key(name))

    def page_of(self, article: int) -> KeptPage | None:
        """Return the page of an article's current version, or None if it was deleted."""
        if not is_possible(article):
            return None
        with self.database.reading() as session:
            name = session.value(
                "SELECT v.page FROM article a JOIN version v ON v.id = a.current WHERE a.id = ?", article
            )
            return None if name is None else _page(session, name)

    def each_page(self, since: datetime | None = None) -> Iterator[KeptPage]:
        """Yield all saved pages in the order they were fetched. Damaged ones are left out."""
        at, after = 0 if since is None else micros(since), ""
        while True:
            with self.database.reading() as session:
                row = session.first(
                    "SELECT fetched, hash FROM page WHERE (fetched, hash) > (?, ?) ORDER BY fetched, hash LIMIT 1",
                    *(at, after),
                )
            if row is None:
                return
            at, after = row
            try:
                page = self.page(after)
            except StoreDamaged as error:
                LOG.warning("page %s is left out: %s", after, error)
                continue
            if page is not None:
                yield page


def page_row(page: RawPage) -> Row:
    """Return a page as a row, its digest first."""
    packed = pack(page.content)
    return (
        *(digest(page.content), clean(page.address), micros(page.fetched), clean(page.content_type)),
        *(len(page.content), len(packed), packed),
    )


def keep_pages(session: Session, rows: Sequence[Row]) -> None:
    """Save pages; a page that is saved already gets a new fetch time."""
    session.many(
        "INSERT INTO page (hash, address, fetched, content_type, size, stored, content) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (hash) DO UPDATE SET fetched = excluded.fetched",
        rows,
    )


def _page(session: Session, name: str) -> KeptPage | None:
    row = session.first("SELECT address, fetched, content_type, content FROM page WHERE hash = ?", name)
    if row is None:
        return None
    rows = session.all("SELECT DISTINCT article FROM version WHERE page = ? ORDER BY article", name)
    page = RawPage(row[0], unpack(row[3]), moment(row[1]), row[2])
    return KeptPage(name, page, tuple(row_of_article[0] for row_of_article in rows))
