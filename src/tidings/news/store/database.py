"""What the store asks of a database: sessions to read in, transactions to write in, and what each says its own way.

The verbs of the store are written once, in the SQL that SQLite and PostgreSQL share: `?` for values, upserts,
RETURNING, row numbers. Everything in which they differ is behind this class.

Connections to a database, lent to one thread at a time.

A connection is opened when none is idle, and given back when its work is done; a few are kept. A process that was
forked opens its own: neither SQLite nor PostgreSQL lets two processes share one.

What all verbs share: the database, and how texts and keys are made fit for both databases.
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

from tidings.article.characters import legal
from tidings.errors import BadQuery
from tidings.news.store.codec import Indexed
from tidings.news.store.query import Query
from tidings.news.store.selection import Selection, Sources
from tidings.text import base_language
from tidings.urls import site_of

T = TypeVar("T")
Row = tuple[Any, ...]
Value = str | int | float | bytes | None
#: Values in one statement; SQLite before 3.32 took 999.
MOST_VALUES = 900


class Session(ABC):
    """A connection inside a transaction."""

    @abstractmethod
    def all(self, sql: str, *values: Value) -> list[Row]:
        """All rows of an answer."""

    @abstractmethod
    def each(self, sql: str, *values: Value) -> Iterator[Row]:
        """The rows of an answer, one by one, without holding them all."""

    @abstractmethod
    def run(self, sql: str, *values: Value) -> int:
        """Change something; how many rows were changed."""

    @abstractmethod
    def many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        """The same change with many rows of values."""

    def one(self, sql: str, *values: Value) -> Row | None:
        """The first row of an answer."""
        rows = self.all(sql, *values)
        return rows[0] if rows else None

    def value(self, sql: str, *values: Value) -> Any:
        """The only value of an answer of one row."""
        row = self.one(sql, *values)
        return None if row is None else row[0]

    def in_all(self, sql: str, wanted: Iterable[Value], *before: Value) -> list[Row]:
        """Rows of a statement with `IN ({})` in it, for any number of values."""
        rows: list[Row] = []
        for part in chunks(list(wanted)):
            rows += self.all(sql.format(",".join("?" * len(part))), *before, *part)
        return rows

    def run_in(self, sql: str, wanted: Iterable[Value], *before: Value) -> int:
        """A change with `IN ({})` in it, for any number of values."""
        return sum(self.run(sql.format(",".join("?" * len(part))), *before, *part) for part in chunks(list(wanted)))


class Database(ABC):
    """One file or one server, used by many threads and processes at once."""

    #: Behind a SELECT whose rows are to be changed: rows that another worker is changing are left to it.
    skip_locked: str = ""
    #: The same, where others are waited for.
    locked: str = ""
    #: The tables that the conditions of a query are about, where no full-text table leads.
    searched: str = "article a"

    @abstractmethod
    def reading(self) -> AbstractContextManager[Session]:
        """A session that sees one state of the store, whatever is written meanwhile."""

    @abstractmethod
    def write(self, work: Callable[[Session], T]) -> T:
        """Do some work in one transaction: all of it or, if it raises, nothing. It may be run more than once."""

    @abstractmethod
    def joined_tasks(self, each: str) -> str:
        """A join of tasks `t`: those that a SELECT finds for each row of the table before it."""

    @abstractmethod
    def index(self, session: Session, rows: Sequence[tuple[int, int, Indexed]]) -> None:
        """Make articles findable: (number, place, words) of each."""

    @abstractmethod
    def unindex(self, session: Session, articles: Sequence[int]) -> None:
        """Take articles out of the index, before their rows change or go."""

    @abstractmethod
    def select(self, query: Query, languages: Sequence[str], sources: Sources) -> Selection:
        """A query as this database asks it."""

    @abstractmethod
    def ranking(self, rank: str) -> tuple[str, tuple[str, ...]]:
        """What is larger for better answers to `Selection.rank`, as SQL with its values. A title counts more."""

    @abstractmethod
    def check(self) -> list[str]:
        """What is wrong with the store, in sentences; nothing if it is whole."""

    @abstractmethod
    def tidy(self) -> None:
        """Do what keeps the database quick, after much has been written or removed."""

    def backup_to(self, file: Path) -> bool:  # noqa: ARG002  # a file has such a way
        """Copy everything into a new file, while others write. False: there is no such way here."""
        return False

    @abstractmethod
    def numbers(self, session: Session, table: str, count: int) -> list[int]:
        """So many numbers for new rows of a table, in order; nobody else gets them."""

    def numbers_were_given(self) -> None:  # noqa: B027  # SQLite sees to it by itself
        """Rows were written with numbers of their own: new ones must get others."""

    @abstractmethod
    def close(self) -> None:
        """Give all connections back."""


def chunks(values: Sequence[T], size: int = MOST_VALUES) -> Iterator[Sequence[T]]:
    """Values in parts of at most some size."""
    for first in range(0, len(values), size):
        yield values[first : first + size]


#: More than this are closed when they come back.
_IDLE: Final = 8


class Closable(Protocol):
    """What can be closed."""

    def close(self) -> None:
        """Close it."""


C = TypeVar("C", bound=Closable)


class Connections(Generic[C]):
    """A stack of idle connections: the one that was used last is lent first, as its cache is warm."""

    def __init__(self, connect: Callable[[], C], broken: Callable[[C], bool], most_idle: int = _IDLE) -> None:
        self._most_idle = most_idle
        self._connect = connect
        self._broken = broken
        self._idle: list[C] = []
        self._left: list[C] = []  # of the process that was forked from: not ours to use, nor to close
        self._lock = Lock()
        self._process = os.getpid()
        self._closed = False

    @contextmanager
    def lent(self) -> Iterator[C]:
        """A connection for as long as the block runs."""
        connection = self._take()
        try:
            yield connection
        finally:
            self._give(connection)

    def close(self) -> None:
        """Close those that are idle; those that are lent are closed when they come back."""
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


#: Bytes of a key as it is; PostgreSQL indexes at most 2,700.
_LONGEST_KEY: Final = 600
_LARGEST: Final = (1 << 63) - 1


class Verbs:
    """Some of the store's verbs."""

    def __init__(self, database: Database) -> None:
        self.database = database


