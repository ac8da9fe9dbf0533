"""Storage of learned sites: in memory, or in one file that many processes share.

A site has one text with a version, pages to learn from, and a log. All of them are named values; a storage only needs
the methods `load`, `save` (over a version), `forget` and `stored`, and the meaning of a value is defined once, above
them. A text is written only over the version that was read, so of two processes that learn the same site the second
notices. Everything has a limit.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

from tidings.errors import SitesUnwritable
from tidings.processes.shared_files import connect

#: Limits on the pages to learn from and on the log entries, per site.
MOST_PAGES: Final = 12
MOST_LINES: Final = 100
_LARGEST_PAGE: Final = 8 * 1024 * 1024
_LONGEST_ADDRESS: Final = 64 * 1024
_APPLICATION: Final = 0x54494453  # "TIDS"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_TEXT, _LOG, _QUARANTINE = "site", "site log", "site quarantine"
_TRIES: Final = 20
#: Seconds to wait for other processes.
_PATIENCE: Final = 20


@dataclass(frozen=True, slots=True)
class SiteEvent:
    """A log entry: what happened to a site, and why."""

    at: datetime
    site: str
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class SitePage:
    """A page to learn from."""

    url: str
    data: bytes


class SiteStorage(ABC):
    """Abstract storage of learned sites. Values have a namespace, a name and a version."""

    @abstractmethod
    def load(self, space: str, name: str) -> tuple[bytes, int] | None:
        """Return a stored value and its version; None if there is none. Values are identified by a namespace (`space`)
        and a name.
        """

    @abstractmethod
    def save(self, space: str, name: str, value: bytes, over: int | None) -> bool:
        """Write a value if its stored version is still `over`; return False without writing if it is not.

        Args:
            space: the namespace of the value.
            name: the name of the value in its namespace.
            value: the bytes to write.
            over: the version to replace; 0 if the value must not exist yet, None for any version.
        """

    @abstractmethod
    def forget(self, space: str, name: str) -> None:
        """Delete the value with a name in the namespace `space`."""

    @abstractmethod
    def stored(self, space: str) -> list[str]:
        """Return the sorted names of the values in the namespace `space`."""

    def close(self) -> None:  # noqa: B027  # most have nothing open
        """Close open files."""

    # -- texts

    def get(self, site: str) -> tuple[str, int] | None:
        """Return the serialised state of a site and its version; None if the site is not stored."""
        value = self.load(_TEXT, site)
        return None if value is None else (value[0].decode("utf-8", "replace"), value[1])

    def set(self, site: str, text: str, over: int) -> bool:
        """Write the serialised state of a site if its stored version is `over` (0: must not exist); return whether it
        was written.
        """
        return self.save(_TEXT, site, text.encode(), over)

    def remove(self, site: str) -> None:
        """Delete a site with its pages."""
        self.forget(_TEXT, site)
        self.forget(_QUARANTINE, site)
        self.drop_pages(site)

    def names(self) -> list[str]:
        """Return the names of the stored sites."""
        return self.stored(_TEXT)

    # -- damaged values

    def quarantine(self, site: str, reason: str) -> None:
        """Move the damaged data of a site aside and log it. The site is learned again."""
        self._set_aside(_TEXT, site)
        self.tell(SiteEvent(datetime.now(UTC), site, "quarantined", reason))

    def quarantined(self) -> list[str]:
        """Return the sites with a quarantined value."""
        return self.stored(_QUARANTINE)

    def _set_aside(self, space: str, site: str) -> None:
        value = self.load(space, site)
        if value is not None:
            self.save(_QUARANTINE, site, value[0], None)
            self.forget(space, site)

    # -- pages to learn from

    def keep(self, site: str, page: SitePage) -> int:
        """Store a page to learn from and return how many are stored. If there are too many, the oldest is deleted."""
        space, mark = _pages(site), _mark(page.url)
        names = self.stored(space)
        dropped = [name for name in names if page.url and name.endswith(mark)]
        remaining = [name for name in names if name not in dropped]
        if len(page.data) <= _LARGEST_PAGE:
            name = f"{time.time_ns():020d} {mark}"
            self.save(space, name, _packed(page), None)
            remaining.append(name)
        for name in dropped + remaining[:-MOST_PAGES]:
            self.forget(space, name)
        return min(len(remaining), MOST_PAGES)

    def pages(self, site: str) -> list[SitePage]:
        """Return the stored pages of a site, the oldest first. A damaged page is deleted."""
        result = []
        for name in self.stored(_pages(site)):
            value = self.load(_pages(site), name)
            try:
                page = None if value is None else _unpacked(value[0])  # another process may have learned meanwhile
            except ValueError:
                self.forget(_pages(site), name)
                continue
            if page is not None:
                result.append(page)
        return result

    def drop_pages(self, site: str) -> None:
        """Delete the stored pages of a site."""
        for name in self.stored(_pages(site)):
            self.forget(_pages(site), name)

    # -- the log

    def tell(self, event: SiteEvent) -> None:
        """Append an entry to the log of a site."""
        for _ in range(_TRIES):
            events, version = self._events(event.site)
            lines = [
                [entry.at.isoformat(timespec="seconds"), entry.what, entry.why]
                for entry in [*events, event][-MOST_LINES:]
            ]
            if self.save(_LOG, event.site, json.dumps(lines).encode(), version):
                return

    def events(self, site: str | None = None) -> list[SiteEvent]:
        """Return the log of one site or of all, the oldest entry first."""
        names = [site] if site is not None else self.stored(_LOG)
        return sorted((event for name in names for event in self._events(name)[0]), key=lambda event: event.at)

    def _events(self, site: str) -> tuple[list[SiteEvent], int]:
        """Return the log of a site and its version. A damaged log is quarantined and replaced by an entry that says
        so.
        """
        value = self.load(_LOG, site)
        if value is None:
            return [], 0
        try:
            return [_event(site, *line) for line in json.loads(value[0])], value[1]
        except (ValueError, TypeError, RecursionError) as error:
            self._set_aside(_LOG, site)
            return [SiteEvent(datetime.now(UTC), site, "quarantined", f"the log was damaged: {error}")], 0


def _event(site: str, at: str, what: Any, why: Any) -> SiteEvent:
    """Parse a log entry.

    Raises:
        ValueError, TypeError: the entry is invalid.
    """
    when = datetime.fromisoformat(at)
    if when.tzinfo is None or not isinstance(what, str) or not isinstance(why, str):
        raise ValueError("a line has a time with its zone, what happened and why")
    return SiteEvent(when, site, what, why)


def _pages(site: str) -> str:
    return f"site page {site}"


def _mark(url: str) -> str:
    return blake2b(url.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()


def _packed(page: SitePage) -> bytes:
    return zlib.compress(json.dumps(page.url).encode() + b"\n" + page.data, 1)


def _unpacked(value: bytes) -> SitePage | None:
    """Unpack a page; None for a page of version 0.1 if zstandard is not installed.

    Raises:
        ValueError: the page is damaged.
    """
    data = _bytes(value)
    if data is None:
        return None
    url, _, rest = data.partition(b"\n")
    return SitePage(str(json.loads(url)), rest)


def _bytes(value: bytes) -> bytes | None:
    most = _LARGEST_PAGE + _LONGEST_ADDRESS
    try:
        if not value.startswith(_ZSTD):
            return zlib.decompressobj().decompress(value, most)
        import zstandard
    except zlib.error as error:
        raise ValueError(str(error)) from error
    except ImportError:
        return None
    try:
        return zstandard.ZstdDecompressor().decompress(value, max_output_size=most)
    except zstandard.ZstdError as error:
        raise ValueError(str(error)) from error


class SitesInMemory(SiteStorage):
    """A storage in memory, which ends with the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._values: dict[str, dict[str, tuple[bytes, int]]] = {}

    def load(self, space: str, name: str) -> tuple[bytes, int] | None:
        """Return the stored value with a name in a namespace, and its version; None if there is none."""
        return self._values.get(space, {}).get(name)

    def save(self, space: str, name: str, value: bytes, over: int | None) -> bool:
        """Write a value if its stored version is `over` (see `SiteStorage.save`); return whether it was written."""
        with self._lock:
            values = self._values.setdefault(space, {})
            version = values.get(name, (b"", 0))[1]
            if over is not None and version != over:
                return False
            values[name] = (value, version + 1)
            return True

    def forget(self, space: str, name: str) -> None:
        """Delete the value with a name in the namespace `space`."""
        with self._lock:
            self._values.get(space, {}).pop(name, None)

    def stored(self, space: str) -> list[str]:
        """Return the sorted names of the values in the namespace `space`."""
        with self._lock:
            return sorted(self._values.get(space, ()))


