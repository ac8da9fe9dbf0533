"""The database interface of the store: sessions, transactions, connection pool and store method base class.

Store methods are written once, in the SQL that SQLite and PostgreSQL share: `?` for values, upserts, RETURNING, row
numbers. `Database` hides all differences. A connection is opened if none is idle, and a few idle ones are cached. A
forked process opens its own: neither SQLite nor PostgreSQL lets two processes share a connection.
"""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from hashlib import blake2b
from pathlib import Path
from threading import Lock
from typing import Any, Final, Generic, Protocol, TypeVar

from tidings.article.formats.characters import legal
from tidings.errors import BadQuery
from tidings.text import base_language
from tidings.urls import site_of
from tidings_portal.store.codec import Indexed
from tidings_portal.store.query import Query
from tidings_portal.store.selection import Selection, Sources

T = TypeVar("T")
Row = tuple[Any, ...]
Value = str | int | float | bytes | None
#: Values in a statement. SQLite before 3.32 accepts 999.
MOST_VALUES = 900


class Session(ABC):
    """A database connection inside a transaction."""

    @abstractmethod
    def all(self, sql: str, *values: Value) -> list[Row]:
        """Return all rows of a query."""

    @abstractmethod
    def each(self, sql: str, *values: Value) -> Iterator[Row]:
        """Yield the rows of a query without loading all of them at once."""

    @abstractmethod
    def run(self, sql: str, *values: Value) -> int:
        """Run a statement and return the number of changed rows."""

    @abstractmethod
    def many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        """Run a statement with many rows of values."""

    def first(self, sql: str, *values: Value) -> Row | None:
        """Return the first row of a query."""
        rows = self.all(sql, *values)
        return rows[0] if rows else None

    def value(self, sql: str, *values: Value) -> Any:
        """Return the first column of the first row of a query."""
        row = self.first(sql, *values)
        return None if row is None else row[0]

    def in_all(self, sql: str, options: Iterable[Value], *before: Value) -> list[Row]:
        """Return all rows of a query with `IN ({})`, for any number of values."""
        rows: list[Row] = []
        for part in chunks(list(options)):
            rows += self.all(sql.format(",".join("?" * len(part))), *before, *part)
        return rows

    def run_in(self, sql: str, options: Iterable[Value], *before: Value) -> int:
        """Run a statement with `IN ({})`, for any number of values; return the number of changed rows."""
        return sum(self.run(sql.format(",".join("?" * len(part))), *before, *part) for part in chunks(list(options)))


class Database(ABC):
    """A file or a server, used by many threads and processes."""

    #: SQL suffix of a SELECT before an update: skip rows that another worker has locked.
    skip_locked: str = ""
    #: SQL suffix of a SELECT before an update: wait for locked rows.
    locked: str = ""
    #: The tables for the conditions of a query without a full-text match.
    searched: str = "article a"

    @abstractmethod
    def reading(self) -> AbstractContextManager[Session]:
        """Return a session on a snapshot of the store."""

    @abstractmethod
    def write(self, work: Callable[[Session], T]) -> T:
        """Run `work` in a transaction, which is rolled back if it raises. It may run more than once."""

    @abstractmethod
    def joined_tasks(self, each: str) -> str:
        """Return an SQL join that adds to each row of the preceding table the tasks (as `t`) that `each` selects."""

    @abstractmethod
    def index(self, session: Session, rows: Sequence[tuple[int, int, Indexed]]) -> None:
        """Add articles to the search index, each given by its number, its place (sort key of lists) and its words."""

    @abstractmethod
    def unindex(self, session: Session, articles: Sequence[int]) -> None:
        """Remove articles from the index, before their rows change."""

    @abstractmethod
    def select(self, query: Query, languages: Sequence[str], sources: Sources) -> Selection:
        """Return the SQL tables and conditions that select the articles of a query."""

    @abstractmethod
    def ranking(self, rank: str) -> tuple[str, tuple[str, ...]]:
        """Return an SQL expression for the rank of a match, with its values. A title counts more."""

    @abstractmethod
    def check(self) -> list[str]:
        """Return the problems of the store, in sentences; [] if there are none."""

    @abstractmethod
    def tidy(self) -> None:
        """Optimise the database after large changes."""

    def backup_to(self, file: Path) -> bool:  # noqa: ARG002  # used by SQLite
        """Copy the store into a new file while others write; return False if the database cannot."""
        return False

    @abstractmethod
    def numbers(self, session: Session, table: str, count: int) -> list[int]:
        """Reserve numbers for new rows of a table; return them in order."""

    def numbers_were_given(self) -> None:  # noqa: B027  # SQLite does this automatically
        """Set the sequences of row numbers after the largest number, because rows were inserted with explicit
        numbers.
        """

    @abstractmethod
    def close(self) -> None:
        """Close all connections."""


