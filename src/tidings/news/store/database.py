"""What the store asks of a database: sessions to read in, transactions to write in, and what each says its own way.

The verbs of the store are written once, in the SQL that SQLite and PostgreSQL share: `?` for values, upserts,
RETURNING, row numbers. Everything in which they differ is behind this class.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, TypeVar

from tidings.news.store.index_text import Indexed
from tidings.news.store.query_tree import Query
from tidings.news.store.selection import Selection, Sources

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
