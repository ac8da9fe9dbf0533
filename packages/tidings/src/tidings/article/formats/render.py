"""Render an article in one of the output formats."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from types import MappingProxyType
from typing import Final, NamedTuple

from tidings.article.formats.options import DEFAULT, Options
from tidings.article.model.article import Article
from tidings.errors import UnknownFormat


class Format(NamedTuple):
    """An output format: its writer, file extension and media type."""

    function: str  # in `tidings.article.formats`, as `module:function`: imported when it is asked for
    ending: str
    media_type: str

    @property
    def write(self) -> Callable[[Article, Options], str]:
        """The function that renders an article in this format."""
        module, _, name = self.function.partition(":")
        writer: Callable[[Article, Options], str] = getattr(import_module(f"{__package__}.{module}"), name)
        return writer


FORMATS: Final[Mapping[str, Format]] = MappingProxyType(
    {
        "text": Format("as_text:as_text", "txt", "text/plain"),
        "markdown": Format("as_markdown:as_markdown", "md", "text/markdown"),
        "html": Format("as_html:as_html", "html", "text/html"),
        "json": Format("as_json:as_json", "json", "application/json"),
        "jsonl": Format("as_json:as_jsonl", "jsonl", "application/jsonl"),
        "csv": Format("as_csv:as_csv", "csv", "text/csv"),
        "xml": Format("as_xml:as_xml", "xml", "application/xml"),
        "tei": Format("as_tei:as_tei", "xml", "application/tei+xml"),
        "jsonld": Format("as_jsonld:as_jsonld", "jsonld", "application/ld+json"),
    }
)


def render(article: Article, format: str, options: Options = DEFAULT) -> str:  # noqa: A002  # the word people type
    """Return the article in a format, without a final line end; the result can always be encoded as UTF-8.

    Raises:
        UnknownFormat: no format has that name; the message lists the known ones.
    """
    if format not in FORMATS:
        raise UnknownFormat(format, FORMATS)
    return FORMATS[format].write(article, options)
