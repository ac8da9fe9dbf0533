"""The store over a database: all its verbs in one class, and how one is opened."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from tidings.news.store.copying import copy
from tidings.news.store.database import Database
from tidings.news.store.postgres import Postgres
from tidings.news.store.sqlite import PATIENCE, SQLite
from tidings.news.store.verbs.accounts import AccountVerbs
from tidings.news.store.verbs.articles import ArticleVerbs
from tidings.news.store.verbs.columnists import ColumnistVerbs
from tidings.news.store.verbs.counters import CounterVerbs
from tidings.news.store.verbs.links import LinkVerbs
from tidings.news.store.verbs.lists import ListVerbs
from tidings.news.store.verbs.memory import MemoryVerbs
from tidings.news.store.verbs.pages import PageVerbs
from tidings.news.store.verbs.quarantine import QuarantineVerbs
from tidings.news.store.verbs.readers import ReaderVerbs
from tidings.news.store.verbs.retention import RetentionVerbs
from tidings.news.store.verbs.search import SearchVerbs
from tidings.news.store.verbs.sources import SourceVerbs
from tidings.news.store.verbs.stories import StoryVerbs
from tidings.news.store.verbs.subscriptions import SubscriptionVerbs
from tidings.news.store.verbs.tokens import TokenVerbs
from tidings.news.store.verbs.unread import UnreadVerbs


class DatabaseStore(
    SourceVerbs,
    LinkVerbs,
    ArticleVerbs,
    PageVerbs,
    ListVerbs,
    SearchVerbs,
    StoryVerbs,
    ReaderVerbs,
    UnreadVerbs,
    SubscriptionVerbs,
    ColumnistVerbs,
    AccountVerbs,
    TokenVerbs,
    MemoryVerbs,
    CounterVerbs,
    QuarantineVerbs,
    RetentionVerbs,
):
    """A store in a database. Safe to use from many threads and many processes at once."""

    def __init__(self, database: Database, where: str) -> None:
        super().__init__(database)
        self.where = where

    def check(self) -> list[str]:
        """What is wrong with the store, in sentences; nothing if it is whole."""
        return self.database.check()

    def tidy(self) -> None:
        """Do what keeps the store quick, after much has been written or removed."""
        self.database.tidy()

    def copy_to(self, other: DatabaseStore, tell: Callable[[str, int], None] | None = None) -> int:
        """Copy everything into another store, which must be empty; how many articles there were.

        Raises:
            StoreError: the other store is not empty.
        """
        return copy(self.database, other.database, *(() if tell is None else (tell,)))

    def close(self) -> None:
        """Give the connections back."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<store in {self.where}>"


def open_store(where: str | Path, *, readonly: bool = False, patience: float = PATIENCE) -> DatabaseStore:
    """The store in a file, or on a server. A file that is not there is made; an older store is brought up to date.

    Args:
        where: a path, or an address that begins with `postgresql://`.
        readonly: nothing is written, and nothing is made.
        patience: seconds to wait for others before `StoreBusy`.

    Raises:
        StoreError: it cannot be opened, belongs to something else, or to a newer Tidings.
        MissingExtra: an address was given and psycopg is not installed.
    """
    database: Postgres | SQLite
    if str(where).startswith(("postgresql://", "postgres://")):
        database = Postgres(str(where), readonly=readonly, patience=patience)
    else:
        database = SQLite(Path(where), readonly=readonly, patience=patience)
    try:
        database.open()
    except BaseException:
        database.close()
        raise
    return DatabaseStore(database, database.shown if isinstance(database, Postgres) else str(where))
