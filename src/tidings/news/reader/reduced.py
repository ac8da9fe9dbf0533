"""A page reduced to its content: the article, what of the page it is, and HTML that can be put into a page of ours."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from tidings.article import Article, Options, render
from tidings.extractors.explain import name_of
from tidings.extractors.registry import Extractor
from tidings.news.reader.wish import Wish
from tidings.news.web.content import below_title, safe
from tidings.news.web.house import House
from tidings.news.web.pictures import picture_at
from tidings.news.web.reading_pool import SentPage
from tidings.page.draw import marked_document
from tidings.reading import read_and_show

_WITH_PICTURES: Final = Options(images=True)


@dataclass(frozen=True, slots=True)
class Reduced:
    """What an extractor made of a page."""

    url: str
    article: Article
    maker: str
    kept: int  # words that were kept
    words: int  # that the page shows

    def body(self, house: House, wish: Wish) -> Markup:
        """The text as HTML: links stay in the reader, pictures come from here."""

        def picture(address: str) -> str | None:
            return picture_at(house, address) or None

        html = render(below_title(self.article), "html", _WITH_PICTURES)
        return Markup(safe(html, link=wish.link, picture=picture))  # noqa: S704  # nh3


def reduced(sent: SentPage, extractor: Extractor) -> Reduced:
    """A page as an extractor reads it.

    Raises:
        PageError: it is none.
    """
    page = sent.page()
    article, spans = read_and_show(page, extractor)
    kept, shown = len(spans.words(page)), len(page.visible.words(page))
    return Reduced(page.url or "", article, name_of(extractor), kept, shown)


def marked(sent: SentPage, extractor: Extractor) -> bytes:
    """A page with the text marked that an extractor takes.

    Raises:
        PageError: it is none.
    """
    page = sent.page()
    return marked_document(page, extractor(page)).encode("utf-8", "replace")
