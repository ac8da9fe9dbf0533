"""The page that is to be read, brought here: through the one guard, in turns, within time and size, and kept a while.

While it is kept, another extractor can be tried on it, it can be drawn and saved, and its site is not asked again.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from starlette.requests import Request

from tidings import Hints
from tidings.errors import NotHTML, PageTooLarge
from tidings.fetch import Request as Asked
from tidings.fetch import require
from tidings.news.web.app_state import App, app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.limits import take_turn
from tidings.news.web.reading_pool import MOST_BYTES, SentPage
from tidings.news.web.session import visit_of

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
class Brought:
    """A page as it was sent."""

    url: str
    content_type: str
    body: bytes

    @property
    def sent(self) -> SentPage:
        """The page, on its way to where it is read."""
        return SentPage(self.body, self.url, Hints(content_type=self.content_type or None))


async def bring(request: Request, url: str) -> Brought:
    """The page at an address.

    Raises:
        FetchError: it cannot be had.
        PageError: what is there is too large, or no page.
        Problem: whoever asks may not, or asks too often.
    """
    check(request)
    app = app_of(request)
    kept = app.shown.peek(("reader", url), _KEPT)
    if isinstance(kept, bytes):
        take_turn(request, _READS, app.settings.minute_reads)
        return _unpacked(kept)
    take_turn(request)
    app.reading.prepare()
    response = require(await app.fetcher.fetch(Asked(url, seconds=_PATIENCE)))
    found = Brought(response.url, response.content_type or "", response.body)
    _check(found, truncated=response.truncated)
    _keep(app, url, found)
    return found


def check(request: Request) -> None:
    """Who may have pages fetched: those who are here, not those whose browser was sent by a page of another site.

    Somebody who follows a link or a bookmarklet navigates; a picture or a script of another site does not.

    Raises:
        Problem: they may not.
    """
    app, visit = app_of(request), visit_of(request)
    if app.settings.accounts and visit.person is None:
        raise HttpProblem(401, "sign_in")
    site = request.headers.get("sec-fetch-site", "")
    mode, goal = request.headers.get("sec-fetch-mode", ""), request.headers.get("sec-fetch-dest", "")
    if site in {"cross-site", "same-site"} and (mode != "navigate" or goal not in {"", "document"}):
        raise HttpProblem(403, "forged")


def _check(found: Brought, *, truncated: bool) -> None:
    if truncated or len(found.body) > MOST_BYTES:
        raise PageTooLarge(f"{found.url} has more than {MOST_BYTES:,} bytes, which is too much to be read here")
    if _FEED.match(found.body[:20_000]):
        raise HttpProblem(415, "feed", found.url)
    kind = found.content_type.partition(";")[0].strip().lower()
    if kind.startswith(("image/", "audio/", "video/")) or kind in {"application/json", "application/pdf"}:
        raise NotHTML(f"{found.url} is {kind}, not a page")


def _keep(app: App, url: str, found: Brought) -> None:
    if len(found.body) <= _KEPT_BYTES:
        head = "\n".join(text.replace("\n", " ") for text in (found.url, found.content_type))
        app.shown.put(("reader", url), head.encode("utf-8", "replace") + b"\n" + found.body)


def _unpacked(kept: bytes) -> Brought:
    url, kind, body = kept.split(b"\n", 2)
    return Brought(url.decode(), kind.decode(), body)
