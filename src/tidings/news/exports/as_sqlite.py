"""A SQLite file of plain tables that any tool opens: nothing compressed, times as text, lists in tables of their own.

It is for looking at and joining with other data. To move a store, copy its file or use JSON lines.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, suppress
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Final

from tidings.article.characters import legal
from tidings.news.exports.columns import COLUMNS, Sources, Type, Value, in_utc, row
from tidings.news.selection import without_password
from tidings.news.store.quarantine import Quarantine, article_name
from tidings.news.store.records_of_articles import KeptArticle, Story
from tidings.news.store.records_of_work import Source

_LISTS: Final = {"authors": "article_author", "tags": "article_tag", "sources": "article_source"}
_TYPES: Final = {Type.INTEGER: "INTEGER", Type.BOOLEAN: "INTEGER", Type.TEXT: "TEXT", Type.TIME: "TEXT"}
_FLAT: Final = tuple(column for column in COLUMNS if column.type is not Type.TEXTS)
_OF_ARTICLE: Final = ", ".join(f"{column.name} {_TYPES[column.type]}" for column in _FLAT)
_TABLES: Final = (
    f"CREATE TABLE article ({_OF_ARTICLE}, PRIMARY KEY (number, version))",
    *(
        f"CREATE TABLE {table} (number INTEGER, version INTEGER, position INTEGER, name TEXT,"
        " PRIMARY KEY (number, version, position)) WITHOUT ROWID"
        for table in _LISTS.values()
    ),
    (
        "CREATE TABLE block (number INTEGER, version INTEGER, position INTEGER, kind TEXT, level INTEGER, text TEXT,"
        " PRIMARY KEY (number, version, position)) WITHOUT ROWID"
    ),
    "CREATE TABLE source (number INTEGER PRIMARY KEY, address TEXT, title TEXT, kind TEXT, folder TEXT, language TEXT)",
    (
        "CREATE TABLE story (number INTEGER PRIMARY KEY, title TEXT, summary TEXT, language TEXT, category TEXT,"
        " first TEXT, last TEXT, articles INTEGER, sites INTEGER)"
    ),
    "CREATE TABLE column_meaning (column_name TEXT PRIMARY KEY, holds TEXT, meaning TEXT)",
)
_INDEXES: Final = (
    "CREATE INDEX article_time ON article (time)",
    "CREATE INDEX article_site ON article (site)",
    "CREATE INDEX article_category ON article (category)",
    "CREATE INDEX article_story ON article (story)",
    "CREATE INDEX article_author_name ON article_author (name)",
)
_AT_ONCE: Final = 200


def write_sqlite(
    articles: Iterable[KeptArticle],
    part: Path,
    sources: Iterable[Source],
    stories: Iterable[Story],
    known: Sources,
    aside: Quarantine,
) -> None:
    """Articles, sources and stories as tables."""
    with closing(sqlite3.connect(part, isolation_level=None)) as database:
        # The file has its own name only when it is whole: what has to be undone is a batch with a bad article in it.
        database.execute("PRAGMA journal_mode = MEMORY")
        database.execute("PRAGMA synchronous = OFF")
        for statement in _TABLES:
            database.execute(statement)
        _insert(database, "column_meaning", ((one.name, one.type.value, one.meaning) for one in COLUMNS))
        _insert(database, "source", map(_source, sources))
        _insert(database, "story", map(_story, stories))
        waiting = iter(articles)
        while some := list(islice(waiting, _AT_ONCE)):
            aside.run(some, partial(_write, database, known), article_name)
        for statement in _INDEXES:
            database.execute(statement)


def _write(database: sqlite3.Connection, known: Sources, some: Sequence[KeptArticle]) -> None:
    rows = [row(kept, known) for kept in some]
    database.execute("BEGIN")
    try:
        _insert(database, "article", (tuple(_fit(one[column.name]) for column in _FLAT) for one in rows))
        for name, table in _LISTS.items():
            _insert(database, table, _listed(rows, name))
        _insert(database, "block", _blocks(some))
        database.execute("COMMIT")
    except BaseException:
        with suppress(sqlite3.Error):  # a full disk has rolled back by itself
            database.execute("ROLLBACK")
        raise


def _insert(database: sqlite3.Connection, table: str, rows: Iterable[tuple[object, ...]]) -> None:
    waiting = iter(rows)
    while some := list(islice(waiting, 1000)):
        marks = ", ".join("?" * len(some[0]))
        database.executemany(f"INSERT INTO {table} VALUES ({marks})", some)  # noqa: S608  # names of our own


def _listed(rows: list[dict[str, Value]], name: str) -> Iterator[tuple[object, ...]]:
    for one in rows:
        values = one[name]
        if isinstance(values, tuple):
            for position, value in enumerate(values):
                yield one["number"], one["version"], position, legal(value)


def _blocks(some: Sequence[KeptArticle]) -> Iterator[tuple[object, ...]]:
    for kept in some:
        for position, block in enumerate(kept.article.blocks):
            level = block.level if block.level is not None and abs(block.level) < 100 else None
            yield kept.headline.id, kept.version, position, block.kind.value, level, legal(block.text)


def _source(source: Source) -> tuple[object, ...]:
    told = source.told
    return (
        *(source.id, legal(without_password(told.address)), legal(told.title), told.kind.value),
        *(legal(told.folder), legal(told.language)),
    )


def _story(story: Story) -> tuple[object, ...]:
    texts = map(legal, (story.title, story.summary, story.language, story.category))
    return story.id, *texts, in_utc(story.first), in_utc(story.last), story.size, story.sites


def _fit(value: Value) -> object:
    if isinstance(value, datetime):
        return in_utc(value)
    return legal(value) if isinstance(value, str) else value
