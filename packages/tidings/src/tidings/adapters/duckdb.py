"""For DuckDB: functions of pages in SQL.

import duckdb
from tidings.adapters.duckdb import register

connection = duckdb.connect()
register(connection)
connection.sql("SELECT article_text(html), article(html).title FROM 'pages.parquet'")
"""

from __future__ import annotations

from typing import Any

from tidings import ExtractOptions
from tidings.adapters.fields import article_or_none, article_row


def register(connection: Any, options: ExtractOptions | None = None) -> None:
    """Add `article_text(html)`, which returns text, and `article(html, url)`, which returns a struct.

    Both take BLOB columns, so that the encoding is found out; a text is cast by DuckDB (`html::BLOB`). What is no page,
    or has no story, is NULL. `options` are the options of all extractions.
    """
    import pyarrow as pa

    structure = (
        "STRUCT(title VARCHAR, authors VARCHAR[], published VARCHAR, language VARCHAR, site VARCHAR, text VARCHAR)"
    )

    def texts(pages: Any) -> Any:
        return pa.array([_text(page, options) for page in pages.to_pylist()], pa.string())

    def articles(pages: Any, urls: Any) -> Any:
        made = [article_row(page, url, options) for page, url in zip(pages.to_pylist(), urls.to_pylist(), strict=True)]
        names = [(name, pa.string()) for name in ("title", "published", "language", "site", "text")]
        return pa.array(made, pa.struct([names[0], ("authors", pa.list_(pa.string())), *names[1:]]))

    connection.create_function("article_text", texts, ["BLOB"], "VARCHAR", type="arrow", null_handling="special")
    connection.create_function(
        "article", articles, ["BLOB", "VARCHAR"], structure, type="arrow", null_handling="special"
    )


def _text(page: bytes | None, options: ExtractOptions | None) -> str | None:
    found = article_or_none(page, None, options) if page else None
    return found.text if found else None
