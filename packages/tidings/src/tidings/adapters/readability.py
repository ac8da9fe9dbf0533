"""The calls of readability-lxml, answered by Tidings.

from tidings.adapters.readability import Document

document = Document(html)
document.title(), document.summary()
"""

from __future__ import annotations

from functools import cached_property
from typing import Any

import tidings
from tidings import ExtractOptions
from tidings.article import Article, Options, render
from tidings.errors import BadParameter, PageError

__all__ = ["Document", "Unparseable"]


class Unparseable(ValueError):
    """The input is not a page."""


class Document:
    """A page.

    Args:
        input: the page, as str or bytes.
        url: where it came from; makes links absolute.
        options: the options of the extraction.
        settings: of readability-lxml; what steers its scores has no counterpart and must be as it is by default.
    """

    def __init__(
        self,
        input: str | bytes,  # noqa: A002  # its name
        url: str | None = None,
        *,
        options: ExtractOptions | None = None,
        **settings: Any,
    ) -> None:
        for name in ("positive_keywords", "negative_keywords", "xpath"):
            if settings.get(name):
                raise BadParameter(
                    f"{name} of readability has no counterpart: rules of a site do that, `tidings sites`"
                )
        self.input = input
        self.url = url
        self.options = options

    @cached_property
    def article(self) -> Article:
        """Return the article.

        Raises:
            Unparseable: it is none.
        """
        try:
            return tidings.extract(self.input, self.url, options=self.options)
        except PageError as error:
            raise Unparseable(str(error)) from error

    def title(self) -> str:
        """Return the page's title including the site's name."""
        try:
            return tidings.Page(self.input, self.url).signals.title or "[no-title]"
        except PageError as error:
            raise Unparseable(str(error)) from error

    def short_title(self) -> str:
        """Return the headline."""
        return self.article.title or self.title()

    def author(self) -> str:
        """Return the author."""
        return ", ".join(self.article.authors) or "[no-author]"

    def summary(self, html_partial: bool = False, keep_all_images: bool = True) -> str:
        """Return the article as clean HTML.

        Args:
            html_partial: a `<div>` and not a whole page.
            keep_all_images: whether pictures of the story are kept.
        """
        made = render(self.article, "html", Options(images=keep_all_images))
        begin, end = made.find("<body"), made.rfind("</body>")
        inside = made[made.find(">", begin) + 1 : end] if begin >= 0 and end >= 0 else made
        return f"<div>{inside}</div>" if html_partial else f"<html><body><div>{inside}</div></body></html>"

    def content(self) -> str:
        """Return the decoded page."""
        return tidings.Page(self.input, self.url).source

    def get_clean_html(self) -> str:
        """Return the article as clean HTML."""
        return self.summary()