def clean(text: str) -> str:
    """A text that both databases can hold: NULs go, half characters become U+FFFD."""
    return text if text.isascii() and text.isprintable() else legal(text)


def key(text: str) -> str:
    """A text to look something up by: as it is, or where it is long its beginning and a digest."""
    fit = clean(text)
    data = fit.encode()
    if len(data) <= _LONGEST_KEY:
        return fit
    return f"{fit[:60]}…{blake2b(data, digest_size=16).hexdigest()}"


def spoken_in(column: str, language: str | Sequence[str]) -> tuple[str, tuple[str, ...]]:
    """The condition that a column holds a language, or one of some, as SQL with its values."""
    wanted = (language,) if isinstance(language, str) else tuple(language)
    values = tuple(dict.fromkeys(map(base_language, wanted)))
    marks = ", ".join("?" * len(values))
    return (f"{column} = ?", values) if len(values) == 1 else (f"{column} IN ({marks})", values)


def host(address: str) -> str:
    """The site of an address, to look something up by; empty where there is none."""
    return key(site_of(address))


def known(number: int) -> bool:
    """Whether a number can be the number of anything; those that come from outside may be absurd."""
    return 0 < number <= _LARGEST


def possible(numbers: Iterable[int]) -> list[int]:
    """Those that can be the numbers of something."""
    return [number for number in numbers if known(number)]


def place_of(cursor: str | None) -> int:
    """The place that a cursor points at; without one, behind the last.

    Raises:
        BadQuery: no list has given out this cursor.
    """
    if cursor is None:
        return _LARGEST
    if not (cursor.isascii() and cursor.isdigit() and len(cursor) <= 19 and int(cursor) <= _LARGEST):
        raise BadQuery(cursor[:100], 0, "this is no cursor; begin the list anew")
    return int(cursor)
