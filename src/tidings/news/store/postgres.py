"""PostgreSQL: the store on a server, for several machines at once.

Everything lies in the schema `tidings`, so that a database can be shared with other things. Writers do not wait for
each other unless they touch the same rows; where two wait for each other, one of them is run again.
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
from tidings.news.store import migrations
from tidings.news.store.codec import Indexed
from tidings.news.store.database import Connections, Database, Row, Session, T, Value
from tidings.news.store.query import Query
from tidings.news.store.selection import Selection, Sources
from tidings.urls import without_credentials

if TYPE_CHECKING:
    import psycopg
from collections import Counter
from dataclasses import dataclass

from tidings.news.store.query import And, Not, Or, SearchedField, SearchedWords, positive
from tidings.news.store.search_words import PART_SIGN
from tidings.news.store.selection import SqlCondition, TokenPattern, Writer, joined, pattern

_WEIGHTS: Final = {SearchedField.TITLE: "A", SearchedField.AUTHOR: "B", SearchedField.TEXT: "D"}
_LINES: Final = {SearchedField.TITLE: "w.title", SearchedField.AUTHOR: "w.author", SearchedField.TEXT: "w.text"}
#: Times a word counts in one field for the ranking.
_COUNTED: Final = 12


@dataclass(frozen=True, slots=True)
class TsqueryWriter(Writer):
    """Writes a query as conditions on `w`, the words of an article."""

    def selection(self, query: Query) -> Selection:
        """Everything is a condition; PostgreSQL finds the way itself."""
        parts = query.parts if isinstance(query, And) else (query,)
        wanted = any(next(positive(part), None) for part in parts if not isinstance(part, Or) or _all_words(part))
        ranked = " | ".join(_asked(pattern(words, self.languages), words.field) for words in positive(query))
        return Selection(None, self.condition(query), ranked if wanted else None)

    def words(self, words: SearchedWords) -> SqlCondition:
        """The words are there, and in their order."""
        found = pattern(words, self.languages)
        there = SqlCondition("w.search @@ ?::tsquery", (_asked(found, words.field),))
        if len(found.tokens) == 1:
            return there
        row = " " + " ".join(found.tokens) + ("" if found.prefix else " ")
        lines = _LINES.values() if words.field is None else (_LINES[words.field],)
        in_order = joined(" OR ", [SqlCondition(f"strpos(' ' || {line} || ' ', ?) > 0", (row,)) for line in lines])
        return joined(" AND ", [there, in_order])


def tsvector(words: Indexed) -> str:
    """The words of an article as PostgreSQL writes a tsvector. Places are made up: they only count."""
    told: dict[str, list[str]] = {}
    for field, (line, weight) in enumerate(((words.title, "A"), (words.author, "B"), (words.text, ""))):
        for token, number in Counter(line.split()).items():
            first = field * _COUNTED + 1
            told.setdefault(token, []).extend(f"{first + one}{weight}" for one in range(min(number, _COUNTED)))
    told.pop(PART_SIGN, None)
    return " ".join(f"'{token}':{','.join(places)}" for token, places in told.items())


def _all_words(query: Query) -> bool:
    match query:
        case SearchedWords():
            return True
        case And(parts) | Or(parts):
            return all(map(_all_words, parts))
        case Not(_) | _:
            return False


def _asked(found: TokenPattern, field: SearchedField | None) -> str:
    weight = "" if field is None else _WEIGHTS[field]
    last = len(found.tokens) - 1
    tokens = [
        _lexeme(token, "*" if found.prefix and place == last else "", weight)
        for place, token in enumerate(found.tokens)
    ]
    others = [_lexeme(token, "", weight) for token in found.instead]
    return f"({' & '.join(tokens)})" if not others else f"({' | '.join([*tokens, *others])})"


def _lexeme(token: str, prefix: str, weight: str) -> str:
    return f"'{token}'" + (f":{prefix}{weight}" if prefix or weight else "")


#: Seconds to wait for a lock.
PATIENCE: Final = 30.0
_SCHEMA: Final = "tidings"
#: Any number: two programs that bring one store up to date take turns by it.
_MIGRATING: Final = 0x5449444E
_AGAIN: Final = frozenset({"40001", "40P01"})  # would not serialise; deadlock
_TRIES: Final = 8
_ROWS_AT_ONCE: Final = 256


class PostgresSession(Session):
    """A connection inside a transaction."""

    def __init__(self, connection: psycopg.Connection[Row]) -> None:
        self._connection = connection

    def all(self, sql: str, *values: Value) -> list[Row]:
        """All rows of an answer."""
        return self._connection.execute(_placed(sql), values).fetchall()

    def each(self, sql: str, *values: Value) -> Iterator[Row]:
        """Rows through a cursor of the server, so that they are not all here at once."""
        with self._connection.cursor(name="each") as cursor:
            cursor.itersize = _ROWS_AT_ONCE
            cursor.execute(_placed(sql), values)
            yield from cursor

    def run(self, sql: str, *values: Value) -> int:
        """Change something."""
        return self._connection.execute(_placed(sql), values).rowcount

    def many(self, sql: str, rows: Sequence[Sequence[Value]]) -> None:
        """The same change many times, sent without waiting for each answer."""
        if rows:
            with self._connection.cursor() as cursor:
                cursor.executemany(_placed(sql), rows)


class Postgres(Database):
    """One database of a server."""

    skip_locked = " FOR UPDATE SKIP LOCKED"
    locked = " FOR UPDATE"
    searched = "article a JOIN article_words w ON w.article = a.id"

    def __init__(self, address: str, *, readonly: bool = False, patience: float = PATIENCE) -> None:
        self.address = address
        self.patience = patience
        self._readonly = readonly
        self._connections = Connections(self._connect, lambda connection: connection.closed or connection.broken)

    def open(self) -> None:
        """Make the tables, or bring them up to date.

        Raises:
            StoreError: the server cannot be reached, the schema is somebody else's, or newer.
            MissingExtra: psycopg is not installed.
        """
        with needs("a store in PostgreSQL", "postgres"):
            import psycopg  # noqa: F401
        with self._telling(), self._connections.lent() as connection:
            if self._version(connection) == migrations.latest():
                return
            if self._readonly:
                raise StoreReadOnly(f"the store at {self.shown} is not up to date and is to be read only")
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
    def shown(self) -> str:
        """The address without the password."""
        return without_credentials(self.address).partition("?")[0]

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session that sees one state."""
        with self._telling(), self._begun("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") as connection:
            try:
                yield PostgresSession(connection)
            finally:
                self._end(connection, "ROLLBACK")

    def write(self, work: Callable[[Session], T]) -> T:
        """Some work in one transaction; run again if it and another one waited for each other."""
        import psycopg

        with self._telling():
            for tried in range(_TRIES):
                with self._begun("BEGIN") as connection:
                    try:
                        found = work(PostgresSession(connection))
                        connection.execute("COMMIT")
                    except BaseException as error:
                        self._end(connection, "ROLLBACK")
                        again = isinstance(error, psycopg.Error) and error.sqlstate in _AGAIN
                        if again and tried + 1 < _TRIES:
                            continue
                        raise
                    return found
        raise AssertionError("the last try returns or raises")

    def joined_tasks(self, each: str) -> str:
        """A lateral join."""
        return f"JOIN LATERAL ({each}) AS t ON true"

    def index(self, session: Session, rows: Sequence[tuple[int, int, Indexed]]) -> None:
        """Write words as a tsvector, and as lines to look phrases up in."""
        session.many(
            "INSERT INTO article_words (article, title, author, text, search) VALUES (?, ?, ?, ?, ?::tsvector)",
            [(article, words.title, words.author, words.text, tsvector(words)) for article, _, words in rows],
        )

    def unindex(self, session: Session, articles: Sequence[int]) -> None:
        """Forget the words."""
        session.run_in("DELETE FROM article_words WHERE article IN ({})", articles)

    def select(self, query: Query, languages: Sequence[str], sources: Sources) -> Selection:
        """A query in PostgreSQL's terms."""
        return TsqueryWriter(tuple(languages), sources).selection(query)

    def ranking(self, rank: str) -> tuple[str, tuple[str, ...]]:
        """PostgreSQL's own: how often, and in which field."""
        return "ts_rank('{0.05, 0.05, 0.15, 1.0}', w.search, ?::tsquery, 1)::float8", (rank,)

    def check(self) -> list[str]:
        """That every article has its words and its current version; the server looks after its files itself."""
        wordless = "SELECT count(*) FROM article WHERE id NOT IN (SELECT article FROM article_words)"
        empty = "SELECT count(*) FROM article WHERE current IS NULL OR current NOT IN (SELECT id FROM version)"
        with self.reading() as session:
            told = [(session.value(wordless), "cannot be searched for"), (session.value(empty), "have no version")]
        return [f"{number} articles {what}" for number, what in told if number]

    def tidy(self) -> None:
        """Look at the sizes of tables anew."""
        with self._telling(), self._connections.lent() as connection:
            connection.execute("ANALYZE")

    def numbers(self, session: Session, table: str, count: int) -> list[int]:
        """From the table's sequence."""
        sql = "SELECT nextval(pg_get_serial_sequence(?, 'id')) FROM generate_series(1, ?)"
        return sorted(row[0] for row in session.all(sql, f"{_SCHEMA}.{table}", count))

    def numbers_were_given(self) -> None:
        """New numbers begin behind the largest."""

        def work(session: Session) -> None:
            for table in ("source", "link", "story", "article", "version", "mute", "person", "login", "token"):
                largest = session.value(f"SELECT coalesce(max(id), 0) + 1 FROM {table}")
                session.all("SELECT setval(pg_get_serial_sequence(?, 'id'), ?, false)", f"{_SCHEMA}.{table}", largest)

        self.write(work)

    def close(self) -> None:
        """Close the connections."""
        self._connections.close()

    @contextmanager
    def _begun(self, begin: LiteralString) -> Iterator[psycopg.Connection[Row]]:
        """A connection with a transaction begun. One that the server has closed meanwhile is exchanged once."""
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
        """The version of the store; 0 where there is none."""
        there = connection.execute("SELECT to_regclass(%s)", (f"{_SCHEMA}.store_version",)).fetchone()
        if there is None or there[0] is None:
            tables = connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = %s", (_SCHEMA,)).fetchone()
            if tables is not None and tables[0]:
                raise NotAStore(f"the schema {_SCHEMA!r} of {self.shown} holds something else; name another database")
            return 0
        row = connection.execute("SELECT number FROM store_version").fetchone()
        version = 0 if row is None else int(row[0])
        if version > migrations.latest():
            raise NewerStore(
                f"the store at {self.shown} was written by a newer Tidings (store version {version}; this one knows up"
                f" to {migrations.latest()}); update Tidings, or name another database"
            )
        return version

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """The server's errors as ours."""
        import psycopg

        try:
            yield
        except psycopg.Error as error:
            told = _told(error, self.shown)
            if told is None:
                raise
            raise told from error


@lru_cache(maxsize=512)
def _placed(sql: str) -> LiteralString:
    """`?` as psycopg writes it."""
    return sql.replace("%", "%%").replace("?", "%s")


def _told(error: psycopg.Error, shown: str) -> StoreError | None:
    import psycopg

    state = error.sqlstate or ""
    if state.startswith("53"):
        return StoreFull(f"the server of {shown} has no room left ({error}); nothing that was finished is lost")
    if state in ("25006", "42501"):
        return StoreReadOnly(f"the store at {shown} can be read, not written ({error}); check the user's rights")
    if state in ("55P03", "57014") or state in _AGAIN:
        return StoreBusy(f"others keep the store at {shown} locked; wait for them to end, or end them")
    if state in ("XX001", "XX002"):
        return StoreDamaged(f"the store at {shown} is damaged ({error}); restore a backup")
    if state.startswith(("08", "28", "3D", "57P")) or (isinstance(error, psycopg.OperationalError) and not state):
        return StoreUnreachable(f"the store at {shown} cannot be reached ({error}); check the address and the server")
    return None
