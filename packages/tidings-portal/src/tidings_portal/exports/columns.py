"""The columns of an export, in all formats: name, type, meaning and value.

For an old version of an article, the columns of the store (reads, story …) have the values of the article.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum
from typing import Final

from tidings.article import Article, render
from tidings_portal.store.records_of_articles import KeptArticle
from tidings_portal.store.records_of_work import maybe_moment, told_micros

Value = str | int | bool | datetime | tuple[str, ...] | None
#: Addresses of sources by their numbers.
Sources = Mapping[int, str]


class Type(Enum):
    """The data type of an export column."""

    INTEGER = "integer"
    BOOLEAN = "boolean"
    TEXT = "text"
    TIME = "time, UTC"
    TEXTS = "list of text"


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column of an export: its name, data type, meaning and value."""

    name: str
    type: Type
    meaning: str


#: What the store knows of an article.
OF_STORE: Final = (
    ExportColumn("number", Type.INTEGER, "id of the article in the store"),
    ExportColumn("version", Type.INTEGER, "1, 2, …"),
    ExportColumn("versions", Type.INTEGER, "number of versions"),
    ExportColumn("time", Type.TIME, "sort key of lists: `published`, or `first_seen` if that is earlier"),
    ExportColumn("first_seen", Type.TIME, "when the store first saw its link"),
    ExportColumn("extracted", Type.TIME, "when this version was extracted"),
    ExportColumn("maker", Type.TEXT, "extractor, model or rule that selected the text"),
    ExportColumn("page", Type.TEXT, "digest of the page"),
    ExportColumn("site", Type.TEXT, "the host"),
    ExportColumn("category", Type.TEXT, "category in the store"),
    ExportColumn("story", Type.INTEGER, "id of its story"),
    ExportColumn("reads", Type.INTEGER, "how often users opened it"),
    ExportColumn("muted", Type.BOOLEAN, "whether a rule hides it"),
    ExportColumn("sources", Type.TEXTS, "URLs of the sources that link to it"),
)
#: What stands in the article itself.
OF_ARTICLE: Final = (
    ExportColumn("address", Type.TEXT, "canonical URL, else `url`"),
    ExportColumn("url", Type.TEXT, "URL that the page was fetched from"),
    ExportColumn("title", Type.TEXT, "headline"),
    ExportColumn("authors", Type.TEXTS, "names"),
    ExportColumn("published", Type.TIME, "publication time; a date without time is midnight"),
    ExportColumn("published_as_stated", Type.TEXT, "`published` in ISO 8601 with the page's time zone, or a date"),
    ExportColumn("modified_as_stated", Type.TEXT, "time of the last change, in the same format"),
    ExportColumn("site_name", Type.TEXT, "as declared by the page"),
    ExportColumn("language", Type.TEXT, "language tag"),
    ExportColumn("direction", Type.TEXT, "ltr or rtl"),
    ExportColumn("kind", Type.TEXT, "article, live, list …"),
    ExportColumn("section", Type.TEXT, "as declared by the page"),
    ExportColumn("tags", Type.TEXTS, "as declared by the page"),
    ExportColumn("summary", Type.TEXT, "as declared by the page"),
    ExportColumn("image", Type.TEXT, "URL of the lead image"),
    ExportColumn("words", Type.INTEGER, "number of words of the text"),
    ExportColumn("text", Type.TEXT, "plain text"),
    ExportColumn("article", Type.TEXT, "the whole article with its blocks as JSON, for `article_from_json`"),
)
COLUMNS: Final = OF_STORE + OF_ARTICLE


def row(stored: KeptArticle, sources: Sources) -> dict[str, Value]:
    """Return the values of an article by column, in column order."""
    return of_store(stored, sources) | _of_article(stored.article)


def of_store(stored: KeptArticle, sources: Sources) -> dict[str, Value]:
    """Return the values of an article's store columns."""
    headline = stored.headline
    return {
        "number": headline.id,
        "version": stored.version,
        "versions": headline.versions,
        "time": headline.time,
        "first_seen": headline.first_seen,
        "extracted": stored.extracted,
        "maker": stored.maker,
        "page": stored.page,
        "site": headline.site,
        "category": headline.category,
        "story": headline.story,
        "reads": headline.reads,
        "muted": headline.muted,
        "sources": tuple(sources[number] for number in headline.sources if number in sources),
    }


def _of_article(article: Article) -> dict[str, Value]:
    return {
        "address": article.canonical or article.url,
        "url": article.url,
        "title": article.title,
        "authors": article.authors,
        "published": maybe_moment(told_micros(article.published_as_stated)),
        "published_as_stated": _iso(article.published_as_stated),
        "modified_as_stated": _iso(article.modified_as_stated),
        "site_name": article.site,
        "language": article.language,
        "direction": article.direction,
        "kind": article.kind,
        "section": article.section,
        "tags": article.tags,
        "summary": article.summary,
        "image": article.image.src if article.image else "",
        "words": len(article.words),
        "text": article.text,
        "article": render(article, "jsonl"),
    }


def _iso(moment: datetime | date | None) -> str | None:
    return None if moment is None else moment.isoformat()


def in_utc(moment: datetime) -> str:
    """Return a time as ISO 8601 text in UTC, which sorts by time."""
    return moment.astimezone(UTC).isoformat()
