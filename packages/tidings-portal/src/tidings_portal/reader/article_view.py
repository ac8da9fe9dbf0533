"""Fetching, caching and extraction of pages for the reader.

Pages are fetched through the guard against internal addresses, within rate, time and size limits. They are cached for a
while, so that other extractors can be tried and the page saved without fetching it again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from hashlib import blake2b
from typing import Final, Self
from urllib.parse import urlencode

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings import Hints
from tidings.article import Article, Options, render
from tidings.errors import InputError, NotHTML, PageTooLarge
from tidings.extractors import DEFAULT
from tidings.extractors.explain import name_of
from tidings.extractors.registry import Extractor
from tidings.fetch import Request as Asked
from tidings.fetch import require
from tidings.fields.urls.sanitise import safe as safe_link
from tidings.page.draw import marked_document
from tidings.reading import read_and_show
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.article_html import below_title, safe
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.forms import local_path, posted_form, text
from tidings_portal.web.limits import take_turn
from tidings_portal.web.pictures import picture_at
from tidings_portal.web.reading_pool import LONGEST_EXPRESSION, MOST_BYTES, SentPage, asked_extractor
from tidings_portal.web.sessions import THEME, THEMES, cookie, visit_of

COOKIE: Final = "tidings_reading"
#: What there is to choose from; the first is the usual one.
CHOICES: Final[Mapping[str, tuple[str, ...]]] = {
    "size": ("normal", "small", "large", "huge"),
    "width": ("normal", "narrow", "broad"),
    "letters": ("serif", "sans"),
}


@dataclass(frozen=True, slots=True)
class Appearance:
    """Display settings of the reader view. Every value is one of `CHOICES`, so it is safe in a CSS class name."""

    size: str = "normal"
    width: str = "normal"
    letters: str = "serif"

    @classmethod
    def of(cls, values: Mapping[str, str]) -> Self:
        """Create display settings from a mapping, with the default for each invalid value."""
        chosen = {name: values.get(name, "") for name in CHOICES}
        return cls(**{name: value if value in CHOICES[name] else CHOICES[name][0] for name, value in chosen.items()})

    @property
    def classes(self) -> str:
        """Return the display settings as CSS classes."""
        return f"size-{self.size} width-{self.width} letters-{self.letters}"


def look_of(request: Request) -> Appearance:
    """Return the display settings in a visitor's cookie."""
    return Appearance.of(dict(zip(CHOICES, request.cookies.get(COOKIE, "").split("-"), strict=False)))


async def change_look(request: Request) -> Response:
    """Save the submitted display settings in cookies, and redirect back to the article."""
    form = await posted_form(request)
    app = app_of(request)
    look = Appearance.of({name: text(form, name) for name in CHOICES})
    back = RedirectResponse(local_path(text(form, "next", 8000), "/read"), 303)
    value = "-".join(getattr(look, field.name) for field in fields(look))
    back.headers.append("set-cookie", cookie(app, COOKIE, value))
    theme = text(form, "theme")
    if theme in THEMES:
        back.headers.append("set-cookie", cookie(app, THEME, theme))
    return back


