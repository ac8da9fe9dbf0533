"""The shape in which today's readers know articles: that of Mercury, later the Postlight parser."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Final

from tidings.addresses import site_of
from tidings.article import Article, Options, render
from tidings.news.api.about import About
from tidings.text import fold_space

_SHOWN: Final = Options(images=True)
#: As there: the first words of the text.
_EXCERPT: Final = 200


@dataclass(frozen=True, slots=True)
class Mercury:
    """An article in the shape of the Postlight parser."""

    title: str | None
    content: Annotated[str, About("The text as sanitised HTML.")]
    author: str | None
    date_published: datetime | date | None
    lead_image_url: str | None
    dek: Annotated[str | None, About("What the page says under its headline.")]
    next_page_url: str | None
    url: str
    domain: str
    excerpt: str
    word_count: int
    direction: str
    total_pages: int
    rendered_pages: int


def mercury(article: Article) -> Mercury:
    """An article in that shape."""
    return Mercury(
        title=article.title or None,
        content=render(article, "html", _SHOWN),
        author=", ".join(article.authors) or None,
        date_published=article.published,
        lead_image_url=article.image.src if article.image is not None else None,
        dek=article.summary or None,
        next_page_url=article.next_page or None,
        url=article.url or article.canonical,
        domain=site_of(article.url or article.canonical),
        excerpt=_excerpt(article),
        word_count=len(article.words),
        direction=article.direction,
        total_pages=2 if article.next_page else 1,  # as far as this page tells
        rendered_pages=1,
    )


def _excerpt(article: Article) -> str:
    text = article.summary or fold_space(article.text[: 4 * _EXCERPT])
    if len(text) <= _EXCERPT:
        return text
    cut = text[:_EXCERPT]
    return (cut.rpartition(" ")[0] or cut) + "…"
