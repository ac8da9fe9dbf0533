"""A store copied into another, from SQLite to PostgreSQL or back: outgrowing one is one command.

Tables are the same in both, column by column, so rows go over as they are, numbers included. Only the search index is
made anew. All of it is one transaction: a copy that was broken off has copied nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from itertools import islice
from typing import Final

from tidings.errors import StoreError
from tidings.news.store.database import Database, Row, Session
from tidings.news.store.indexed import Indexed, indexed
from tidings.news.store.packing import article_of
from tidings.news.store.quarantine import LOG, ItemName, new_entry
from tidings.news.store.records_of_work import ItemKind, Stage
from tidings.news.store.verbs.quarantine_rows import put_aside

#: Those that others refer to first.
TABLES: Final = (
    "setting", "source", "link", "link_key", "link_source", "task", "host", "story", "article", "version",
    "article_author", "article_source", "page", "follower", "reading", "saved", "mute", "signature", "remembered",
    "person", "login", "token", "read_up_to", "read_mark", "subscription", "author_follower", "quarantine",
)  # fmt: skip
_AT_ONCE: Final = 200


def copy(source: Database, target: Database, tell: Callable[[str, int], None] = lambda _table, _rows: None) -> int:
    """Copy a store into an empty one; how many articles there were.

    Args:
        source: where from.
        target: where to.
        tell: called now and then with the table and how many of its rows are there.

    Raises:
        StoreError: the other store is not empty.
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
    # A story that was merged comes after the one it leads to.
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
    """The words of an article; of one that cannot be read none, and it is set aside."""
    try:
        return indexed(article_of(body))
    except Exception as error:  # any mistake of ours, and whatever damaged bytes bring out
        name = ItemName(ItemKind.ARTICLE, str(number), title)
        entry = new_entry(Stage.SEARCH, name, error, datetime.now(UTC))
        LOG.warning("%s", entry.sentence)
        put_aside(session, [entry])
        return Indexed("", "", "")


def _parts(rows: Iterator[Row]) -> Iterator[Sequence[Row]]:
    while part := list(islice(rows, _AT_ONCE)):
        yield part
