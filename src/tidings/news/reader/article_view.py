"""A page reduced to its content: the article, what of the page it is, and HTML that can be put into a page of ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final
from urllib.parse import urlencode

from markupsafe import Markup

from tidings.article import Article, Options, render
from tidings.extractors import DEFAULT
from tidings.extractors.explain import name_of
from tidings.extractors.registry import Extractor
from tidings.fields.addresses import safe as safe_link
from tidings.news.web.app_state import App
from tidings.news.web.content import below_title, safe
from tidings.news.web.pictures import picture_at
from tidings.news.web.reading_pool import LONGEST_EXPRESSION, SentPage, asked_extractor
from tidings.page.draw import marked_document
from tidings.reading import read_and_show

#: Addresses that are longer stay outside: an address with one inside must fit into a request.
LONGEST_ADDRESS: Final = 2000
_HOST: Final = re.compile(r"[^\s/?#@:]+\.[^\s/?#@:.]{2,}(?::\d{1,5})?(?:[/?#].*)?", re.DOTALL)
_WEB: Final = re.compile("https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Wish:
    """A page, and how to read it. An expression goes before a name."""

    url: str = ""
    name: str = ""  # of a registered extractor; empty for the usual one
    expression: str = ""

    @classmethod
    def of(cls, told: Mapping[str, object]) -> Wish:
        """As the fields of a form or the parameters of an address tell it."""

        def text(key: str, most: int) -> str:
            value = told.get(key)
            return value.strip()[:most] if isinstance(value, str) else ""

        expression, name = text("expression", LONGEST_EXPRESSION + 1), text("with", 100)
        return cls(address(text("url", 4 * LONGEST_ADDRESS)), "" if name == DEFAULT else name, expression)

    @property
    def extractor(self) -> Extractor:
        """The extractor that is asked for.

        Raises:
            ExtractorError: there is none.
        """
        return asked_extractor(self.expression or self.name)

    @property
    def method(self) -> dict[str, str]:
        """How it is read, as parameters; nothing for the usual way."""
        told = {"with": self.name, "expression": self.expression}
        return {key: value for key, value in told.items() if value}

    def at(self, path: str) -> str:
        """The wish as an address of this portal."""
        return f"{path}?{urlencode({'url': self.url} | self.method)}"

    def link(self, address: str) -> str | None:
        """Where a link of the page leads: to the same reader, with the same extractor; a mail address stays one."""
        found = safe_link(address)
        if found is None or not _WEB.match(found) or len(found) > LONGEST_ADDRESS:
            return found
        return replace(self, url=found).at("/read")

    @property
    def original(self) -> str:
        """The page itself, where its address can be shown as a link."""
        found = safe_link(self.url)
        return found if found and _WEB.match(found) else ""


def address(said: str) -> str:
    """What somebody typed as an address: `example.org/story` means the web."""
    return f"https://{said}" if _HOST.fullmatch(said) else said


_WITH_PICTURES: Final = Options(images=True)


@dataclass(frozen=True, slots=True)
class Reduced:
    """What an extractor made of a page."""

    url: str
    article: Article
    maker: str
    kept: int  # words that were kept
    words: int  # that the page shows

    def body(self, app: App, wish: Wish) -> Markup:
        """The text as HTML: links stay in the reader, pictures come from here."""

        def picture(address: str) -> str | None:
            return picture_at(app, address) or None

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
