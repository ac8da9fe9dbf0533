"""Store methods for links, the fetch queue and its leases.

A link has several keys: the canonical URL, a GUID, the URL it was redirected to. So a changed GUID, an edited title or
another tracking parameter makes no second article (HOSTILE 21). A task is leased: its worker finishes it before the
deadline or loses it. Finishing a task and storing its article are one transaction.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Final

from tidings_portal.store.database import Row, Session, Verbs, clean, host, is_possible, key, possible
from tidings_portal.store.records_of_work import (
    ItemKind,
    LinkState,
    NotedLink,
    PageTask,
    QuarantineEntry,
    QueueState,
    SeenLink,
    SourceKind,
    Stage,
    StoredLink,
    maybe_micros,
    maybe_moment,
    micros,
    moment,
)

COLUMNS: Final = "stage, kind, item, name, reason, version, since, tried, attempts"


def put_aside(session: Session, entries: Sequence[QuarantineEntry]) -> None:
    """Write quarantine entries in a running transaction."""
    session.many(
        f"INSERT INTO quarantine ({COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (stage, kind, item) DO"
        " UPDATE SET name = excluded.name, reason = excluded.reason, version = excluded.version,"
        " tried = excluded.tried, attempts = quarantine.attempts + excluded.attempts",
        [
            (
                *(entry.stage.value, entry.kind.value, key(entry.item), clean(entry.name), clean(entry.reason)),
                *(key(entry.version), micros(entry.since), micros(entry.tried), entry.attempts),
            )
            for entry in entries
        ],
    )


def lift(session: Session, stage: Stage, items: Iterable[str]) -> int:
    """Delete the quarantine entries of some items in a stage; return their number."""
    return session.run_in("DELETE FROM quarantine WHERE stage = ? AND item IN ({})", map(key, items), stage.value)


def forget_items(session: Session, kind: ItemKind, numbers: Iterable[int]) -> None:
    """Delete all quarantine entries of deleted items."""
    session.run_in("DELETE FROM quarantine WHERE kind = ? AND item IN ({})", map(str, numbers), kind.value)


def entry_of(row: Row) -> QuarantineEntry | None:
    """Return the quarantine entry of a row, or None if only a newer Tidings knows its stage."""
    try:
        stage, kind = Stage(row[0]), ItemKind(row[1])
    except ValueError:
        return None
    item, name, reason, version, since, tried, attempts = row[2:]
    return QuarantineEntry(stage, kind, item, name, reason, version, moment(since), moment(tried), attempts)


_COLUMNS = (
    "id, address, title, guid, published, summary, category, author, to_verify, priority, first_seen, last_seen,"
    " state, article, problem"
)


class LinkVerbs(Verbs):
    """Store methods for links, the fetch queue and its leases."""

    def note_links(self, links: Sequence[SeenLink], at: datetime, source: int | None = None) -> list[NotedLink]:
        """Store the links of a source and queue the new ones; return them in the given order."""
        return self.database.write(lambda session: _Noting(session, at).note(links, source))

    def link(self, number: int) -> StoredLink | None:
        """Return a link by its number."""
        if not is_possible(number):
            return None
        with self.database.reading() as session:
            return next(iter(read_links(session, [number])), None)

    def link_for(self, name: str) -> StoredLink | None:
        """Return the link that has a key (such as a canonical URL or GUID), or None."""
        with self.database.reading() as session:
            number = session.value("SELECT link FROM link_key WHERE name = ?", key(name))
            return None if number is None else read_links(session, [number])[0]

    def failed_links(self, limit: int = 100) -> list[StoredLink]:
        """Return the links that Tidings gave up on, latest first."""
        with self.database.reading() as session:
            rows = session.all(
                "SELECT id FROM link WHERE state = ? ORDER BY last_seen DESC, id DESC LIMIT ?", LinkState.FAILED, limit
            )
            return read_links(session, [row[0] for row in rows])

    def claim(
        self, worker: str, count: int, lease: timedelta, at: datetime, *, per_host: int | None = None
    ) -> list[PageTask]:
        """Lease tasks to a worker. Hosts on hold are left out.

        Args:
            worker: the unique name of the worker.
            count: the maximum number of tasks.
            lease: the duration of the lease.
            at: now.
            per_host: the maximum number of tasks of one host.
        """
        now, deadline = micros(at), micros(at + lease)
        order = "priority DESC, ready, link"
        if per_host is None:
            free = "t.ready <= ? AND NOT EXISTS (SELECT 1 FROM host h WHERE h.name = t.host AND h.free_at > ?)"
            chosen = f"SELECT t.link FROM task t WHERE {free} ORDER BY t.priority DESC, t.ready, t.link LIMIT ?"
            values: tuple[int, ...] = (now, now, count)
        else:
            # A loose index scan from host to host, so that the queue is not read as a whole.
            first = f"SELECT s.* FROM task s WHERE s.host = each.name AND s.ready <= ? ORDER BY s.{order} LIMIT ?"
            chosen = (
                "WITH RECURSIVE each (name) AS (SELECT min(host) FROM task UNION ALL SELECT (SELECT min(t.host)"
                " FROM task t WHERE t.host > each.name) FROM each WHERE each.name IS NOT NULL)"
                f" SELECT t.link FROM each {self.database.joined_tasks(first)} WHERE NOT EXISTS"
                " (SELECT 1 FROM host h WHERE h.name = each.name AND h.free_at > ?)"
                " ORDER BY t.priority DESC, t.ready, t.link LIMIT ?"
            )
            values = (now, per_host, now, count)

        def work(session: Session) -> list[PageTask]:
            if per_host is None:
                rows = session.all(_locking(chosen, self.database.skip_locked), *values)
            else:  # rows of a join cannot be locked: select them, then lock those still free
                ready = [row[0] for row in session.all(chosen, *values)]
                still = "SELECT t.link FROM task t WHERE t.ready <= ? AND t.link IN ({})"
                rows = session.in_all(still + self.database.skip_locked, ready, now)
            numbers = [row[0] for row in rows]
            session.run_in(
                "UPDATE task SET worker = ?, ready = ?, lease = lease + 1, attempts = attempts + 1 WHERE link IN ({})",
                *(numbers, key(worker), deadline),
            )
            rows = session.in_all(
                f"SELECT link, lease, attempts FROM task WHERE link IN ({{}}) ORDER BY {order}", numbers
            )
            links = {link.id: link for link in read_links(session, numbers)}
            return [PageTask(links[link], key(worker), number, moment(deadline), tried) for link, number, tried in rows]

        return self.database.write(work)

    def renew(self, tasks: Sequence[PageTask], deadline: datetime) -> list[bool]:
        """Extend the leases of tasks; return for each whether the worker still holds it."""
        sql = "UPDATE task SET ready = ? WHERE link = ? AND worker = ? AND lease = ?"
        return self.database.write(
            lambda session: [
                session.run(sql, micros(deadline), task.link.id, task.worker, task.lease) > 0 for task in tasks
            ]
        )

    def release(self, worker: str, at: datetime, *, counted: bool = True) -> int:
        """Return all tasks of a worker to the queue. After kill -9 the attempt counts, because a page may have caused
        it.
        """
        sql = "UPDATE task SET worker = '', ready = ?, attempts = attempts - ? WHERE worker = ?"

        def work(session: Session) -> int:
            session.run("UPDATE source SET worker = '', leased_until = 0 WHERE worker = ?", key(worker))
            return session.run(sql, micros(at), int(not counted), key(worker))

        return self.database.write(work)

    def fail(
        self, task: PageTask, reason: str, retry_at: datetime | None, aside: QuarantineEntry | None = None
    ) -> bool:
        """Record a failed task: retry it later, or give it up. Return False if the worker has lost the lease.

        Args:
            task: the task.
            reason: the error, in a sentence.
            retry_at: the time of the next attempt; None gives the task up.
            aside: the quarantine entry, if reading the page raised an exception.
        """
        mine = (task.link.id, task.worker, task.lease)

        def work(session: Session) -> bool:
            if retry_at is not None:
                sql = "UPDATE task SET worker = '', ready = ?, problem = ? WHERE link = ? AND worker = ? AND lease = ?"
                return session.run(sql, micros(retry_at), clean(reason), *mine) > 0
            if not session.run("DELETE FROM task WHERE link = ? AND worker = ? AND lease = ?", *mine):
                return False
            end_links(session, [(LinkState.FAILED, reason, None, task.link.id)])
            if aside is None:
                lift(session, Stage.READING, [str(task.link.id)])
            else:
                put_aside(session, [aside])
            return True

        return self.database.write(work)

    def correct_links(self, links: Mapping[int, SeenLink]) -> None:
        """Update URL, title, teaser, author, category and time of stored links to what the source now declares."""
        rows = [
            (
                *map(clean, (link.address, link.title, link.summary, link.author, link.category)),
                *(maybe_micros(link.published), number),
            )
            for number, link in sorted(links.items())
        ]
        sql = (
            "UPDATE link SET address = ?, title = ?, summary = ?, author = ?, category = ?, published = ? WHERE id = ?"
        )
        self.database.write(lambda session: session.many(sql, rows))

    def queued(self, links: Sequence[int]) -> set[int]:
        """Return those of the given links that are in the queue."""
        with self.database.reading() as session:
            return {row[0] for row in session.in_all("SELECT link FROM task WHERE link IN ({})", possible(links))}

    def unread_items(self, before: datetime, at: datetime, limit: int = 200) -> list[StoredLink]:
        """Return feed items first stored before a time without an article, whose page is queued and not leased."""
        with self.database.reading() as session:
            rows = session.all(
                "SELECT l.id FROM task t JOIN link l ON l.id = t.link WHERE l.article IS NULL AND l.first_seen < ?"
                " AND (t.worker = '' OR t.ready <= ?)"
                " AND EXISTS (SELECT 1 FROM link_source s JOIN source o ON o.id = s.source WHERE s.link = l.id"
                " AND o.kind = ?) ORDER BY l.id LIMIT ?",
                *(micros(before), micros(at), SourceKind.FEED, limit),
            )
            return read_links(session, [row[0] for row in rows])

    def fetch_again(self, links: Sequence[int], at: datetime, priority: int = 0) -> int:
        """Queue links again: an edited article becomes a further version. Return the number of queued links."""

        def work(session: Session) -> int:
            added = 0
            for number, address in session.in_all("SELECT id, address FROM link WHERE id IN ({})", possible(links)):
                added += add_task(session, number, address, priority, micros(at))
            # Run a waiting retry now.
            session.run_in(
                "UPDATE task SET ready = ?, attempts = 0 WHERE worker = '' AND ready > ? AND link IN ({})",
                *(possible(links), micros(at), micros(at)),
            )
            return added

        return self.database.write(work)

    def queue(self, at: datetime) -> QueueState:
        """Return the size and state of the queue."""
        now = micros(at)
        with self.database.reading() as session:
            row = session.first(
                "SELECT coalesce(sum(CASE WHEN ready <= ? THEN 1 ELSE 0 END), 0),"
                " coalesce(sum(CASE WHEN ready > ? AND worker <> '' THEN 1 ELSE 0 END), 0),"
                " coalesce(sum(CASE WHEN ready > ? AND worker = '' THEN 1 ELSE 0 END), 0), min(ready) FROM task",
                *(now, now, now),
            )
            failed = session.value("SELECT count(*) FROM link WHERE state = ?", LinkState.FAILED)
        waiting, leased, later, next_try = row or (0, 0, 0, None)
        return QueueState(int(waiting), int(leased), int(later), failed, maybe_moment(next_try))

    def correct_times(self, at: datetime, *, sources: timedelta, tasks: timedelta) -> int:
        """Reset times too far in the future, written while a clock was wrong; return their number.

        Args:
            at: now.
            sources: the maximum delay of a source's next poll, beyond its interval.
            tasks: the maximum delay of a page's next try, of a host's hold and of a lease.
        """
        now, far = micros(at), micros(at + tasks)
        pace = "(CASE WHEN coalesce(interval_wanted, 0) > pace THEN interval_wanted ELSE pace END)"

        def work(session: Session) -> int:
            # A last poll in the future proves a wrong clock, whatever the next one is.
            corrected = session.run(
                f"UPDATE source SET next_poll = ? WHERE next_poll > ? AND (next_poll - {pace} > ? OR last_try > ?)",
                *(now, now, micros(at + sources), far),
            )
            corrected += session.run("UPDATE source SET leased_until = 0, worker = '' WHERE leased_until > ?", far)
            for column in ("last_try", "last_success", "added"):
                session.run(f"UPDATE source SET {column} = ? WHERE {column} > ?", now, far)
            corrected += session.run("UPDATE task SET ready = ? WHERE ready > ?", now, far)
            return corrected + session.run("DELETE FROM host WHERE free_at > ?", far)

        return self.database.write(work)

    def hold_host(self, name: str, until: datetime) -> None:
        """Leave a host alone until a time (Retry-After). Never shortens an earlier hold."""
        sql = (
            "INSERT INTO host (name, free_at) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET free_at ="
            " CASE WHEN host.free_at > excluded.free_at THEN host.free_at ELSE excluded.free_at END"
        )
        self.database.write(lambda session: session.run(sql, key(name), micros(until)))


def join_source(session: Session, links: Sequence[int], source: int, at: int) -> None:
    """Record that a source has links; it becomes a source of their articles too."""
    session.many(
        "INSERT INTO link_source (link, source, first_seen, last_seen) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (link, source) DO UPDATE SET last_seen = excluded.last_seen",
        [(link, source, at, at) for link in links],
    )
    session.run_in(
        "INSERT INTO article_source (source, article, place) SELECT ?, a.id, a.place FROM link l JOIN article a"
        " ON a.id = l.article WHERE l.id IN ({}) ON CONFLICT (article, source) DO NOTHING",
        *(links, source),
    )


def add_task(session: Session, link: int, address: str, priority: int, at: int) -> int:
    """Queue a link unless it is queued already."""
    return session.run(
        "INSERT INTO task (link, host, priority, ready) VALUES (?, ?, ?, ?) ON CONFLICT (link) DO NOTHING",
        *(link, host(address), priority, at),
    )


def add_retry(session: Session, task: PageTask, reason: str, at: datetime) -> None:
    """Queue a task again after it left the queue, with its number of attempts."""
    link = task.link
    session.run(
        "INSERT INTO task (link, host, priority, ready, lease, attempts, problem) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (link) DO NOTHING",
        *(link.id, host(link.seen.address), link.seen.priority, micros(at), task.lease, task.attempts, clean(reason)),
    )


def end_links(session: Session, ends: Sequence[tuple[LinkState, str, int | None, int]]) -> None:
    """Set the final state of links (state, reason, article, link). A link that has an article keeps it."""
    session.many(
        "UPDATE link SET state = CASE WHEN article IS NULL THEN ? ELSE state END, problem = ?,"
        " article = coalesce(article, ?) WHERE id = ?",
        [(state, clean(reason), article, link) for state, reason, article, link in ends],
    )


def leave_queue(session: Session, tasks: Sequence[PageTask], locked: str) -> dict[int, int]:
    """Remove tasks from the queue that their worker still has; return the leases by link."""
    leases = {(task.link.id, task.worker, task.lease) for task in tasks}
    links = sorted({link for link, _, _ in leases})
    rows = session.in_all(f"SELECT link, worker, lease FROM task WHERE link IN ({{}}){locked}", links)
    mine = {row[0]: row[2] for row in rows if row in leases}
    session.run_in("DELETE FROM task WHERE link IN ({})", mine)
    return mine


def own_keys(session: Session, link: int, keys: Sequence[str]) -> list[int]:
    """Add keys (URLs, GUIDs) to a link; return the other links that have some of these keys already."""
    for name in sorted(keys):  # sorted, to avoid deadlocks between writers
        session.run("INSERT INTO link_key (name, link) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", name, link)
    rows = session.in_all("SELECT DISTINCT link FROM link_key WHERE name IN ({})", keys)
    return sorted({row[0] for row in rows} - {link})


def insert_link(session: Session, link: SeenLink, at: datetime, state: LinkState) -> int:
    """Insert a link and return its number."""
    texts = (link.address, link.guid, link.title, link.summary, link.category, link.author)
    number: int = session.value(
        "INSERT INTO link (address, guid, title, summary, category, author, published, to_verify, priority, first_seen,"
        " last_seen, state) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
        *map(clean, texts),
        *(maybe_micros(link.published), int(link.to_verify), int(link.priority), micros(at), micros(at), state),
    )
    return number


def read_links(session: Session, numbers: Sequence[int]) -> list[StoredLink]:
    """Return links by their numbers, in the given order."""
    rows = {row[0]: row for row in session.in_all(f"SELECT {_COLUMNS} FROM link WHERE id IN ({{}})", numbers)}
    keys: dict[int, list[str]] = {}
    for number, name in session.in_all("SELECT link, name FROM link_key WHERE link IN ({}) ORDER BY name", numbers):
        keys.setdefault(number, []).append(name)
    sources_by_link: dict[int, list[int]] = {}
    for number, source in session.in_all(
        "SELECT link, source FROM link_source WHERE link IN ({}) ORDER BY source", numbers
    ):
        sources_by_link.setdefault(number, []).append(source)
    return [
        _link(rows[number], keys.get(number, []), sources_by_link.get(number, []))
        for number in numbers
        if number in rows
    ]


class _Noting:
    """Stores the links of a source in one transaction.

    Keys are written in one sorted batch. Writers of the same links therefore wait for each other in turn, and the
    second writer sees the rows of the first.
    """

    def __init__(self, session: Session, at: datetime) -> None:
        self._session = session
        self._at = at

    def note(self, links: Sequence[SeenLink], source: int | None) -> list[NotedLink]:
        session, at = self._session, micros(self._at)
        names = [tuple(dict.fromkeys(map(key, link.keys or (link.address,)))) for link in links]
        every = sorted({name for item in names for name in item})
        known_keys: dict[str, int] = dict(session.in_all("SELECT name, link FROM link_key WHERE name IN ({})", every))
        owners = dict(known_keys)
        noted: list[NotedLink] = []
        for link, keys in zip(links, names, strict=True):
            mine = next((owners[name] for name in keys if name in owners), None)
            noted.append(NotedLink(self._insert(link) if mine is None else mine, mine is None))
            for name in keys:
                owners.setdefault(name, noted[-1].link)
        self._write_keys({name: owner for name, owner in owners.items() if name not in known_keys})
        instead = self._find_duplicates(owners, [item.link for item in noted if item.new])
        noted = [NotedLink(instead.get(item.link, item.link), item.new and item.link not in instead) for item in noted]
        for link, item in zip(links, noted, strict=True):
            if item.new:
                add_task(session, item.link, link.address, int(link.priority), at)
        numbers = sorted({item.link for item in noted})
        session.many("UPDATE link SET last_seen = ? WHERE id = ?", [(at, number) for number in numbers])
        if source is None:
            return noted
        join_source(session, numbers, source, at)
        before = self._write_fingerprints(noted, links, source)
        return [replace(item, before=before.get(item.link, "")) for item in noted]

    def _write_fingerprints(self, noted: Sequence[NotedLink], links: Sequence[SeenLink], source: int) -> dict[int, str]:
        """Store the fingerprints of a source's items; return the previous ones, by link.

        Of several items with the same link the first counts, so that they do not correct each other.
        """
        sql = "SELECT link, fingerprint FROM link_source WHERE source = ? AND link IN ({})"
        before: dict[int, str] = dict(self._session.in_all(sql, sorted({item.link for item in noted}), source))
        fresh: dict[int, str] = {}
        for link, item in zip(links, noted, strict=True):
            fresh.setdefault(item.link, key(link.fingerprint))
        self._session.many(
            "UPDATE link_source SET fingerprint = ? WHERE link = ? AND source = ?",
            [(value, link, source) for link, value in sorted(fresh.items()) if value != before.get(link)],
        )
        return before

    def _insert(self, link: SeenLink) -> int:
        return insert_link(self._session, link, self._at, LinkState.WAITING)

    def _write_keys(self, owners: Mapping[str, int]) -> None:
        self._session.many(
            "INSERT INTO link_key (name, link) VALUES (?, ?) ON CONFLICT (name) DO NOTHING", sorted(owners.items())
        )

    def _find_duplicates(self, owners: Mapping[str, int], fresh: Sequence[int]) -> dict[int, int]:
        """Return new links that another writer has stored meanwhile, with the links to use instead."""
        mine = set(fresh)
        names = [name for name, owner in owners.items() if owner in mine]
        rows = self._session.in_all("SELECT name, link FROM link_key WHERE name IN ({})", names)
        instead = {owners[name]: owner for name, owner in rows if owner != owners[name]}
        self._session.run_in("DELETE FROM link WHERE id IN ({})", sorted(instead))
        self._write_keys({name: instead[owner] for name, owner in owners.items() if owner in instead})
        return instead


def _link(row: Row, keys: Sequence[str], sources: Sequence[int]) -> StoredLink:
    declared = SeenLink(
        *(row[1], tuple(keys), row[2], row[3], maybe_moment(row[4]), row[5], row[6], row[7], bool(row[8]), row[9])
    )
    times = moment(row[10]), moment(row[11])
    return StoredLink(row[0], declared, *times, LinkState(row[12]), tuple(sources), row[13], row[14])


def _locking(sql: str, lock: str) -> str:
    return f"{sql}{lock.replace('FOR UPDATE', 'FOR UPDATE OF t')}" if lock else sql
