"""SQLite: the store in one file, without a server.

Write-ahead logging: readers never wait and never see half of a batch; writers take turns. After kill -9 the next
process finds every finished batch and no unfinished one. After a power cut the last batches may be missing, but never
half written (`synchronous=NORMAL`).
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final
from urllib.parse import quote

import zstandard

from tidings.errors import (
    NewerStore,
    NotAStore,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnreachable,
)
from tidings.processes.shared_files import write_ahead
from tidings_portal.store import migrations
from tidings_portal.store.codec import Indexed
from tidings_portal.store.database import Connections, Database, Row, Session, T, Value
from tidings_portal.store.query import And, Not, Or, Query, SearchedField, SearchedWords
from tidings_portal.store.selection import Selection, Sources, SqlCondition, TokenPattern, Writer, combined, pattern

_COLUMNS: Final = {SearchedField.TITLE: "title", SearchedField.AUTHOR: "author", SearchedField.TEXT: "text"}


@dataclass(frozen=True, slots=True)
class FTS5Writer(Writer):
    """Writes a query so that the full-text table selects the rows if possible, because it returns them in order of
    time.
    """

    def selection(self, query: Query) -> Selection:
        """Return a selection with required and excluded words in one match, and the rest as conditions."""
        parts = query.parts if isinstance(query, And) else (query,)
        required = [self.expression(part) for part in parts if _is_words(part)]
        barred = [part for part in parts if required and isinstance(part, Not) and _is_words(part.part)]
        rest = [part for part in parts if not _is_words(part) and part not in barred]
        where = combined(" AND ", [self.condition(part) for part in rest])
        if not required:
            return Selection(None, where)
        match = " AND ".join(required)
        if barred:
            match = f"({match}) NOT ({' OR '.join(self.expression(part.part) for part in barred)})"
        return Selection(match, where, match)

    def condition(self, query: Query) -> SqlCondition:
        """Return the condition for a query, with nested words in a single match."""
        if not isinstance(query, SearchedWords) and _is_words(query):
            return self._matching(self.expression(query))
        return Writer.condition(self, query)

    def words(self, words: SearchedWords) -> SqlCondition:
        """Return the condition that an article contains words."""
        return self._matching(self.expression(words))

    def expression(self, query: Query) -> str:
        """Return words and their ANDs and ORs in FTS5's query language."""
        match query:
            case SearchedWords():
                match_ = _match(pattern(query, self.languages))
                return match_ if query.field is None else f"{_COLUMNS[query.field]} : {match_}"
            case And(parts):
                return _both(" AND ", [self.expression(part) for part in parts])
            case Or(parts):
                return _both(" OR ", [self.expression(part) for part in parts])
            case _:
                raise TypeError(f"no words: {query}")  # excluded by `_is_words`

    @staticmethod
    def _matching(expression: str) -> SqlCondition:
        return SqlCondition("a.place IN (SELECT rowid FROM words WHERE words MATCH ?)", (expression,))


def _is_words(query: Query) -> bool:
    return isinstance(query, SearchedWords) or (isinstance(query, (And, Or)) and all(map(_is_words, query.parts)))


def _both(operator: str, parts: Sequence[str]) -> str:
    return "(" + operator.join(parts) + ")"


def _match(tokens: TokenPattern) -> str:
    phrase = '"' + " ".join(tokens.tokens) + '"'
    if tokens.prefix:
        return phrase + " *"
    if tokens.instead:
        return _both(" OR ", [phrase, *(f'"{other}"' for other in tokens.instead)])
    return phrase


#: "TIDN": identifies the file as a store.
APPLICATION: Final = 0x5449444E
#: Seconds to wait for another writer.
PATIENCE: Final = 30.0
_CACHE_KB: Final = 8_000
#: Idle connections for concurrent readers. Opening one takes longer than most queries.
_MOST_IDLE: Final = 24
_ROWS_AT_ONCE: Final = 256
#: Pages per transaction when merging the full-text index, and the maximum number of transactions.
_MERGED: Final = 2_000
_MOST_MERGES: Final = 10_000


