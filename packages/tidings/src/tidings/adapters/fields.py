"""Plain metadata of an article, as frameworks store it next to a text."""

from __future__ import annotations

from typing import Any

import tidings
from tidings import ExtractOptions
from tidings.article import Article, render
from tidings.errors import PageError


def metadata_of(article: Article) -> dict[str, Any]:
    """Return the non-empty fields by name, as strings, numbers and lists of strings."""
    metadata: dict[str, Any] = {
        "source": article.address,
        "title": article.title,
        "authors": list(article.authors),
        "published": article.published_as_stated.isoformat() if article.published_as_stated else "",
        "modified": article.modified_as_stated.isoformat() if article.modified_as_stated else "",
        "language": article.language,
        "site": article.site,
        "section": article.section,
        "tags": list(article.tags),
        "summary": article.summary,
        "image": article.image.src if article.image else "",
        "kind": article.kind,
        "confidence": article.confidence,
    }
    return {name: value for name, value in metadata.items() if value not in ("", None, [])}


def text_of(article: Article, form: str) -> str:
    """Return the text of an article, plain or in a format."""
    return article.text if form == "text" else render(article, form)


def article_or_none(data: bytes | str, url: str | None = None, options: ExtractOptions | None = None) -> Article | None:
    """Return the article on a page; None if there is no page or no text, or if a filter of the options refuses it."""
    try:
        found = tidings.extract(data, url, options=options)
    except PageError:
        return None
    return found if found.text else None


def article_row(
    page: bytes | str | None, url: str | None = None, options: ExtractOptions | None = None
) -> dict[str, Any] | None:
    """Return title, authors, date, language, site and text of a page's article as a dict; None if there is
    no article.
    """
    found = article_or_none(page, url, options) if page else None
    if found is None:
        return None
    return {
        "title": found.title,
        "authors": list(found.authors),
        "published": found.published.isoformat() if found.published else None,
        "language": found.language,
        "site": found.site,
        "text": found.text,
    }
