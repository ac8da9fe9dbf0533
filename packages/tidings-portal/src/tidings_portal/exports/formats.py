"""Writers of the export formats: JSON lines, Markdown, Parquet and SQLite.

JSON lines have the output of `render(article, "jsonl")` and a field `store` with the columns of the store. Files named
`.gz` or `.zst` are compressed. Markdown has one file with front matter per article, in a folder per month; an export
into an existing folder can continue and rewrites only changed articles. SQLite has plain tables for analysis, with
times as text and lists in separate tables. To move a store, copy its file or use JSON lines.
"""

from __future__ import annotations

import gzip
import json
import os
import re
import sqlite3
import unicodedata
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from datetime import datetime
from functools import partial
from itertools import islice
from pathlib import Path, PurePosixPath
from typing import IO, TYPE_CHECKING, Any, Final

import zstandard

from tidings.article import Options, render
from tidings.article.formats.characters import legal
from tidings.errors import TargetExists, needs
from tidings.text import fold_case
from tidings.urls import without_credentials
from tidings_portal.exports.columns import COLUMNS, Sources, Type, Value, in_utc, of_store, row
from tidings_portal.store.quarantine import ItemName, Quarantine, article_name
from tidings_portal.store.records_of_articles import KeptArticle, Story
from tidings_portal.store.records_of_work import ItemKind, Source

if TYPE_CHECKING:
    import pyarrow as pa


def write_jsonl(
    articles: Iterable[KeptArticle], part: Path, name: Path, sources: Sources, aside: Quarantine | None = None
) -> None:
    """Write one article per line.

    Args:
        articles: the articles.
        part: the file to write to.
        name: the final name, whose extension selects the compression.
        sources: URLs of sources.
        aside: quarantines articles that cannot be written; without it they raise.
    """
    with part.open("wb") as file, _compressed(file, name.suffix.lower()) as stream:

        def line(stored: KeptArticle) -> bytes:
            return json_line(stored, sources).encode() + b"\n"

        for written in map(line, articles) if aside is None else aside.each(articles, line, article_name):
            stream.write(written)


def json_line(stored: KeptArticle, sources: Sources) -> str:
    """Return an article with its store columns as a line of JSON."""
    metadata = {name: _plain(value) for name, value in of_store(stored, sources).items()}
    # Half characters cannot be in what the store cleaned; `ensure_ascii` keeps line separators out as well.
    return f'{render(stored.article, "jsonl")[:-1]},"store":{json.dumps(metadata, separators=(",", ":"))}}}'


def _plain(value: Value) -> str | int | bool | list[str] | None:
    if isinstance(value, datetime):
        return in_utc(value)
    return list(value) if isinstance(value, tuple) else value


@contextmanager
def _compressed(file: IO[bytes], ending: str) -> Iterator[IO[bytes] | gzip.GzipFile]:
    if ending == ".gz":
        # No name and no time in it: the same articles give the same bytes.
        with gzip.GzipFile("", "wb", 6, file, mtime=0) as packed:
            yield packed
    elif ending == ".zst":
        with zstandard.ZstdCompressor(level=6).stream_writer(file, closefd=False) as stream:
            yield stream
    else:
        yield file


#: Bytes: file systems take 255, and synchronised folders put their own words behind a name.
_LONGEST: Final = 120
_NUMBER: Final = re.compile(r"-(\d{1,18})\.md\Z", re.ASCII)


def slug(title: str, language: str = "") -> str:
    """Return a title as a file name: its letters and digits in lower case, joined by hyphens; "" if it has none.

    Letters of every script are preserved with their marks; slashes, dots, colons and control characters are removed.
    """
    parts: list[str] = []
    size = 0
    for sign in fold_case(unicodedata.normalize("NFC", title[:1000]), language):
        kind = unicodedata.category(sign)[0]
        if kind == "M" and not (parts and parts[-1] != "-"):
            continue  # a mark with nothing to stand on
        shown = sign if kind in "LNM" else "-"
        if shown == "-" and (not parts or parts[-1] == "-"):
            continue
        size += len(shown.encode())
        if size > _LONGEST:
            break
        parts.append(shown)
    return "".join(parts).strip("-")


