"""PostgreSQL: the store on a server, for several machines.

All tables are in the schema `tidings`, so that other programs can share the database. Writers wait for each other only
if they touch the same rows. After a deadlock or a serialisation failure the transaction runs again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final, LiteralString

from tidings.errors import (
    NewerStore,
    NotAStore,
    StoreBusy,
    StoreDamaged,
    StoreError,
    StoreFull,
    StoreReadOnly,
    StoreUnreachable,
    needs,
)
from tidings.urls import without_credentials
from tidings_portal.store import migrations
from tidings_portal.store.codec import Indexed
from tidings_portal.store.database import Connections, Database, Row, Session, T, Value
from tidings_portal.store.query import Query
from tidings_portal.store.selection import Selection, Sources

if TYPE_CHECKING:
    import psycopg
from collections import Counter
from dataclasses import dataclass

from tidings_portal.store.query import And, Not, Or, SearchedField, SearchedWords, positive
from tidings_portal.store.search_words import PART_SIGN
from tidings_portal.store.selection import SqlCondition, TokenPattern, Writer, combined, pattern

_WEIGHTS: Final = {SearchedField.TITLE: "A", SearchedField.AUTHOR: "B", SearchedField.TEXT: "D"}
_LINES: Final = {SearchedField.TITLE: "w.title", SearchedField.AUTHOR: "w.author", SearchedField.TEXT: "w.text"}
#: The maximum number of occurrences per field that count for the ranking.
_COUNTED: Final = 12


@dataclass(frozen=True, slots=True)
class TsqueryWriter(Writer):
    """Writes a query as conditions on `w`, the words of an article."""

    def selection(self, query: Query) -> Selection:
        """Return a selection with conditions only; PostgreSQL's planner decides how to evaluate them."""
        parts = query.parts if isinstance(query, And) else (query,)
        has_required = any(next(positive(part), None) for part in parts if not isinstance(part, Or) or _all_words(part))
        ranked = " | ".join(_tsquery(pattern(words, self.languages), words.field) for words in positive(query))
        return Selection(None, self.condition(query), ranked if has_required else None)

    def words(self, words: SearchedWords) -> SqlCondition:
        """Return the condition that an article contains words in order."""
        tokens = pattern(words, self.languages)
        contained = SqlCondition("w.search @@ ?::tsquery", (_tsquery(tokens, words.field),))
        if len(tokens.tokens) == 1:
            return contained
        row = " " + " ".join(tokens.tokens) + ("" if tokens.prefix else " ")
        lines = _LINES.values() if words.field is None else (_LINES[words.field],)
        in_order = combined(" OR ", [SqlCondition(f"strpos(' ' || {line} || ' ', ?) > 0", (row,)) for line in lines])
        return combined(" AND ", [contained, in_order])


def tsvector(words: Indexed) -> str:
    """Return the words of an article as a tsvector literal. Positions are invented: they only count occurrences."""
    positions: dict[str, list[str]] = {}
    for field, (line, weight) in enumerate(((words.title, "A"), (words.author, "B"), (words.text, ""))):
        for token, number in Counter(line.split()).items():
            first = field * _COUNTED + 1
            positions.setdefault(token, []).extend(
                f"{first + offset}{weight}" for offset in range(min(number, _COUNTED))
            )
    positions.pop(PART_SIGN, None)
    return " ".join(f"'{token}':{','.join(places)}" for token, places in positions.items())


def _all_words(query: Query) -> bool:
    match query:
        case SearchedWords():
            return True
        case And(parts) | Or(parts):
            return all(map(_all_words, parts))
        case Not(_) | _:
            return False


def _tsquery(tokens_: TokenPattern, field: SearchedField | None) -> str:
    weight = "" if field is None else _WEIGHTS[field]
    last = len(tokens_.tokens) - 1
    tokens = [
        _lexeme(token, "*" if tokens_.prefix and place == last else "", weight)
        for place, token in enumerate(tokens_.tokens)
    ]
    alternatives = [_lexeme(token, "", weight) for token in tokens_.instead]
    return f"({' & '.join(tokens)})" if not alternatives else f"({' | '.join([*tokens, *alternatives])})"


def _lexeme(token: str, prefix: str, weight: str) -> str:
    return f"'{token}'" + (f":{prefix}{weight}" if prefix or weight else "")


#: Seconds to wait for a lock.
PATIENCE: Final = 30.0
_SCHEMA: Final = "tidings"
#: An arbitrary lock number: concurrent migrations take turns.
_MIGRATING: Final = 0x5449444E
_AGAIN: Final = frozenset({"40001", "40P01"})  # serialisation failure; deadlock
_TRIES: Final = 8
_ROWS_AT_ONCE: Final = 256


