"""Parquet: a row an article, in groups; columns as in `columns`, blocks inside the JSON of the last one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tidings.article.characters import legal
from tidings.errors import MissingExtra
from tidings.news.exports.columns import COLUMNS, Sources, Type, Value, row
from tidings.news.store.quarantine import ItemName, Quarantine, article_name
from tidings.news.store.records_of_articles import KeptArticle
from tidings.news.store.records_of_work import ItemKind

if TYPE_CHECKING:
    import pyarrow as pa

_Row = dict[str, Any]
#: A group is full at so many rows, or so many characters of text: what is held in memory at once.
_ROWS: Final = 1000
_CHARACTERS: Final = 8_000_000


def schema() -> pa.Schema:
    """The columns, each with its meaning.

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
    """Articles as one file of Parquet, compressed with Zstandard.

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


def _row_name(made: _Row) -> ItemName:
    return ItemName(ItemKind.ARTICLE, str(made["number"]), made["title"] or made["address"])


def _groups(articles: Iterable[KeptArticle], sources: Sources, aside: Quarantine) -> Iterator[list[_Row]]:
    group: list[_Row] = []
    size = 0

    def fit_row(kept: KeptArticle) -> _Row:
        return {name: _fit(value) for name, value in row(kept, sources).items()}

    for made in aside.each(articles, fit_row, article_name):
        group.append(made)
        size += len(made["article"])
        if len(group) == _ROWS or size >= _CHARACTERS:
            yield group
            group, size = [], 0
    if group:
        yield group


def _fit(value: Value) -> Any:
    """What UTF-8 can hold; the JSON column has everything as it was, in escapes."""
    if isinstance(value, str):
        return legal(value)
    return [legal(one) for one in value] if isinstance(value, tuple) else value


def _arrow() -> tuple[Any, Any]:
    try:
        import pyarrow as pa  # noqa: PLC0415  # optional
        from pyarrow import parquet  # noqa: PLC0415  # optional
    except ImportError as error:
        raise MissingExtra("Parquet", "bulk") from error
    return pa, parquet
