"""Where what is known of sites is kept: in this process only, or in one file that many processes share.

A shelf holds one text a site with a version, the pages a site is still to be learned from, and a log. A text is written
only over the version that was read, so that of two processes that learn one site the second notices. Everything on a
shelf is bounded.
"""

from __future__ import annotations

import sqlite3
import threading
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, Protocol

from tidings.errors import SitesUnwritable

#: Pages kept to learn a site from, and the lines of the log.
MOST_PAGES: Final = 12
MOST_LINES: Final = 10_000
_LARGEST_PAGE: Final = 8 * 1024 * 1024
_ZSTD: Final = b"\x28\xb5\x2f\xfd"
_APPLICATION: Final = 0x54494453  # "TIDS"


@dataclass(frozen=True, slots=True)
class Event:
    """A line of the log: what happened to a site, and why."""

    at: datetime
    site: str
    what: str
    why: str


@dataclass(frozen=True, slots=True)
class Kept:
    """A page to learn from."""

    url: str
    data: bytes


class Shelf(Protocol):
    """Where what is known of sites is kept."""

    def get(self, site: str) -> tuple[str, int] | None:
        """The text of a site and its version; None if there is none."""
        ...

    def put(self, site: str, text: str, over: int) -> bool:
        """Write the text of a site over a version (0: there is none yet); False if it has changed meanwhile."""
        ...

    def remove(self, site: str) -> None:
        """Forget a site with its pages."""
        ...

    def names(self) -> list[str]:
        """The sites there are."""
        ...

    def keep(self, site: str, page: Kept) -> int:
        """Keep a page to learn from; says how many there are now. The oldest go when there are too many."""
        ...

    def pages(self, site: str) -> list[Kept]:
        """The pages kept to learn from, the oldest first."""
        ...

    def drop_pages(self, site: str) -> None:
        """Drop the pages kept to learn from."""
        ...

    def tell(self, event: Event) -> None:
        """Write a line into the log."""
        ...

    def told(self, site: str | None = None) -> list[Event]:
        """The log, of one site or of all, the oldest first."""
        ...

    def close(self) -> None:
        """Let go of what is open."""
        ...


