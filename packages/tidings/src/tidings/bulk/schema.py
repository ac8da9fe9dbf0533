"""The columns of pages and articles. Changing a column requires a new `VERSION`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from tidings.errors import needs

if TYPE_CHECKING:
    from tidings.bulk.settings import BulkSettings

VERSION: Final = 2
#: Results of an audit; the second is followed by the name of the template.
AGREED: Final = "agreed"
OTHERWISE: Final = "otherwise than "
#: The status of a page, with explanations.
STATUSES: Final = {
    "ok": "there is a text",
    "nothing": "it was read and has no text; or the server's answer is none of a page",
    "not-html": "a PDF, a picture, other data",
    "error": "it cannot be read, or the archive is damaged at this place",
    "late": "it took more processor time than a page may, and was given up",
    "died": "its reader was ended, or needed more memory than a page may",
    "refused": "it has more bytes than a page may",
}


class SchemaColumn(NamedTuple):
    """A column of articles."""

    name: str
    type: str
    meaning: str


#: Named as in the exports of the store, if those have the column.
COLUMNS: Final = tuple(
    SchemaColumn(*line)
    for line in (
        ("id", "string", "digest of the WARC-Record-ID (else of content) and URL: the same wherever the file is"),
        ("url", "string", "where the page was fetched"),
        ("canonical", "string", "the address that it calls its own"),
        ("site", "string", "the host, without www."),
        ("source", "string", "the file that it stands in"),
        ("offset", "int64", "at which byte of the file its record begins; of a folder 0, of a table the row"),
        ("length", "int64", "bytes of the page"),
        ("fetched", "timestamp", "when, if the archive tells"),
        ("digest", "string", "BLAKE2b of the page's bytes, 16 bytes as hexadecimal"),
        ("status", "string", "ok, nothing, not-html, error, late, died or refused"),
        ("reason", "string", "why it is not ok"),
        ("kind", "string", "article, live, list …"),
        ("confidence", "double", "how sure the extractor is that this is the article, 0 to 1"),
        ("title", "string", "headline"),
        ("authors", "strings", "names"),
        ("published", "timestamp", "a day alone is its beginning"),
        ("published_told", "string", "the same in ISO 8601 with the page's own zone, or a day"),
        ("precision", "string", "of `published`: second or day"),
        ("modified", "timestamp", "when the page says it was changed"),
        ("modified_told", "string", "the same, as `published_told`"),
        ("site_name", "string", "as the page says"),
        ("language", "string", "language tag"),
        ("direction", "string", "ltr or rtl"),
        ("section", "string", "as the page says"),
        ("tags", "strings", "as the page says"),
        ("summary", "string", "as the page says"),
        ("image", "string", "address of the lead picture"),
        ("text", "string", "plain text"),
        ("words", "int64", "words of the text, split at white space"),
        ("marks", "strings", "what stands between a reader and the story: paywall, login …"),
        ("by", "string", "what chose the text: `rule` and its template, or an extractor"),
        (
            "audit",
            "string",
            "agreed, or otherwise than which template, where a page of rules was read the long way too",
        ),
        ("rules", "string", "version of the rules of sites"),
        ("version", "string", "of Tidings"),
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
            pa.field("content", pa.binary(), metadata={"meaning": "the page, as it came"}),
            pa.field(
                "headers", pa.map_(pa.string(), pa.string()), metadata={"meaning": "of the answer, in lower case"}
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
        SchemaColumn(text_column(name), "string", f"plain text, as {name} chose it") for name in settings.extractors[1:]
    ]
    if settings.markdown:
        columns.append(SchemaColumn("markdown", "string", "the article as Markdown"))
    columns += [SchemaColumn(column.name, column.type, f"made by {column.function}") for column in settings.computed]
    if settings.timing:
        columns.append(SchemaColumn("cpu", "int64", "microseconds of processor time"))
    return pa.schema(
        [pa.field(column.name, types[column.type](), metadata={"meaning": column.meaning}) for column in columns],
        metadata={"tidings": f"bulk {VERSION}"},
    )
