"""The store over a database: all its methods in one class, and `open_store`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Final, Self

from tidings.errors import StoreError
from tidings_portal.store.codec import Indexed, article_of, indexed
from tidings_portal.store.database import Database, Row, Session
from tidings_portal.store.postgres import Postgres
from tidings_portal.store.quarantine import LOG, ItemName, new_entry
from tidings_portal.store.records_of_work import ItemKind, Stage
from tidings_portal.store.sqlite import PATIENCE, SQLite
from tidings_portal.store.verbs.articles import ArticleVerbs
from tidings_portal.store.verbs.links import LinkVerbs, put_aside
from tidings_portal.store.verbs.lists import ColumnistVerbs, ListVerbs
from tidings_portal.store.verbs.mail import MailVerbs
from tidings_portal.store.verbs.people import AccountVerbs, ReaderVerbs, TokenVerbs
from tidings_portal.store.verbs.quarantine import QuarantineVerbs
from tidings_portal.store.verbs.read_articles import SearchVerbs
from tidings_portal.store.verbs.retention import CounterVerbs, MemoryVerbs, PageVerbs, RetentionVerbs
from tidings_portal.store.verbs.sending import DeliveryVerbs, HubVerbs, RuleVerbs
from tidings_portal.store.verbs.sources import SourceVerbs
from tidings_portal.store.verbs.stories import StoryVerbs
from tidings_portal.store.verbs.streams import StreamVerbs
from tidings_portal.store.verbs.unread import SubscriptionVerbs, UnreadVerbs

#: Referenced tables come first.
TABLES: Final = (
    "setting", "source", "link", "link_key", "link_source", "task", "host", "story", "article", "version",
    "article_author", "article_source", "page", "follower", "reading", "saved", "mute", "signature", "remembered",
    "person", "login", "token", "read_up_to", "read_mark", "subscription", "author_follower", "quarantine",
    "label", "preference", "note", "reader_rule", "target", "delivery", "enclosure", "hub", "identity",
)  # fmt: skip
_AT_ONCE: Final = 200


def copy_store(
    source: Database, target: Database, tell: Callable[[str, int], None] = lambda _table, _rows: None
) -> int:
    """Copy a store into an empty one; return the number of articles.

    Args:
        source: the database to copy.
        target: the empty database.
        tell: called during the copy with the table and its number of copied rows.

    Raises:
        StoreError: the target is not empty.
    """

    def work(session: Session) -> int:
        if any(session.value(f"SELECT count(*) FROM {table}") for table in ("source", "link", "article")):
            raise StoreError("the store to copy into is not empty; name one that is new")
        with source.reading() as rows:
            for table in TABLES:
                _copy_table(rows, session, table, tell)
            return _copy_words(rows, session, target, tell)

    copied = target.write(work)
    target.numbers_were_given()
    return copied


def _copy_table(rows: Session, session: Session, table: str, tell: Callable[[str, int], None]) -> None:
    # A merged story comes after its target.
    order = "ORDER BY merged_into IS NOT NULL, id" if table == "story" else ""
    done = 0
    for part in _parts(rows.each(f"SELECT * FROM {table} {order}")):
        marks = ", ".join("?" * len(part[0]))
        session.many(f"INSERT INTO {table} VALUES ({marks})", part)
        done += len(part)
        tell(table, done)


def _copy_words(rows: Session, session: Session, target: Database, tell: Callable[[str, int], None]) -> int:
    done = 0
    current = "SELECT a.id, a.place, a.title, v.body FROM article a JOIN version v ON v.id = a.current"
    for part in _parts(rows.each(current)):
        words = [(number, place, _words(session, number, title, body)) for number, place, title, body in part]
        target.index(session, words)
        done += len(part)
        tell("words", done)
    return done


def _words(session: Session, number: int, title: str, body: bytes) -> Indexed:
    """Return the search words of an article; a damaged article has none and is quarantined."""
    try:
        return indexed(article_of(body))
    except Exception as error:  # any bug, or damaged bytes
        name = ItemName(ItemKind.ARTICLE, str(number), title)
        entry = new_entry(Stage.SEARCH, name, error, datetime.now(UTC))
        LOG.warning("%s", entry.sentence)
        put_aside(session, [entry])
        return Indexed("", "", "")


def _parts(rows: Iterator[Row]) -> Iterator[Sequence[Row]]:
    while part := list(islice(rows, _AT_ONCE)):
        yield part


class Store(
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
    StreamVerbs,
    RuleVerbs,
    DeliveryVerbs,
    MailVerbs,
    HubVerbs,
    ColumnistVerbs,
    AccountVerbs,
    TokenVerbs,
    MemoryVerbs,
    CounterVerbs,
    QuarantineVerbs,
    RetentionVerbs,
):
    """A store in a database. Safe to use from many threads and processes at once."""

    def __init__(self, database: Database, where: str) -> None:
        super().__init__(database)
        self.where = where

    def check(self) -> list[str]:
        """Return the problems of the store, in sentences; [] if there are none."""
        return self.database.check()

    def tidy(self) -> None:
        """Optimise the store after large changes."""
        self.database.tidy()

    def copy_to(self, other: Store, tell: Callable[[str, int], None] | None = None) -> int:
        """Copy everything into an empty store; return the number of articles.

        Raises:
            StoreError: the other store is not empty.
        """
        return copy_store(self.database, other.database, *(() if tell is None else (tell,)))

    def backup_to(self, file: Path) -> int | None:
        """Copy the store into a new file; return the number of articles, or None if this database cannot."""
        return self.totals().articles if self.database.backup_to(file) else None

    def close(self) -> None:
        """Close all connections of the store."""
        self.database.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *raised: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<store in {self.where}>"


def open_store(where: str | Path, *, readonly: bool = False, patience: float = PATIENCE) -> Store:
    """Open the store in a file or on a server. A missing file is created; an older store is migrated.

    Args:
        where: a path, or a URL that begins with `postgresql://`.
        readonly: write and create nothing.
        patience: seconds to wait for locks before `StoreBusy`.

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
    return Store(database, database.safe_address if isinstance(database, Postgres) else str(where))
