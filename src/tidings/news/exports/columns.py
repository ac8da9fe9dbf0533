"""The columns of an export, once for all forms: what they are called, what they hold, where it comes from.

Of a version that is not the current one, the columns of the store (reads, story …) are those of the article.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import Enum
from typing import Final

from tidings.article import Article, render
from tidings.news.store.records_of_articles import KeptArticle
from tidings.news.store.records_of_work import maybe_moment, told_micros

Value = str | int | bool | datetime | tuple[str, ...] | None
#: Addresses of sources by their numbers.
Sources = Mapping[int, str]


class Type(Enum):
    """What a column holds."""

    INTEGER = "integer"
    BOOLEAN = "boolean"
    TEXT = "text"
    TIME = "time, UTC"
    TEXTS = "list of text"


@dataclass(frozen=True, slots=True)
class ExportColumn:
    """A column."""

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


def row(kept: KeptArticle, sources: Sources) -> dict[str, Value]:
    """The values of an article, by column, in the order of the columns."""
    return of_store(kept, sources) | _of_article(kept.article)


def of_store(kept: KeptArticle, sources: Sources) -> dict[str, Value]:
    """What the store knows of an article."""
    told = kept.headline
    return {
        "number": told.id,
        "version": kept.version,
        "versions": told.versions,
        "time": told.time,
        "first_seen": told.first_seen,
        "extracted": kept.extracted,
        "maker": kept.maker,
        "page": kept.page,
        "site": told.site,
        "category": told.category,
        "story": told.story,
        "reads": told.reads,
        "muted": told.muted,
        "sources": tuple(sources[number] for number in told.sources if number in sources),
    }


def _of_article(article: Article) -> dict[str, Value]:
    return {
        "address": article.canonical or article.url,
        "url": article.url,
        "title": article.title,
        "authors": article.authors,
        "published": maybe_moment(told_micros(article.published_told)),
        "published_told": _iso(article.published_told),
        "modified_told": _iso(article.modified_told),
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


def _iso(told: datetime | date | None) -> str | None:
    return None if told is None else told.isoformat()


def in_utc(moment: datetime) -> str:
    """A time as text, sortable."""
    return moment.astimezone(UTC).isoformat()
