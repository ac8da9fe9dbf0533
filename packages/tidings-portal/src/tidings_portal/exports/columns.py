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
    ExportColumn("number", Type.INTEGER, "the article's number in the store"),
    ExportColumn("version", Type.INTEGER, "1, 2, …"),
    ExportColumn("versions", Type.INTEGER, "how many there have been"),
    ExportColumn("time", Type.TIME, "what lists are sorted by: published, never later than first seen"),
    ExportColumn("first_seen", Type.TIME, "when the store first saw its link"),
    ExportColumn("extracted", Type.TIME, "when this version was made"),
    ExportColumn("maker", Type.TEXT, "what made it: extractor, model or rule"),
    ExportColumn("page", Type.TEXT, "digest of the page it was made from"),
    ExportColumn("site", Type.TEXT, "the host"),
    ExportColumn("category", Type.TEXT, "in the store"),
    ExportColumn("story", Type.INTEGER, "number of the story it belongs to"),
    ExportColumn("reads", Type.INTEGER, "how often it was read"),
    ExportColumn("muted", Type.BOOLEAN, "whether a rule hides it"),
    ExportColumn("sources", Type.TEXTS, "addresses of the sources that led to it"),
)
#: What stands in the article itself.
OF_ARTICLE: Final = (
    ExportColumn("address", Type.TEXT, "the canonical address, else `url`"),
    ExportColumn("url", Type.TEXT, "where the page was fetched"),
    ExportColumn("title", Type.TEXT, "headline"),
    ExportColumn("authors", Type.TEXTS, "names"),
    ExportColumn("published", Type.TIME, "a day alone is its beginning"),
    ExportColumn("published_told", Type.TEXT, "the same in ISO 8601 with the page's own zone, or a day"),
    ExportColumn("modified_told", Type.TEXT, "when the page says it was changed, likewise"),
    ExportColumn("site_name", Type.TEXT, "as the page says"),
    ExportColumn("language", Type.TEXT, "language tag"),
    ExportColumn("direction", Type.TEXT, "ltr or rtl"),
    ExportColumn("kind", Type.TEXT, "article, live, list …"),
    ExportColumn("section", Type.TEXT, "as the page says"),
    ExportColumn("tags", Type.TEXTS, "as the page says"),
    ExportColumn("summary", Type.TEXT, "as the page says"),
    ExportColumn("image", Type.TEXT, "address of the lead picture"),
    ExportColumn("words", Type.INTEGER, "how many words the text has"),
    ExportColumn("text", Type.TEXT, "plain text"),
    ExportColumn("article", Type.TEXT, "everything, blocks included, as JSON; `article_from_json` reads it back"),
)
COLUMNS: Final = OF_STORE + OF_ARTICLE


def row(stored: KeptArticle, sources: Sources) -> dict[str, Value]:
    """Return the values of an article by column, in column order."""
    return of_store(stored, sources) | _of_article(stored.article)


def of_store(stored: KeptArticle, sources: Sources) -> dict[str, Value]:
    """Return the values that come from the store."""
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
        "published_told": _iso(article.published_as_stated),
        "modified_told": _iso(article.modified_as_stated),
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
