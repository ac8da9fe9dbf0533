"""The calls of newspaper (3k and 4k), answered by Tidings.

from tidings.adapters.newspaper import Article

article = Article("https://example.org/story")
article.download()
article.parse()
article.title, article.text
"""

from __future__ import annotations

from collections import Counter
from datetime import datetime
from typing import Any

import tidings
from tidings import ExtractOptions
from tidings.article import render
from tidings.errors import TidingsError
from tidings.text import words

__all__ = ["Article", "ArticleException", "article", "fulltext"]


class ArticleException(Exception):  # newspaper's name
    """The article cannot be downloaded, or a method was called too early."""


class Article:
    """An article with newspaper's interface: call `download`, then `parse`.

    Args:
        url: where it is.
        title: what a link calls it.
        language: of newspaper; the language is found out, so it says nothing here.
        options: the options of the extraction.
        settings: further ones of newspaper, which say nothing here.
    """

    def __init__(
        self,
        url: str,
        title: str = "",
        language: str = "",  # noqa: ARG002
        *,
        options: ExtractOptions | None = None,
        **settings: Any,  # noqa: ARG002
    ) -> None:
        self._options = options
        self.url = self.original_url = url
        self.title = title
        self.html = ""
        self.text = ""
        self.authors: list[str] = []
        self.publish_date: datetime | None = None
        self.top_image = ""
        self.images: list[str] = []
        self.movies: list[str] = []
        self.tags: set[str] = set()
        self.keywords: list[str] = []
        self.summary = ""
        self.meta_description = ""
        self.meta_lang = ""
        self.meta_site_name = ""
        self.canonical_link = ""
        self.article_html = ""
        self.is_parsed = False
        self.tidings: tidings.Article | None = None
        self._page: bytes | str | tidings.Page = b""

    @property
    def top_img(self) -> str:
        """Return the lead image."""
        return self.top_image

    @property
    def imgs(self) -> list[str]:
        """Return the images."""
        return self.images

    def download(self, input_html: str | bytes | None = None, **settings: Any) -> Article:  # noqa: ARG002
        """Fetch the page within robots.txt and the SSRF guard, or use `input_html`.

        Raises:
            ArticleException: it cannot be had.
        """
        if input_html is None:
            from tidings.fetch import get
            from tidings.read_url import page_of

            try:
                self._page = page_of(get(self.url))
            except TidingsError as error:
                raise ArticleException(str(error)) from error
            self.html = self._page.source
        else:
            self._page = input_html
            self.html = input_html if isinstance(input_html, str) else tidings.Page(input_html).source
        return self

    def parse(self) -> Article:
        """Extract the article.

        Raises:
            ArticleException: there is none yet, or it is no page.
        """
        if not self._page:
            raise ArticleException("there is nothing to parse: call `download()` first")
        try:
            found = tidings.extract(self._page, self.url, options=self._options)
        except TidingsError as error:
            raise ArticleException(str(error)) from error
        self.tidings = found
        self.title = found.title or self.title
        self.text = found.text
        self.authors = list(found.authors)
        self.publish_date = found.published
        self.top_image = found.image.src if found.image else ""
        self.images = [image.src for image in found.images]
        self.tags = set(found.tags)
        self.meta_description = found.summary
        self.meta_lang = found.language.partition("-")[0]
        self.meta_site_name = found.site
        self.canonical_link = found.canonical
        self.article_html = render(found, "html")
        self.is_parsed = True
        return self

    def build(self) -> None:
        """Download, parse, and compute keywords."""
        self.download()
        self.parse()
        self.nlp()

    def nlp(self) -> None:
        """Set keywords to the most frequent words without stop words. The summary is the page's own.

        Raises:
            ArticleException: it was not parsed.
        """
        from tidings.text import stop_words

        if not self.is_parsed:
            raise ArticleException("there is nothing to count: call `parse()` first")
        idle = stop_words(self.meta_lang)
        counts = Counter(word for word in words(self.text.lower()) if len(word) > 2 and word not in idle)
        self.keywords = [word for word, _ in counts.most_common(10)]
        self.summary = self.meta_description

    def is_valid_body(self) -> bool:
        """Return whether the page has an article."""
        return self.is_parsed and bool(self.text)


def article(url: str, language: str | None = None, **settings: Any) -> Article:
    """Return a downloaded and parsed article."""
    return Article(url, language=language or "", **settings).download().parse()


def fulltext(html: str | bytes, language: str = "en", *, options: ExtractOptions | None = None) -> str:  # noqa: ARG001
    """Return the text of a page."""
    return tidings.extract(html, options=options).text