def chunks(values: Sequence[T], size: int = MOST_VALUES) -> Iterator[Sequence[T]]:
    """Yield values in chunks."""
    for first in range(0, len(values), size):
        yield values[first : first + size]


#: The maximum number of idle connections.
_IDLE: Final = 8


class Closable(Protocol):
    """An object with `close`."""

    def close(self) -> None:
        """Close the object."""


C = TypeVar("C", bound=Closable)


class Connections(Generic[C]):
    """A stack of idle connections. The most recently used one is lent first, because its cache is warm."""

    def __init__(self, connect: Callable[[], C], broken: Callable[[C], bool], most_idle: int = _IDLE) -> None:
        self._most_idle = most_idle
        self._connect = connect
        self._broken = broken
        self._idle: list[C] = []
        self._left: list[C] = []  # connections of the parent process: neither use nor close them
        self._lock = Lock()
        self._process = os.getpid()
        self._closed = False

    @contextmanager
    def lent(self) -> Iterator[C]:
        """Lend a connection for the duration of the block."""
        connection = self._take()
        try:
            yield connection
        finally:
            self._give(connection)

    def close(self) -> None:
        """Close the idle connections; lent ones are closed when they return."""
        with self._lock:
            idle, self._idle, self._closed = self._idle, [], True
        if self._process == os.getpid():
            for connection in idle:
                connection.close()

    def _take(self) -> C:
        if self._process != os.getpid():
            self._process, self._lock = os.getpid(), Lock()
            self._left, self._idle = self._left + self._idle, []
        with self._lock:
            if self._idle:
                return self._idle.pop()
        return self._connect()

    def _give(self, connection: C) -> None:
        with self._lock:
            if not self._closed and len(self._idle) < self._most_idle and not self._broken(connection):
                self._idle.append(connection)
                return
        connection.close()


#: Bytes of a key without digest. PostgreSQL indexes at most 2,700.
_LONGEST_KEY: Final = 600
_LARGEST: Final = (1 << 63) - 1


class Verbs:
    """Base class of the classes with store methods."""

    def __init__(self, database: Database) -> None:
        self.database = database


def clean(text: str) -> str:
    """Return a text that both databases accept: without NULs, and with surrogates replaced by U+FFFD."""
    return text if text.isascii() and text.isprintable() else legal(text)


def key(text: str) -> str:
    """Return the lookup key of a text: the text itself, or its beginning and a digest if it is long."""
    fit = clean(text)
    data = fit.encode()
    if len(data) <= _LONGEST_KEY:
        return fit
    return f"{fit[:60]}…{blake2b(data, digest_size=16).hexdigest()}"


def spoken_in(column: str, language: str | Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """Return the SQL condition that a column contains one of some languages, with its values."""
    languages = (language,) if isinstance(language, str) else tuple(language)
    values = tuple(dict.fromkeys(map(base_language, languages)))
    marks = ", ".join("?" * len(values))
    return (f"{column} = ?", values) if len(values) == 1 else (f"{column} IN ({marks})", values)


def host(address: str) -> str:
    """Return the host of a URL as a lookup key; "" if there is none."""
    return key(site_of(address))


def is_possible(number: int) -> bool:
    """Return whether a number from a user is in the range of row numbers of the database."""
    return 0 < number <= _LARGEST


def possible(numbers: Iterable[int]) -> list[int]:
    """Return those numbers that are in the range of row numbers of the database."""
    return [number for number in numbers if is_possible(number)]


def place_of(cursor: str | None) -> int:
    """Return the place (sort key of lists) that a cursor contains; without a cursor, the place after the last article.

    Raises:
        BadQuery: the cursor is invalid.
    """
    if cursor is None:
        return _LARGEST
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 19 and int(cursor) <= _LARGEST):
        raise BadQuery(cursor[:100], 0, "this is no cursor; begin the list anew")
    return int(cursor)