class SQLiteSession(Session):
    """An SQLite connection inside a transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def all(self, sql: str, *values: Value) -> list[Row]:
        """Return all rows of a query."""
        return self._connection.execute(sql, values).fetchall()

    def each(self, sql: str, *values: Value) -> Iterator[Row]:
        """Yield rows as SQLite finds them."""
        cursor = self._connection.execute(sql, values)
        while rows := cursor.fetchmany(_ROWS_AT_ONCE):
            yield from rows

    def run(self, sql: str, *values: Value) -> int:
        """Run a statement and return the number of changed rows."""
        return self._connection.execute(sql, values).rowcount

    def many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        """Run a statement with many rows of values."""
        self._connection.executemany(sql, rows)


def _create_private(file: Path) -> None:
    """Create a missing file readable by its owner alone; SQLite gives its log and index the same permissions.

    The file contains password digests and credentials of private feeds.
    """
    with suppress(OSError):  # it exists, or SQLite reports the error
        os.close(os.open(file, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))


class SQLite(Database):
    """An SQLite database in a file."""

    def __init__(self, path: Path, *, readonly: bool = False, patience: float = PATIENCE) -> None:
        self.path = path
        self.patience = patience
        self._mode = "ro" if readonly else "rwc"
        self._connections = Connections(self._connect, lambda connection: connection.in_transaction, _MOST_IDLE)

    def open(self) -> None:
        """Create the file or migrate it.

        Raises:
            StoreError: it cannot be opened, is not a store, or is newer.
        """
        if self._mode == "rwc" and not self.path.parent.is_dir():
            raise StoreUnreachable(f"there is no folder {self.path.parent}; make it, or name another file")
        if self._mode == "ro" and not self.path.exists():
            raise StoreUnreachable(f"there is no file {self.path}; nothing was made, as it is to be read only")
        with self._translating(), self._connections.lent() as connection:
            version = self._version(connection)
            if version == migrations.latest():
                return
            if self._mode != "rwc":
                raise StoreReadOnly(
                    f"{self.path} is a store of an older version and can only be read here, so it cannot be brought up"
                    " to date; open it where it can be written"
                )
            write_ahead(connection, self.patience)
            self._migrate(connection)

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Return a session on a snapshot."""
        with self._translating(), self._connections.lent() as connection:
            connection.execute("BEGIN")
            try:
                yield SQLiteSession(connection)
            finally:
                with suppress(sqlite3.Error):
                    connection.execute("ROLLBACK")

    def write(self, work: Callable[[Session], T]) -> T:
        """Run `work` in a transaction."""
        with self._translating(), self._connections.lent() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                result = work(SQLiteSession(connection))
                connection.execute("COMMIT")
            except BaseException:
                with suppress(sqlite3.Error):  # a full disk has rolled back by itself
                    connection.execute("ROLLBACK")
                raise
            return result

    def joined_tasks(self, each: str) -> str:
        """Return the join with a subquery on task numbers, as SQLite has no lateral joins."""
        return f"CROSS JOIN task t ON t.link IN (SELECT link FROM ({each}))"

    def index(self, session: Session, rows: Sequence[tuple[int, int, Indexed]]) -> None:
        """Write words into the full-text table, and a copy into `words`.

        Sorted by place: FTS5 flushes its buffer whenever a row precedes the last one.
        """
        packer = zstandard.ZstdCompressor(level=1)
        lines = sorted((place, words.title, words.author, words.text) for _, place, words in rows)
        session.many("INSERT INTO words (rowid, title, author, text) VALUES (?, ?, ?, ?)", lines)
        packed = [
            (article, place, packer.compress("\n".join((words.title, words.author, words.text)).encode()))
            for article, place, words in rows
        ]
        session.many("INSERT INTO article_words (article, place, packed) VALUES (?, ?, ?)", packed)

    def unindex(self, session: Session, articles: Sequence[int]) -> None:
        """Remove articles from the full-text table, which needs the words that were indexed."""
        unpacker = zstandard.ZstdDecompressor()
        indexed = session.in_all("SELECT place, packed FROM article_words WHERE article IN ({})", articles)
        lines = sorted((place, *unpacker.decompress(packed).decode().split("\n")) for place, packed in indexed)
        session.many("INSERT INTO words (words, rowid, title, author, text) VALUES ('delete', ?, ?, ?, ?)", lines)
        session.run_in("DELETE FROM article_words WHERE article IN ({})", articles)

    def select(self, query: Query, languages: Sequence[str], sources: Sources) -> Selection:
        """Return a query in FTS5's language and SQL."""
        return FTS5Writer(tuple(languages), sources).selection(query)

    def ranking(self, rank: str) -> tuple[str, tuple[str, ...]]:  # noqa: ARG002  # FTS5 ranks the match itself
        """Return the BM25 rank of FTS5."""
        # A word in the headline outranks any number of them in the text.
        return "-(bm25(words, 4.0, 2.0, 1.0) + 3.0 * bm25(words, 1.0, 0.0, 0.0))", ()

    def check(self) -> list[str]:
        """Run SQLite's checks of the file, of foreign keys and of the full-text index."""
        with self.reading() as session:
            problems = [str(row[0]) for row in session.all("PRAGMA integrity_check(20)") if row[0] != "ok"]
            for table, row, parent, _ in session.all("PRAGMA foreign_key_check"):
                problems.append(f"row {row} of {table} names a row of {parent} that is not there")
        if self._mode == "rwc":
            try:
                self.write(lambda session: session.run("INSERT INTO words (words) VALUES ('integrity-check')"))
            except StoreDamaged as error:
                problems.append(f"the full-text index does not fit itself: {error}")
        return problems

    def tidy(self) -> None:
        """Update statistics, merge the full-text index, and checkpoint the write-ahead log."""
        self._join_pieces()
        with self._translating(), self._connections.lent() as connection:
            connection.execute("PRAGMA optimize")
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def _join_pieces(self) -> None:
        """Merge the segments of the full-text index, as a search reads each of them.

        Merges some pages at a time so that others can write.
        """
        pages = -_MERGED  # negative: merge segments of any size
        for _ in range(_MOST_MERGES):
            with self._translating(), self._connections.lent() as connection:
                before = connection.total_changes
                connection.execute("INSERT INTO words (words, rank) VALUES ('merge', ?)", (pages,))
                if connection.total_changes - before < 2:  # FTS5: nothing left to merge
                    return
            pages = _MERGED

    def numbers(self, session: Session, table: str, count: int) -> list[int]:
        """Return numbers for new rows, above the largest number ever used in a table. The transaction keeps other
        writers out.
        """
        last = session.value("SELECT seq FROM sqlite_sequence WHERE name = ?", table) or 0
        return list(range(last + 1, last + 1 + count))

    def close(self) -> None:
        """Close all connections and checkpoint the write-ahead log."""
        self._connections.close()

    def _connect(self) -> sqlite3.Connection:
        name = quote(str(self.path))
        if self._mode == "rwc":
            _create_private(self.path)
        try:
            return self._opened(f"file:{name}?mode={self._mode}")
        except sqlite3.OperationalError as error:
            # In a read-only folder SQLite cannot create a log. Without a log the file is complete.
            log = self.path.with_name(self.path.name + "-wal")
            refused = error.sqlite_errorname.startswith(("SQLITE_CANTOPEN", "SQLITE_READONLY"))
            if not refused or log.exists() or not self.path.is_file():
                raise
            return self._opened(f"file:{name}?mode=ro&immutable=1")

    def _opened(self, uri: str) -> sqlite3.Connection:
        connection = sqlite3.connect(
            uri, uri=True, isolation_level=None, check_same_thread=False, timeout=self.patience, cached_statements=256
        )
        try:
            connection.execute(f"PRAGMA cache_size = -{_CACHE_KB}")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA temp_store = MEMORY")
            connection.execute(
                "SELECT count(*) FROM sqlite_master"
            ).fetchone()  # the first statement that reads the file
        except BaseException:
            connection.close()
            raise
        return connection

    def _version(self, connection: sqlite3.Connection) -> int:
        """Return the schema version of the file; 0 if it is empty.

        Raises:
            NotAStore: the file belongs to another program.
            NewerStore: a newer Tidings has written it.
        """
        application: int = connection.execute("PRAGMA application_id").fetchone()[0]
        version: int = connection.execute("PRAGMA user_version").fetchone()[0]
        tables: int = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if application != APPLICATION and (tables or application or version):
            raise NotAStore(f"{self.path} is a database of something else; name another file")
        if version > migrations.latest():
            raise NewerStore(
                f"{self.path} was written by a newer Tidings (store version {version}; this one knows up to"
                f" {migrations.latest()}); update Tidings, or name another file"
            )
        return version

    def _migrate(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN IMMEDIATE")
        try:
            version = self._version(connection)  # another process may have migrated it meanwhile
            if 0 < version < migrations.latest():
                self._keep_copy(version)
            for statement in migrations.steps(version, "sqlite", migrations.SQLITE):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {migrations.latest()}")
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise

    def _keep_copy(self, version: int) -> None:
        """Back up the file before a migration. A backup of the same version is not overwritten."""
        copy = self.path.with_name(f"{self.path.name}.version-{version}")
        if copy.exists():
            return
        unfinished = copy.with_name(copy.name + ".part")
        unfinished.unlink(missing_ok=True)
        self.backup_to(unfinished)
        unfinished.replace(copy)

    def backup_to(self, file: Path) -> bool:
        """Back up with SQLite's backup API, which restarts if another process writes meanwhile."""
        with self._connections.lent() as reader:
            _create_private(file)
            copy = sqlite3.connect(file)
            try:
                reader.backup(copy)
            finally:
                copy.close()
        return True

    @contextmanager
    def _translating(self) -> Iterator[None]:
        """Replace exceptions of SQLite by those of the store."""
        try:
            yield
        except sqlite3.Error as error:
            translated = _store_error(error, self.path)
            if translated is None:
                raise
            raise translated from error


def _store_error(error: sqlite3.Error, path: Path) -> StoreError | None:  # noqa: PLR0911  # one per error
    name = getattr(error, "sqlite_errorname", None) or ""
    if name == "SQLITE_FULL":
        return StoreFull(f"there is no room left to write to {path}; free some, nothing that was finished is lost")
    if name.startswith("SQLITE_READONLY"):
        return StoreReadOnly(f"{path} can be read, not written; check who owns the file and its folder")
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return StoreBusy(f"another program keeps {path} locked; wait for it to end, or end it")
    if name == "SQLITE_NOTADB":
        return NotAStore(f"{path} is no database, or its beginning is damaged; name another file, or restore a copy")
    if name.startswith("SQLITE_CORRUPT"):
        return StoreDamaged(f"{path} is damaged ({error}); restore a copy, or export what can still be read")
    if name.startswith(("SQLITE_CANTOPEN", "SQLITE_PERM", "SQLITE_AUTH")):
        return StoreUnreachable(f"{path} cannot be opened ({error}); check that its folder is there and may be used")
    if name.startswith("SQLITE_IOERR"):
        return StoreUnreachable(f"reading or writing {path} failed ({error}); check the disk")
    return None
