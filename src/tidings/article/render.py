"""An article in any of the output formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from tidings.article.formats.as_csv import as_csv
from tidings.article.formats.as_html import as_html
from tidings.article.formats.as_json import as_json, as_jsonl
from tidings.article.formats.as_jsonld import as_jsonld
from tidings.article.formats.as_markdown import as_markdown
from tidings.article.formats.as_tei import as_tei
from tidings.article.formats.as_text import as_text
from tidings.article.formats.as_xml import as_xml
from tidings.article.model import Article
from tidings.article.options import DEFAULT, Options
from tidings.errors import UnknownFormat


@dataclass(frozen=True, slots=True)
class Format:
    """An output format: how it is written, and what its files are called and sent as."""

    write: Callable[[Article, Options], str]
    ending: str
    media_type: str


FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        "text": Format(as_text, "txt", "text/plain"),
        "markdown": Format(as_markdown, "md", "text/markdown"),
        "html": Format(as_html, "html", "text/html"),
        "json": Format(as_json, "json", "application/json"),
        "jsonl": Format(as_jsonl, "jsonl", "application/jsonl"),
        "csv": Format(as_csv, "csv", "text/csv"),
        "xml": Format(as_xml, "xml", "application/xml"),
        "tei": Format(as_tei, "xml", "application/tei+xml"),
        "jsonld": Format(as_jsonld, "jsonld", "application/ld+json"),
    }
)


def render(article: Article, format: str, options: Options = DEFAULT) -> str:  # noqa: A002  # the word people type
    """The article in a format, without a line end behind it; it can always be encoded as UTF-8.

    Raises:
        UnknownFormat: no format has that name; the message lists those there are.
    """
    if format not in FORMATS:
        raise UnknownFormat(format, FORMATS)
    return FORMATS[format].write(article, options)