def file_name(stored: KeptArticle) -> PurePosixPath:
    """Return the path of an article from month, title and id: `2024-03/seals-are-back-17.md`."""
    words = slug(stored.article.title, stored.article.language) or "article"
    month = stored.headline.time
    return PurePosixPath(f"{month.year:04d}-{month.month:02d}", f"{words}-{stored.headline.id}.md")


def number_of(path: Path) -> int | None:
    """Return the article id in the name of an exported file, or None."""
    found = _NUMBER.search(path.name)
    return int(found[1]) if found else None


_SHOWN: Final = Options(images=True)
#: In this order, without empty values. An interrupted export is resumed by the first two.
_FIELDS: Final = (
    "number", "version", "title", "address", "authors", "published_as_stated", "modified_as_stated", "first_seen",
    "site_name", "language", "direction", "category", "tags", "summary", "image", "kind", "words", "story", "sources",
)  # fmt: skip
_NAMES: Final = {
    "published_as_stated": "published",
    "modified_as_stated": "modified",
    "site_name": "site",
    "address": "link",
}
_VERSION: Final = re.compile(rb"---\nnumber: \d+\nversion: (\d{1,9})\n")
#: At these YAML 1.1 breaks a line, even in quotes.
_BREAKS: Final = re.compile("[\x85\u2028\u2029\ufeff]")


def write_markdown(
    articles: Iterable[KeptArticle],
    folder: Path,
    sources: Sources,
    aside: Quarantine,
    *,
    force: bool = False,
    go_on: bool = False,
) -> None:
    """Write articles as files in a folder. Only the old file of a renamed article is removed.

    Raises:
        TargetExists: the folder is not empty, and neither `go_on` nor `force` is set.
    """
    if folder.exists() and not folder.is_dir():
        raise TargetExists(f"{folder} is a file; name a folder")
    if folder.is_dir() and any(folder.iterdir()) and not (force or go_on):
        raise TargetExists(f"{folder} is not empty; add --continue to go on with it, or --force to write all anew")
    folder.mkdir(parents=True, exist_ok=True)
    there = {number: path for path in folder.rglob("*.md") if (number := number_of(path)) is not None}

    def write(stored: KeptArticle) -> None:
        path = folder / file_name(stored)
        before = there.get(stored.headline.id)
        if go_on and before is not None and _version(before) == stored.version:
            return
        path.parent.mkdir(exist_ok=True)
        part = path.parent / f".{stored.headline.id}.{os.getpid()}.part"
        try:
            part.write_bytes(markdown(stored, sources).encode())
            part.replace(path)
        finally:
            with suppress(OSError):
                part.unlink(missing_ok=True)
        if before is not None and before != path and _version(before) is not None:
            before.unlink(missing_ok=True)

    deque(aside.each(articles, write, article_name), maxlen=0)


def markdown(stored: KeptArticle, sources: Sources) -> str:
    """Return an article as Markdown with front matter."""
    values = row(stored, sources)
    lines = [
        f"{_NAMES.get(name, name)}: {_yaml(values[name])}" for name in _FIELDS if values[name] not in ("", None, ())
    ]
    return "\n".join(["---", *lines, "---", "", legal(render(stored.article, "markdown", _SHOWN)), ""])


def _yaml(value: Value) -> str:
    """Return a value as YAML: JSON, which is valid YAML, with quotes and line breaks escaped."""
    if isinstance(value, tuple):
        return "[" + ", ".join(map(_yaml, value)) + "]"
    if isinstance(value, datetime):
        return _yaml(in_utc(value))
    if isinstance(value, str):
        quoted = json.dumps(legal(value), ensure_ascii=False)
        return _BREAKS.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)
    return json.dumps(value)


def _version(path: Path) -> int | None:
    """Return the article version in an exported Markdown file, or None if an export did not write the file."""
    try:
        with path.open("rb") as stream:
            found = _VERSION.match(stream.read(200))
    except OSError:
        return None
    return int(found[1]) if found else None


_Row = dict[str, Any]
#: A group is full at so many rows, or so many characters of text: what is held in memory at once.
_ROWS: Final = 1000
_CHARACTERS: Final = 8_000_000