#: Addresses that are longer stay outside: an address with one inside must fit into a request.
LONGEST_ADDRESS: Final = 2000
_HOST: Final = re.compile(r"[^\s/?#@:]+\.[^\s/?#@:.]{2,}(?::\d{1,5})?(?:[/?#].*)?", re.DOTALL)
_WEB: Final = re.compile("https?://", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ReadingRequest:
    """The URL of a page and the extractor to use: a name, or an expression, which takes precedence."""

    url: str = ""
    name: str = ""  # of a registered extractor; empty for the usual one
    expression: str = ""

    @classmethod
    def of(cls, values: Mapping[str, object]) -> ReadingRequest:
        """Return the request from form fields or query parameters."""

        def text(key: str, most: int) -> str:
            value = values.get(key)
            return value.strip()[:most] if isinstance(value, str) else ""

        expression, name = text("expression", LONGEST_EXPRESSION + 1), text("with", 100)
        return cls(address(text("url", 4 * LONGEST_ADDRESS)), "" if name == DEFAULT else name, expression)

    @property
    def extractor(self) -> Extractor:
        """Return the requested extractor.

        Raises:
            ExtractorError: no extractor has this name, or the expression is invalid.
        """
        return asked_extractor(self.expression or self.name)

    @property
    def method(self) -> dict[str, str]:
        """Return the extractor as query parameters; empty for the default extractor."""
        told = {"with": self.name, "expression": self.expression}
        return {key: value for key, value in told.items() if value}

    def at(self, path: str) -> str:
        """Return the URL of this request under a path of the portal."""
        return f"{path}?{urlencode({'url': self.url} | self.method)}"

    def link(self, address: str) -> str | None:
        """Return the URL to use for a link of the page: web pages open in the reader with the same extractor.

        Other links, such as mail addresses, stay; unsafe ones give None.
        """
        found = safe_link(address)
        if found is None or not _WEB.match(found) or len(found) > LONGEST_ADDRESS:
            return found
        return replace(self, url=found).at("/read")

    @property
    def original(self) -> str:
        """Return the URL of the original page if it is a safe http(s) link, else ""."""
        found = safe_link(self.url)
        return found if found and _WEB.match(found) else ""


def address(text: str) -> str:
    """Return a typed URL with `https://` added if it has no scheme."""
    return f"https://{text}" if _HOST.fullmatch(text) else text


_WITH_PICTURES: Final = Options(images=True)


@dataclass(frozen=True, slots=True)
class Reduced:
    """The article that an extractor found on a page, for display."""

    url: str
    article: Article
    maker: str
    kept: int  # words that were kept
    words: int  # that the page shows

    def body(self, app: App, wish: ReadingRequest) -> Markup:
        """Return the article's text as safe HTML, with links that open in the reader view and pictures from the
        portal's proxy.
        """

        def picture(address: str) -> str | None:
            return picture_at(app, address) or None

        html = render(below_title(self.article), "html", _WITH_PICTURES)
        return Markup(safe(html, link=wish.link, picture=picture))  # noqa: S704  # nh3


def reduced(sent: SentPage, extractor: Extractor) -> Reduced:
    """Extract the article of a page (runs in a worker process).

    Raises:
        PageError: the input is not a page.
    """
    page = sent.page()
    article, spans = read_and_show(page, extractor)
    kept, shown = len(spans.words(page)), len(page.visible.words(page))
    return Reduced(page.url or "", article, name_of(extractor), kept, shown)


def marked(sent: SentPage, extractor: Extractor) -> bytes:
    """Return the HTML of a page with the text marked that an extractor selects (runs in a worker process).

    Raises:
        PageError: the input is not a page.
    """
    page = sent.page()
    return marked_document(page, extractor(page)).encode("utf-8", "replace")


#: What is kept, for how many seconds; larger ones are asked for again.
_KEPT_BYTES, _KEPT = 1_000_000, 300.0
#: Seconds that a person waits.
_PATIENCE: Final = 20.0
#: What turns are counted by: the same as for the API.
_READS: Final = "reads"
#: How feeds and their like begin, behind what an XML document may begin with.
_FEED: Final = re.compile(
    rb"\s*(?:<\?[^>]{0,500}>\s*|<!--[^>]{0,2000}-->\s*|<!DOCTYPE\s+(?!html)[^>]{0,500}>\s*)*+"
    rb"<(?:rss|feed|rdf:RDF|urlset|sitemapindex|opml)[\s>]",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class OriginalPage:
    """A page as received from its site: URL, content type and body."""

    url: str
    content_type: str
    body: bytes

    @property
    def sent(self) -> SentPage:
        """Return the page as input of a worker process."""
        return SentPage(self.body, self.url, Hints(content_type=self.content_type or None))


async def bring(request: Request, url: str) -> OriginalPage:
    """Return the original page at a URL, from the cache or fetched.

    Raises:
        FetchError: the page cannot be fetched.
        PageError: the response is too large or not a page.
        HttpProblem: the visitor may not fetch pages, or has reached the rate limit.
    """
    check(request)
    app = app_of(request)
    kept = app.cache.peek(("reader", url), _KEPT)
    if isinstance(kept, bytes):
        take_turn(request, _READS, app.settings.minute_reads)
        return _unpacked(kept)
    take_turn(request)
    app.reading.prepare()
    response = require(await app.fetcher.fetch(Asked(url, seconds=_PATIENCE)))
    found = OriginalPage(response.url, response.content_type or "", response.body)
    _check(found, truncated=response.truncated)
    _cache_page(app, url, found)
    return found


def check(request: Request) -> None:
    """Raise an HTTP error unless a request may make the portal fetch pages: it must be from a user, and not forged by
    another site.

    Other sites may link to the reader (navigation), but not embed it as a picture, frame or script.

    Raises:
        HttpProblem: 401 if sign-in is required; 403 for a cross-site request.
    """
    app, visit = app_of(request), visit_of(request)
    if app.settings.accounts and visit.person is None:
        raise HttpProblem(401, "sign_in")
    site = request.headers.get("sec-fetch-site", "")
    mode, goal = request.headers.get("sec-fetch-mode", ""), request.headers.get("sec-fetch-dest", "")
    if site in {"cross-site", "same-site"} and (mode != "navigate" or goal not in {"", "document"}):
        raise HttpProblem(403, "forged")


def _check(page: OriginalPage, *, truncated: bool) -> None:
    if truncated or len(page.body) > MOST_BYTES:
        raise PageTooLarge(f"{page.url} has more than {MOST_BYTES:,} bytes, which is too much to be read here")
    if _FEED.match(page.body[:20_000]):
        raise HttpProblem(415, "feed", page.url)
    kind = page.content_type.partition(";")[0].strip().lower()
    if kind.startswith(("image/", "audio/", "video/")) or kind in {"application/json", "application/pdf"}:
        raise NotHTML(f"{page.url} is {kind}, not a page")


def _cache_page(app: App, url: str, page: OriginalPage) -> None:
    if len(page.body) <= _KEPT_BYTES:
        head = "\n".join(text.replace("\n", " ") for text in (page.url, page.content_type))
        app.cache.put(("reader", url), head.encode("utf-8", "replace") + b"\n" + page.body)


def remember(app: App, url: str, body: bytes) -> str:
    """Cache a page that a visitor sent, so that they can save it; return its key."""
    found = OriginalPage(url, "text/html; charset=utf-8", body)
    name = f"sent {blake2b(url.encode() + body, digest_size=16, key=app.secret[:64]).hexdigest()}"
    if len(body) <= MOST_BYTES:
        head = "\n".join((found.url.replace("\n", ""), found.content_type))
        app.cache.put(("reader", name), head.encode("utf-8", "replace") + b"\n" + body)
    return name


def remembered(app: App, name: str) -> OriginalPage:
    """Return a page that a visitor sent.

    Raises:
        InputError: it is no longer cached.
    """
    kept = app.cache.peek(("reader", name), _KEPT) if name.startswith("sent ") else None
    if not isinstance(kept, bytes):
        raise InputError("this page is not at hand any more: send it again")
    return _unpacked(kept)


def _unpacked(cached: bytes) -> OriginalPage:
    url, kind, body = cached.split(b"\n", 2)
    return OriginalPage(url.decode(), kind.decode(), body)
