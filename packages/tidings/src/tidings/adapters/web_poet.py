"""For web-poet and scrapy-poet: a page object that gives `zyte_common_items.Article`, and its provider.

SCRAPY_POET_PROVIDERS = {"tidings.adapters.web_poet.TidingsProvider": 500}

async def parse_story(self, response: DummyResponse, page: TidingsArticlePage):
yield await page.to_item()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any, ClassVar

import attrs
import zyte_common_items as items
from scrapy.http import Response
from scrapy_poet import PageObjectInputProvider
from web_poet import HttpResponse
from web_poet.pages import ItemPage

import tidings
from tidings import ExtractOptions
from tidings.article import Article as TidingsArticle
from tidings.article import render


def common_article(article: TidingsArticle) -> Any:
    """Return an article as `zyte_common_items.Article`."""

    def text_or_none(value: Any) -> str | None:
        return None if value is None else value.isoformat()

    def moment(value: Any) -> str | None:
        """Return a date or datetime as ISO 8601 in UTC, the format of `zyte_common_items`; None if there is no value. A
        day without a time becomes midnight.
        """
        if not isinstance(value, datetime):
            return None if value is None else f"{value.isoformat()}T00:00:00Z"
        aware = value if value.tzinfo else value.replace(tzinfo=UTC)
        return aware.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    return items.Article(
        url=article.url or article.address,
        headline=article.title or None,
        datePublished=moment(article.published_as_stated),
        datePublishedRaw=text_or_none(article.published_as_stated),
        dateModified=moment(article.modified_as_stated),
        dateModifiedRaw=text_or_none(article.modified_as_stated),
        authors=[items.Author(name=name, nameRaw=name) for name in article.authors] or None,
        breadcrumbs=[items.Breadcrumb(name=article.section)] if article.section else None,
        inLanguage=article.language.partition("-")[0] or None,
        mainImage=items.Image(url=article.image.src) if article.image else None,
        images=[items.Image(url=image.src) for image in article.images] or None,
        description=article.summary or None,
        articleBody=article.text or None,
        articleBodyHtml=render(article, "html") if article.text else None,
        canonicalUrl=article.canonical or None,
    )


@attrs.define
class TidingsArticlePage(ItemPage[items.Article]):  # type: ignore[misc, unused-ignore]
    """A page object that returns `zyte_common_items.Article`; `article` is the full article with blocks.

    A subclass sets `options` for its extractions.
    """

    options: ClassVar[ExtractOptions | None] = None
    response: HttpResponse

    @property
    def article(self) -> TidingsArticle:
        """Return the extracted article."""
        return tidings.extract(self.response.body, str(self.response.url), options=self.options)

    async def to_item(self) -> Any:
        """Build the `zyte_common_items.Article`."""
        return common_article(self.article)


class TidingsProvider(PageObjectInputProvider):  # type: ignore[misc, unused-ignore]
    """Provides the `TidingsArticlePage` that a callback requests."""

    provided_classes: ClassVar[set[Any]] = {TidingsArticlePage}
    name = "tidings"

    def __call__(self, to_provide: set[Callable[..., Any]], response: Response) -> Sequence[Any]:
        """Return the page object of a response."""
        made = HttpResponse(url=response.url, body=response.body, status=response.status)
        return [TidingsArticlePage(response=made) for _ in to_provide]
