"""The columns of pages and articles. Changing a column requires a new `VERSION`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tidings.errors import needs

if TYPE_CHECKING:
    from tidings.bulk.settings import BulkSettings

VERSION: Final = 3
#: Results of an audit; the second is followed by the name of the template.
AGREED: Final = "agreed"
OTHERWISE: Final = "otherwise than "
#: The status of a page, with explanations.
STATUSES: Final = {
    "ok": "the page has a text",
    "nothing": "the page has no text, or the response is a redirect or an error",
    "not-html": "a PDF, a picture, other data",
    "error": "the page cannot be parsed, or the archive is damaged here",
    "late": "the page exceeded the limit of processor time",
    "died": "the worker process died, or exceeded the memory limit",
    "refused": "the page is larger than the limit",
}


class SchemaColumn(NamedTuple):
    """A column of the article table."""

    name: str
    type: str
    meaning: str


#: Named as in the exports of the store, if those have the column.
COLUMNS: Final = tuple(
    SchemaColumn(*line)
    for line in (
        ("id", "string", "digest of the WARC-Record-ID (else of content) and URL: the same wherever the file is"),
        ("url", "string", "URL that the page was fetched from"),
        ("canonical", "string", "canonical URL that the page declares"),
        ("site", "string", "the host, without www."),
        ("source", "string", "file that contains the page"),
        ("offset", "int64", "byte at which the record begins in the file; 0 in a folder, the row in a table"),
        ("length", "int64", "bytes of the page"),
        ("fetched", "timestamp", "time of the request, if the archive has it"),
        ("digest", "string", "BLAKE2b of the page's bytes, 16 bytes as hexadecimal"),
        ("status", "string", "ok, nothing, not-html, error, late, died or refused"),
        ("reason", "string", "why the status is not ok"),
        ("kind", "string", "article, live, list …"),
        ("confidence", "double", "expected word F1 of the text, 0 to 1"),
        ("title", "string", "headline"),
        ("authors", "strings", "names"),
        ("published", "timestamp", "publication time; a date without time is midnight"),
        ("published_as_stated", "string", "`published` in ISO 8601 with the page's time zone, or a date"),
        ("precision", "string", "of `published`: second or day"),
        ("modified", "timestamp", "time of the last change, as declared"),
        ("modified_as_stated", "string", "`modified` in ISO 8601 with the page's time zone, or a date"),
        ("site_name", "string", "as declared by the page"),
        ("language", "string", "language tag"),
        ("direction", "string", "ltr or rtl"),
        ("section", "string", "as declared by the page"),
        ("tags", "strings", "as declared by the page"),
        ("summary", "string", "as declared by the page"),
        ("image", "string", "URL of the lead image"),
        ("text", "string", "plain text"),
        ("words", "int64", "number of words of the text, split at white space"),
        ("marks", "strings", "paywall, login and other marks"),
        ("by", "string", "`rule` and the template's name, or the extractor that selected the text"),
        (
            "audit",
            "string",
            "for pages read by rules and, as a check, by full extraction: agreed, or the template that differed",
        ),
        ("rules", "string", "version of the site rules"),
        ("version", "string", "version of Tidings"),
    )
)


def arrow() -> Any:
    """Import and return pyarrow.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    with needs("bulk", "bulk"):
        import pyarrow as pa
    return pa


def parquet() -> Any:
    """Import and return pyarrow.parquet.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    arrow()
    from pyarrow import parquet as module

    return module


def _types() -> dict[str, Callable[[], Any]]:
    pa = arrow()
    return {
        "string": pa.string,
        "strings": lambda: pa.list_(pa.string()),
        "timestamp": lambda: pa.timestamp("us", tz="UTC"),
        "int64": pa.int64,
        "double": pa.float64,
        "binary": pa.binary,
    }


def page_schema() -> Any:
    """Return the schema of pages for `read_batch`. Only the column `content` is required.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    pa = arrow()
    return pa.schema(
        [
            pa.field("url", pa.string()),
            pa.field("content", pa.binary(), metadata={"meaning": "bytes of the page"}),
            pa.field(
                "headers",
                pa.map_(pa.string(), pa.string()),
                metadata={"meaning": "response headers, names in lower case"},
            ),
            pa.field("source", pa.string()),
            pa.field("offset", pa.int64()),
            pa.field("fetched", pa.timestamp("us", tz="UTC")),
        ],
        metadata={"tidings": f"pages {VERSION}"},
    )


def text_column(extractor: str) -> str:
    """Return the name of the text column of a further extractor."""
    return "text_" + re.sub(r"\W+", "_", extractor).strip("_")


def article_schema(settings: BulkSettings) -> Any:
    """Return the schema of articles for some settings.

    Raises:
        MissingExtra: pyarrow is not installed.
    """
    pa, types = arrow(), _types()
    columns = list(COLUMNS)
    columns += [
        SchemaColumn(text_column(name), "string", f"plain text selected by {name}") for name in settings.extractors[1:]
    ]
    if settings.markdown:
        columns.append(SchemaColumn("markdown", "string", "the article as Markdown"))
    columns += [
        SchemaColumn(column.name, column.type, f"computed by {column.function}") for column in settings.computed
    ]
    if settings.timing:
        columns.append(SchemaColumn("cpu", "int64", "microseconds of processor time"))
    return pa.schema(
        [pa.field(column.name, types[column.type](), metadata={"meaning": column.meaning}) for column in columns],
        metadata={"tidings": f"bulk {VERSION}"},
    )