class PostgresSession(Session):
    """A PostgreSQL connection inside a transaction."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection

    def all(self, sql: str, *values: Value) -> list[Row]:
        """Return all rows of a query."""
        return self._connection.execute(_placed(sql), values).fetchall()

    def each(self, sql: str, *values: Value) -> Iterator[Row]:
        """Yield rows through a server-side cursor."""
        with self._connection.cursor(name="each") as cursor:
            cursor.itersize = _ROWS_AT_ONCE
            cursor.execute(_placed(sql), values)
            yield from cursor

    def run(self, sql: str, *values: Value) -> int:
        """Run a statement and return the number of changed rows."""
        return self._connection.execute(_placed(sql), values).rowcount

    def many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        """Run a statement with many rows, pipelined."""
        if rows:
            with self._connection.cursor() as cursor:
                cursor.executemany(_placed(sql), rows)


class Postgres(Database):
    """A PostgreSQL database on a server."""

    skip_locked = " FOR UPDATE SKIP LOCKED"
    locked = " FOR UPDATE"
    searched = "article a JOIN article_words w ON w.article = a.id"

    def __init__(self, address: str, *, readonly: bool = False, patience: float = PATIENCE) -> None:
        self.address = address
        self.patience = patience
        self._readonly = readonly
        self._connections = Connections(self._connect, lambda connection: connection.closed or connection.broken)

    def open(self) -> None:
        """Create the tables, or migrate them to the current schema.

        Raises:
            StoreError: the server is unreachable, the schema belongs to another program, or it is newer.
            MissingExtra: psycopg is not installed.
        """
        with needs("a store in PostgreSQL", "postgres"):
            import psycopg  # noqa: F401
        with self._translating(), self._connections.lent() as connection:
            if self._version(connection) == migrations.latest():
                return
            if self._readonly:
                raise StoreReadOnly(f"the store at {self.safe_address} is not up to date and is to be read only")
            with connection.transaction():
                connection.execute("SELECT pg_advisory_xact_lock(%s)", (_MIGRATING,))
                version = self._version(connection)
                connection.execute(f"CREATE SCHEMA IF NOT EXISTS {_SCHEMA}")
                connection.execute("CREATE TABLE IF NOT EXISTS store_version (number BIGINT NOT NULL)")
                for statement in migrations.steps(version, "postgres", migrations.POSTGRES):
                    connection.execute(_placed(statement))
                connection.execute("DELETE FROM store_version")
                connection.execute("INSERT INTO store_version VALUES (%s)", (migrations.latest(),))

    @property
    def safe_address(self) -> str:
        """Return the URL of the database without its password."""
        return without_credentials(self.address).partition("?")[0]

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """Return a session on a snapshot."""
        with self._translating(), self._transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") as connection:
            try:
                yield PostgresSession(connection)
            finally:
                self._end(connection, "ROLLBACK")

    def write(self, work: Callable[[Session], T]) -> T:
        """Run `work` in a transaction; repeat it after a deadlock or a serialisation failure."""
        import psycopg

        with self._translating():
            for tried in range(_TRIES):
                with self._transaction("BEGIN") as connection:
                    try:
                        result = work(PostgresSession(connection))
                        connection.execute("COMMIT")
                    except BaseException as error:
                        self._end(connection, "ROLLBACK")
                        again = isinstance(error, psycopg.Error) and error.sqlstate in _AGAIN
                        if again and tried + 1 < _TRIES:
                            continue
                        raise
                    return result
        raise AssertionError("the last try returns or raises")

    def joined_tasks(self, each: str) -> str:
        """Return a lateral join."""
        return f"JOIN LATERAL ({each}) AS t ON true"

    def index(self, session: Session, rows: Sequence[tuple[int, int, Indexed]]) -> None:
        """Write words as a tsvector, and as lines for phrase search."""
        session.many(
            "INSERT INTO article_words (article, title, author, text, search) VALUES (?, ?, ?, ?, ?::tsvector)",
            [(article, words.title, words.author, words.text, tsvector(words)) for article, _, words in rows],
        )

    def unindex(self, session: Session, articles: Sequence[int]) -> None:
        """Remove articles from the full-text index."""
        session.run_in("DELETE FROM article_words WHERE article IN ({})", articles)

    def select(self, query: Query, languages: Sequence[str], sources: Sources) -> Selection:
        """Return a query in PostgreSQL's terms."""
        return TsqueryWriter(tuple(languages), sources).selection(query)

    def ranking(self, rank: str) -> tuple[str, tuple[str, ...]]:
        """Return PostgreSQL's rank: number of occurrences, weighted by field."""
        return "ts_rank('{0.05, 0.05, 0.15, 1.0}', w.search, ?::tsquery, 1)::float8", (rank,)

    def check(self) -> list[str]:
        """Check that every article has its words and its current version. The server checks its own files."""
        wordless = "SELECT count(*) FROM article WHERE id NOT IN (SELECT article FROM article_words)"
        empty = "SELECT count(*) FROM article WHERE current IS NULL OR current NOT IN (SELECT id FROM version)"
        with self.reading() as session:
            counts = [(session.value(wordless), "cannot be searched for"), (session.value(empty), "have no version")]
        return [f"{number} articles {what}" for number, what in counts if number]

    def tidy(self) -> None:
        """Update the statistics of all tables, for PostgreSQL's planner."""
        with self._translating(), self._connections.lent() as connection:
            connection.execute("ANALYZE")

    def numbers(self, session: Session, table: str, count: int) -> list[int]:
        """Return new numbers from the sequence of a table."""
        sql = "SELECT nextval(pg_get_serial_sequence(?, 'id')) FROM generate_series(1, ?)"
        return sorted(row[0] for row in session.all(sql, f"{_SCHEMA}.{table}", count))

    def numbers_were_given(self) -> None:
        """Set the sequences to the largest numbers in their tables."""

        def work(session: Session) -> None:
            for table in ("source", "link", "story", "article", "version", "mute", "person", "login", "token"):
                largest = session.value(f"SELECT coalesce(max(id), 0) + 1 FROM {table}")
                session.all("SELECT setval(pg_get_serial_sequence(?, 'id'), ?, false)", f"{_SCHEMA}.{table}", largest)

        self.write(work)

    def close(self) -> None:
        """Close all connections."""
        self._connections.close()

    @contextmanager
    def _transaction(self, begin: LiteralString) -> Iterator[psycopg.Connection[Row]]:
        """Begin a transaction. A connection that the server has closed is replaced once."""
        import psycopg

        with self._connections.lent() as connection:
            try:
                connection.execute(begin)
            except psycopg.OperationalError:
                if not connection.closed:
                    raise
            else:
                yield connection
                return
        with self._connections.lent() as connection:
            connection.execute(begin)
            yield connection

    @staticmethod
    def _end(connection: psycopg.Connection[Row], how: LiteralString) -> None:
        import psycopg

        with suppress(psycopg.Error):
            connection.execute(how)

    def _connect(self) -> psycopg.Connection[Any]:
        import psycopg

        connection = psycopg.connect(self.address, autocommit=True, connect_timeout=max(2, int(self.patience)))
        connection.execute(f"SET search_path = {_SCHEMA}")
        connection.execute("SET client_encoding = 'UTF8'")
        connection.execute("SELECT set_config('lock_timeout', %s, false)", (f"{int(self.patience * 1000)}ms",))
        if self._readonly:
            connection.execute("SET default_transaction_read_only = on")
        return connection

    def _version(self, connection: psycopg.Connection[Row]) -> int:
        """Return the schema version; 0 if there is no store."""
        table = connection.execute("SELECT to_regclass(%s)", (f"{_SCHEMA}.store_version",)).fetchone()
        if table is None or table[0] is None:
            tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = %s", (_SCHEMA,)).fetchone()
            if tables is not None and tables[0]:
                raise NotAStore(
                    f"the schema {_SCHEMA!r} of {self.safe_address} holds something else; name another database"
                )
            return 0
        row = connection.execute("SELECT number FROM store_version").fetchone()
        version = 0 if row is None else int(row[0])
        if version > migrations.latest():
            raise NewerStore(
                f"the store at {self.safe_address} was written by a newer Tidings (store version {version};"
                f" this one knows up to {migrations.latest()}); update Tidings, or name another database"
            )
        return version

    @contextmanager
    def _translating(self) -> Iterator[None]:
        """Replace exceptions of psycopg by those of the store."""
        import psycopg

        try:
            yield
        except psycopg.Error as error:
            translated = _store_error(error, self.safe_address)
            if translated is None:
                raise
            raise translated from error


@lru_cache(maxsize=512)
def _placed(sql: str) -> LiteralString:
    """Return SQL with `?` replaced by psycopg's placeholders."""
    return sql.replace("%", "%%").replace("?", "%s")


def _store_error(error: psycopg.Error, address: str) -> StoreError | None:
    import psycopg

    state = error.sqlstate or ""
    if state.startswith("53"):
        return StoreFull(f"the server of {address} has no room left ({error}); nothing that was finished is lost")
    if state in ("25006", "42501"):
        return StoreReadOnly(f"the store at {address} can be read, not written ({error}); check the user's rights")
    if state in ("55P03", "57014") or state in _AGAIN:
        return StoreBusy(f"others keep the store at {address} locked; wait for them to end, or end them")
    if state in ("XX001", "XX002"):
        return StoreDamaged(f"the store at {address} is damaged ({error}); restore a backup")
    if state.startswith(("08", "28", "3D", "57P")) or (isinstance(error, psycopg.OperationalError) and not state):
        return StoreUnreachable(f"the store at {address} cannot be reached ({error}); check the address and the server")
    return None