class InMemory:
    """A shelf that ends with the process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._texts: dict[str, tuple[str, int]] = {}
        self._pages: dict[str, list[Kept]] = {}
        self._log: list[Event] = []

    def get(self, site: str) -> tuple[str, int] | None:
        """The text of a site and its version."""
        return self._texts.get(site)

    def put(self, site: str, text: str, over: int) -> bool:
        """Write the text of a site over a version."""
        with self._lock:
            if self._texts.get(site, ("", 0))[1] != over:
                return False
            self._texts[site] = (text, over + 1)
            return True

    def remove(self, site: str) -> None:
        """Forget a site with its pages."""
        with self._lock:
            self._texts.pop(site, None)
            self._pages.pop(site, None)

    def names(self) -> list[str]:
        """The sites there are."""
        return sorted(self._texts)

    def keep(self, site: str, page: Kept) -> int:
        """Keep a page to learn from."""
        with self._lock:
            pages = [one for one in self._pages.get(site, []) if one.url != page.url or not page.url]
            if len(page.data) <= _LARGEST_PAGE:
                pages.append(page)
            self._pages[site] = pages[-MOST_PAGES:]
            return len(self._pages[site])

    def pages(self, site: str) -> list[Kept]:
        """The pages kept to learn from."""
        return list(self._pages.get(site, ()))

    def drop_pages(self, site: str) -> None:
        """Drop the pages kept to learn from."""
        with self._lock:
            self._pages.pop(site, None)

    def tell(self, event: Event) -> None:
        """Write a line into the log."""
        with self._lock:
            self._log.append(event)
            del self._log[:-MOST_LINES]

    def told(self, site: str | None = None) -> list[Event]:
        """The log."""
        return [event for event in self._log if site is None or event.site == site]

    def close(self) -> None:
        """Nothing is open."""


_SCHEMA: Final = """
CREATE TABLE IF NOT EXISTS site (name TEXT PRIMARY KEY, version INTEGER NOT NULL, text TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS page (
    number INTEGER PRIMARY KEY, site TEXT NOT NULL, url TEXT NOT NULL, data BLOB NOT NULL);
CREATE INDEX IF NOT EXISTS page_of_site ON page (site, number);
CREATE TABLE IF NOT EXISTS log (
    number INTEGER PRIMARY KEY, at TEXT NOT NULL, site TEXT NOT NULL, what TEXT NOT NULL, why TEXT NOT NULL);
"""


class File:
    """A shelf in one SQLite file, for threads and processes.

    A damaged file is kept aside under another name, which `set_aside` tells, and a new one begun.
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
                self.set_aside = _aside(path)
                self._connection = self._opened()
        except (sqlite3.Error, OSError) as error:
            raise SitesUnwritable(
                f"what is known of sites cannot be kept in {path}: {error}; name another file or make this one writable"
            ) from error
        if self.set_aside is not None:
            self.tell(Event(datetime.now(UTC), "", "set aside", f"{path} was damaged; it is kept as {self.set_aside}"))

    def _opened(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.path, timeout=20, isolation_level=None, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
            _check(connection)
            connection.executescript(_SCHEMA)
            connection.execute(f"PRAGMA application_id = {_APPLICATION}")
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            try:
                self._connection.execute("BEGIN IMMEDIATE")
                try:
                    yield self._connection
                except BaseException:
                    self._connection.execute("ROLLBACK")
                    raise
                self._connection.execute("COMMIT")
            except sqlite3.Error as error:
                raise SitesUnwritable(f"what was learned cannot be written to {self.path}: {error}") from error

    def get(self, site: str) -> tuple[str, int] | None:
        """The text of a site and its version."""
        with self._lock:
            found = self._connection.execute("SELECT text, version FROM site WHERE name = ?", (site,)).fetchone()
        return (str(found[0]), int(found[1])) if found else None

    def put(self, site: str, text: str, over: int) -> bool:
        """Write the text of a site over a version."""
        with self._writing() as connection:
            if over:
                done = connection.execute(
                    "UPDATE site SET text = ?, version = version + 1 WHERE name = ? AND version = ?", (text, site, over)
                )
            else:
                done = connection.execute("INSERT OR IGNORE INTO site VALUES (?, 1, ?)", (site, text))
            return done.rowcount == 1

    def remove(self, site: str) -> None:
        """Forget a site with its pages."""
        with self._writing() as connection:
            connection.execute("DELETE FROM site WHERE name = ?", (site,))
            connection.execute("DELETE FROM page WHERE site = ?", (site,))

    def names(self) -> list[str]:
        """The sites there are."""
        with self._lock:
            return [name for (name,) in self._connection.execute("SELECT name FROM site ORDER BY name")]

    def keep(self, site: str, page: Kept) -> int:
        """Keep a page to learn from."""
        with self._writing() as connection:
            if page.url:
                connection.execute("DELETE FROM page WHERE site = ? AND url = ?", (site, page.url))
            if len(page.data) <= _LARGEST_PAGE:
                packed = zlib.compress(page.data, 1)
                connection.execute("INSERT INTO page (site, url, data) VALUES (?, ?, ?)", (site, page.url, packed))
            connection.execute(
                "DELETE FROM page WHERE site = ?1 AND number NOT IN "
                "(SELECT number FROM page WHERE site = ?1 ORDER BY number DESC LIMIT ?2)",
                (site, MOST_PAGES),
            )
            (count,) = connection.execute("SELECT count(*) FROM page WHERE site = ?", (site,)).fetchone()
        return int(count)

    def pages(self, site: str) -> list[Kept]:
        """The pages kept to learn from."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT url, data FROM page WHERE site = ? ORDER BY number", (site,)
            ).fetchall()
        return [Kept(str(url), data) for url, packed in rows if (data := _unpacked(packed)) is not None]

    def drop_pages(self, site: str) -> None:
        """Drop the pages kept to learn from."""
        with self._writing() as connection:
            connection.execute("DELETE FROM page WHERE site = ?", (site,))

    def tell(self, event: Event) -> None:
        """Write a line into the log."""
        with self._writing() as connection:
            connection.execute(
                "INSERT INTO log (at, site, what, why) VALUES (?, ?, ?, ?)",
                (event.at.isoformat(timespec="seconds"), event.site, event.what, event.why),
            )
            connection.execute("DELETE FROM log WHERE number <= (SELECT max(number) FROM log) - ?", (MOST_LINES,))

    def told(self, site: str | None = None) -> list[Event]:
        """The log."""
        with self._lock:
            rows = self._connection.execute(
                "SELECT at, site, what, why FROM log WHERE ?1 IS NULL OR site = ?1 ORDER BY number", (site,)
            ).fetchall()
        return [Event(datetime.fromisoformat(at), name, what, why) for at, name, what, why in rows]

    def close(self) -> None:
        """Close the file."""
        with self._lock:
            self._connection.close()


def _unpacked(packed: bytes) -> bytes | None:
    """A page; None for one that version 0.1 packed, where zstandard is not installed: others come to learn from."""
    if not packed.startswith(_ZSTD):
        return zlib.decompressobj().decompress(packed, _LARGEST_PAGE)
    try:
        import zstandard
    except ImportError:
        return None
    return zstandard.ZstdDecompressor().decompress(packed, max_output_size=_LARGEST_PAGE)


def _check(connection: sqlite3.Connection) -> None:
    if connection.execute("PRAGMA quick_check(1)").fetchone() != ("ok",):
        raise sqlite3.DatabaseError("the file is damaged")


def _aside(path: Path) -> Path:
    """Move a damaged file, and what SQLite keeps beside it, out of the way."""
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