_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS value (
    space TEXT NOT NULL, name TEXT NOT NULL, version INTEGER NOT NULL, value BLOB NOT NULL,
    PRIMARY KEY (space, name)) WITHOUT ROWID;
"""


class SitesFile(SiteStorage):
    """A storage in one SQLite file, for threads and processes.

    A damaged file is renamed, a new one is created, and `set_aside` is the new name of the damaged file.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.set_aside: Path | None = None
        self._lock = threading.RLock()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            try:
                self._connection = self._opened()
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:
                self.set_aside = _renamed(path)
                self._connection = self._opened()
        except (sqlite3.Error, OSError) as error:
            raise SitesUnwritable(
                f"learned sites cannot be stored in {path}: {error}; name another file or make this one writable"
            ) from error
        if self.set_aside is not None:
            why = f"{path} was damaged; it was renamed to {self.set_aside}"
            self.tell(SiteEvent(datetime.now(UTC), "", "set aside", why))

    def _opened(self) -> sqlite3.Connection:
        connection = connect(self.path, _PATIENCE)
        try:
            _check(connection)
            connection.executescript(_SCHEMA)
            _migrate_from_0_1(connection)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                with _transaction(self._connection):
                    yield self._connection
            except sqlite3.Error as error:
                raise SitesUnwritable(f"what was learned cannot be written to {self.path}: {error}") from error

    def load(self, space: str, name: str) -> tuple[bytes, int] | None:
        """Return the stored value with a name in a namespace, and its version; None if there is none."""
        with self._lock:
            row = self._connection.execute(
                "SELECT value, version FROM value WHERE space = ? AND name = ?", (space, name)
            ).fetchone()
        return (bytes(row[0]), int(row[1])) if row else None

    def save(self, space: str, name: str, value: bytes, over: int | None) -> bool:
        """Write a value if its stored version is `over` (see `SiteStorage.save`); return whether it was written."""
        sql = "UPDATE value SET value = ?, version = version + 1 WHERE space = ? AND name = ? AND version = ?"
        values: tuple[object, ...] = (value, space, name, over)
        if over is None:
            sql = "INSERT INTO value VALUES (?, ?, 1, ?) ON CONFLICT DO UPDATE SET value = ?3, version = version + 1"
            values = (space, name, value)
        elif not over:
            sql, values = "INSERT OR IGNORE INTO value VALUES (?, ?, 1, ?)", (space, name, value)
        with self._writing() as connection:
            return connection.execute(sql, values).rowcount == 1

    def forget(self, space: str, name: str) -> None:
        """Delete the value with a name in the namespace `space`."""
        with self._writing() as connection:
            connection.execute("DELETE FROM value WHERE space = ? AND name = ?", (space, name))

    def stored(self, space: str) -> list[str]:
        """Return the sorted names of the values in the namespace `space`."""
        with self._lock:
            rows = self._connection.execute("SELECT name FROM value WHERE space = ? ORDER BY name", (space,)).fetchall()
        return [name for (name,) in rows]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Iterator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _migrate_from_0_1(connection: sqlite3.Connection) -> None:
    """Migrate the tables of version 0.1: texts, pages and log."""
    is_old = "SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ('site', 'page', 'log')"
    if connection.execute(is_old).fetchone() != (3,):
        return
    with _transaction(connection):
        if connection.execute(is_old).fetchone() != (3,):  # another process was faster
            return
        write = "INSERT OR IGNORE INTO value VALUES (?, ?, ?, ?)"
        for name, version, text in connection.execute("SELECT name, version, text FROM site").fetchall():
            connection.execute(write, (_TEXT, name, version, text.encode()))
        for number, site, url, packed in connection.execute("SELECT number, site, url, data FROM page").fetchall():
            try:
                data = _bytes(packed)
            except ValueError:  # the site is learned from its other pages
                continue
            if data is not None:
                value = _packed(SitePage(url, data))
                connection.execute(write, (_pages(site), f"{number:020d} {_mark(url)}", 1, value))
        lines: dict[str, list[tuple[str, str, str]]] = {}
        for at, site, what, why in connection.execute("SELECT at, site, what, why FROM log ORDER BY number").fetchall():
            lines.setdefault(site, []).append((at, what, why))
        for site, of_site in lines.items():
            connection.execute(write, (_LOG, site, 1, json.dumps(of_site[-MOST_LINES:]).encode()))
        for table in ("site", "page", "log"):
            connection.execute(f"DROP TABLE {table}")


def _check(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise sqlite3.DatabaseError("the file is damaged")


def _renamed(path: Path) -> Path:
    """Rename a damaged file together with its SQLite side files, and return the new path."""
    moment = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
    place = path.with_name(f"{path.name}.damaged-{moment}")
    number = 1
    while place.exists():
        number += 1
        place = path.with_name(f"{path.name}.damaged-{moment}-{number}")
    path.rename(place)
    for ending in ("-wal", "-shm"):
        path.with_name(path.name + ending).unlink(missing_ok=True)
    return place