def schema() -> pa.Schema:
    """Return the Parquet schema: the export columns, with their meaning as metadata.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    pa, _ = _arrow()
    types = {
        Type.INTEGER: pa.int64(),
        Type.BOOLEAN: pa.bool_(),
        Type.TEXT: pa.string(),
        Type.TIME: pa.timestamp("us", tz="UTC"),
        Type.TEXTS: pa.list_(pa.string()),
    }
    return pa.schema(
        [pa.field(one.name, types[one.type], metadata={"meaning": one.meaning}) for one in COLUMNS],
        metadata={"tidings": "articles 1"},
    )


def write_parquet(articles: Iterable[KeptArticle], part: Path, sources: Sources, aside: Quarantine) -> None:
    """Write articles as a Parquet file, compressed with Zstandard.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    pa, parquet = _arrow()
    shape = schema()
    with part.open("wb") as stream, parquet.ParquetWriter(stream, shape, compression="zstd") as writer:

        def table(group: Sequence[_Row]) -> Any:
            columns = [
                pa.array([one[column.name] for one in group], type=shape.field(column.name).type) for column in COLUMNS
            ]
            return pa.table(columns, schema=shape)

        for group in _groups(articles, sources, aside):
            for made in aside.run(group, table, _row_name):
                writer.write_table(made, row_group_size=len(made))


def _row_name(values: _Row) -> ItemName:
    return ItemName(ItemKind.ARTICLE, str(values["number"]), values["title"] or values["address"])


def _groups(articles: Iterable[KeptArticle], sources: Sources, aside: Quarantine) -> Iterator[list[_Row]]:
    group: list[_Row] = []
    size = 0

    def fit_row(stored: KeptArticle) -> _Row:
        return {name: _parquet_value(value) for name, value in row(stored, sources).items()}

    for values in aside.each(articles, fit_row, article_name):
        group.append(values)
        size += len(values["article"])
        if len(group) == _ROWS or size >= _CHARACTERS:
            yield group
            group, size = [], 0
    if group:
        yield group


def _parquet_value(value: Value) -> Any:
    """Return a value without lone surrogates. The JSON column has them in escapes."""
    if isinstance(value, str):
        return legal(value)
    return [legal(one) for one in value] if isinstance(value, tuple) else value


def _arrow() -> tuple[Any, Any]:
    with needs("Parquet", "bulk"):
        import pyarrow as pa  # noqa: PLC0415  # optional
        from pyarrow import parquet  # noqa: PLC0415  # optional
    return pa, parquet


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
    source_urls: Sources,
    aside: Quarantine,
) -> None:
    """Write articles, sources and stories as tables."""
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
            aside.run(some, partial(_write, database, source_urls), article_name)
        for statement in _INDEXES:
            database.execute(statement)


def _write(database: sqlite3.Connection, source_urls: Sources, articles: Sequence[KeptArticle]) -> None:
    rows = [row(kept, source_urls) for kept in articles]
    database.execute("BEGIN")
    try:
        _insert(database, "article", (tuple(_sqlite_value(one[column.name]) for column in _FLAT) for one in rows))
        for name, table in _LISTS.items():
            _insert(database, table, _listed(rows, name))
        _insert(database, "block", _blocks(articles))
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


def _blocks(articles: Sequence[KeptArticle]) -> Iterator[tuple[object, ...]]:
    for stored in articles:
        for position, block in enumerate(stored.article.blocks):
            level = block.level if block.level is not None and abs(block.level) < 100 else None
            yield stored.headline.id, stored.version, position, block.kind.value, level, legal(block.text)


def _source(source: Source) -> tuple[object, ...]:
    told = source.settings
    return (
        *(source.id, legal(without_credentials(told.address)), legal(told.title), told.kind.value),
        *(legal(told.folder), legal(told.language)),
    )


def _story(story: Story) -> tuple[object, ...]:
    texts = map(legal, (story.title, story.summary, story.language, story.category))
    return story.id, *texts, in_utc(story.first), in_utc(story.last), story.size, story.sites


def _sqlite_value(value: Value) -> object:
    if isinstance(value, datetime):
        return in_utc(value)
    return legal(value) if isinstance(value, str) else value
