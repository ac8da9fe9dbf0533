"""The page that explains how an article was extracted: origin of each field, marked page, other methods, and earlier
versions.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from itertools import pairwise
from time import perf_counter
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tidings import Hints, extractors
from tidings.article import Article, Image
from tidings.errors import ExtractorError, PageError, TidingsError
from tidings.extractors import entries, extractor
from tidings.page import Page, Spans
from tidings_portal.portal.articles import requested_article
from tidings_portal.portal.version_diff import Changed, changes
from tidings_portal.reader.article_view import marked
from tidings_portal.store.records_of_articles import KeptArticle
from tidings_portal.store.verbs.retention import KeptPage
from tidings_portal.web import languages
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.headers import SANDBOX
from tidings_portal.web.limits import take_turn
from tidings_portal.web.pages import PageView
from tidings_portal.web.reading_pool import SentPage
from tidings_portal.web.sessions import visit_of
from tidings_portal.web.translations import Translation

_SECONDS: Final = 2.0


@dataclass(frozen=True, slots=True)
class MethodResult:
    """The result of another extractor on the same page."""

    name: str
    citation: str
    words: int
    percent: int  # agreement with the extractor in use
    is_own: bool


@dataclass(frozen=True, slots=True)
class Others:
    """The results of other extractors, ordered by agreement, and the number of extractors skipped for lack of time."""

    rows: tuple[MethodResult, ...]
    left_out: int

    @property
    def weight(self) -> int:
        """Return the approximate size in memory, in bytes."""
        return 500 + 400 * len(self.rows)


def compare_methods(
    page: Page, own: str, seconds: float = _SECONDS, clock: Callable[[], float] = perf_counter
) -> Others:
    """Return the results of other extractors on a page.

    Args:
        page: the page.
        own: the extractor in use, which is always included.
        seconds: the time limit.
        clock: returns the time in seconds.
    """
    until = clock() + seconds
    selected = extractor(own)(page)
    rows = [MethodResult(own, "", len(selected.words(page)), 100, is_own=True)]
    candidates = [entry for entry in entries() if entry.name != own]
    tried = 0
    for entry in candidates:
        if clock() >= until:
            break
        tried += 1
        try:
            spans = entry.make()(page)
        except TidingsError:  # it needs an optional dependency
            continue
        rows.append(
            MethodResult(entry.name, entry.citation, len(spans.words(page)), agreement(selected, spans), is_own=False)
        )
    return Others(tuple(sorted(rows, key=lambda row: (-row.percent, not row.is_own))), len(candidates) - tried)


def agreement(selection: Spans, other: Spans) -> int:
    """Return the agreement (Dice coefficient) of two selections in percent."""
    total = selection.characters + other.characters
    return round(200 * (selection & other).characters / total) if total else 100


#: Number of versions compared, the latest ones.
_VERSIONS: Final = 10
#: Maximum length of a displayed value.
_LONGEST_SHOWN: Final = 400
#: Lifetime of cached results in seconds. A stored page never changes.
_KEPT: Final = 3600.0


@dataclass(frozen=True, slots=True)
class FieldOrigin:
    """A field of an article with its value and origin."""

    key: str
    value: str
    provenance: str


@dataclass(frozen=True, slots=True)
class VersionChange:
    """A version, with the changes since the previous one or None for the first."""

    stored: KeptArticle
    changed: Changed | None


def how(request: Request) -> PageView:
    """Return the page on how an article was extracted."""
    app, words = app_of(request), visit_of(request).words
    stored = requested_article(request)
    page = app.store.page_of(stored.headline.id)
    comparison = None
    if page is not None and request.query_params.get("others") == "yes":
        comparison = _cached_comparison(request, app, stored, page)
    return PageView(
        "how.html",
        {
            "one": stored.headline,
            "kept": stored,
            "fields": fields(stored.article, words),
            "has_page": page is not None,
            "fetched": None if page is None else page.page.fetched,
            "versions": versions(app, stored),
            "method": method_of(stored),
            "others": comparison,
        },
    )


def drawn(request: Request) -> Response:
    """Serve the page with the selection marked, sandboxed for a frame."""
    app = app_of(request)
    stored = requested_article(request)
    page = _page(app, stored)

    def make() -> bytes:
        return app.reading.wait(marked, sent_page(page), extractors.extractor(method_of(stored)))

    body = app.cache.get(("drawn", page.hash, method_of(stored)), make, _KEPT)
    headers = {
        "content-security-policy": SANDBOX,
        "cache-control": "private, max-age=600",
        "referrer-policy": "no-referrer",
    }
    return Response(body, headers=headers, media_type="text/html")


def saved(request: Request) -> Response:
    """Serve the original page as a download."""
    stored = requested_article(request)
    page = _page(app_of(request), stored)
    headers = {
        "content-security-policy": SANDBOX,
        "content-disposition": f'attachment; filename="article-{stored.headline.id}.html"',
        "cache-control": "private, max-age=600",
    }
    return Response(page.page.content, headers=headers, media_type="application/octet-stream")


def fields(article: Article, words: Translation) -> list[FieldOrigin]:
    """Return the declared or extracted fields of an article."""
    return [
        FieldOrigin(name, display_value(getattr(article, "text" if name == "body" else name, ""), words), origin)
        for name, origin in article.provenance.items()
    ]


def display_value(value: object, words: Translation) -> str:
    """Return a field value as a line of text."""
    if isinstance(value, tuple):
        line = ", ".join(display_value(one, words) for one in value[:20])
    elif isinstance(value, Image):
        line = value.src
    elif isinstance(value, (date, datetime)):
        line = languages.moment(words, value)
    else:
        line = " ".join(str(value or "").split())
    return line if len(line) <= _LONGEST_SHOWN else f"{line[: _LONGEST_SHOWN - 1]}…"


def versions(app: App, stored: KeptArticle) -> list[VersionChange]:
    """Return the latest versions with their changes, the newest first."""
    if stored.headline.versions < 2:
        return []
    every = app.store.versions(stored.headline.id)[-_VERSIONS - 1 :]
    changed = [VersionChange(one, changes(before.article, one.article)) for before, one in pairwise(every)]
    first = [VersionChange(every[0], None)] if every and len(every) <= _VERSIONS else []
    return [*first, *changed][::-1]


def method_of(stored: KeptArticle) -> str:
    """Return the name of the extractor that selected the article's text; the default extractor if it is unknown."""
    name = stored.article.provenance.get("body", "")
    try:
        extractors.extractor(name)
    except ExtractorError:
        return extractors.DEFAULT
    return name


def sent_page(page: KeptPage) -> SentPage:
    """Return a stored page as input of a worker process."""
    return SentPage(page.page.content, page.page.address, Hints(content_type=page.page.content_type or None))


def compared(page: SentPage, own: str) -> Others:
    """Return the results of other extractors (runs in a worker process).

    Raises:
        PageError: the input is not a page.
    """
    return compare_methods(page.page(), own)


def _page(app: App, stored: KeptArticle) -> KeptPage:
    page = app.store.page_of(stored.headline.id)
    if page is None:
        raise HttpProblem(404, "missing_page")
    return page


def _cached_comparison(request: Request, app: App, stored: KeptArticle, page: KeptPage) -> Others | None:
    """Return the results of other extractors, from the cache or within the rate limit."""
    key = ("others", page.hash, method_of(stored))
    cached: Others | None = app.cache.peek(key, _KEPT)
    if cached is not None:
        return cached
    take_turn(request)
    try:
        comparison = app.reading.wait(compared, sent_page(page), method_of(stored))
    except PageError:
        return None
    app.cache.put(key, comparison)
    return comparison
