"""The about page, the form for language and theme, the web app manifest and the OpenSearch description."""

from __future__ import annotations

import platform
from typing import Any, Final
from xml.sax.saxutils import escape, quoteattr

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from tidings.article.formats.characters import legal
from tidings.fetch.agent import our_version
from tidings_portal.accounts.account import keep_look
from tidings_portal.web.app_state import app_of
from tidings_portal.web.forms import local_path, posted_form, text
from tidings_portal.web.pages import PageView, static
from tidings_portal.web.sessions import LANGUAGE, THEME, THEMES, cookie, visit_of
from tidings_portal.web.translations import LANGUAGES


def about(request: Request) -> PageView:
    """Return the about page."""
    app = app_of(request)
    totals = app.cache.get("totals", app.store.totals, 60)
    return PageView("about.html", {"totals": totals, "version": our_version(), "python": platform.python_version()})


async def preferences(request: Request) -> Response:
    """Save language and theme of a visitor, and redirect back."""
    form = await posted_form(request)
    app = app_of(request)
    back = RedirectResponse(local_path(text(form, "next")), 303)
    language, theme = text(form, "language"), text(form, "theme")
    if language in LANGUAGES:
        back.headers.append("set-cookie", cookie(app, LANGUAGE, language))
    if theme in THEMES:
        back.headers.append("set-cookie", cookie(app, THEME, theme))
    if visit_of(request).session and language in LANGUAGES and theme in THEMES:
        await run_in_threadpool(keep_look, request, language, theme)
    return back


_BACKGROUND: Final = "#fbf9f4"
_SHORT_NAME: Final = 12
_SHORTCUTS: Final = (("/unread", "own.unread"), ("/latest", "nav.latest"), ("/saved", "nav.saved"))


def manifest(request: Request) -> JSONResponse:
    """Serve the web app manifest."""
    visit, name = visit_of(request), legal(app_of(request).settings.name)
    shortcuts = [
        {"name": visit.words(key), "url": path} for path, key in _SHORTCUTS if visit.person or path == "/latest"
    ]
    document: dict[str, Any] = {
        "name": name,
        "short_name": name[:_SHORT_NAME],
        "description": visit.words("tagline"),
        "lang": visit.words.language,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "minimal-ui",
        "background_color": _BACKGROUND,
        "theme_color": _BACKGROUND,
        "icons": [{"src": static("icon.svg"), "type": "image/svg+xml", "sizes": "any"}],
        "shortcuts": shortcuts,
        "share_target": {
            "action": "/save",
            "method": "GET",
            "enctype": "application/x-www-form-urlencoded",
            "params": {"title": "title", "text": "text", "url": "url"},
        },
    }
    headers = {"cache-control": "private, max-age=3600", "vary": "Accept-Language, Cookie"}
    return JSONResponse(document, headers=headers, media_type="application/manifest+json")


def opensearch(request: Request) -> Response:
    """Serve the OpenSearch description."""
    settings = app_of(request).settings
    words = visit_of(request).words
    here = settings.address or str(request.base_url).rstrip("/")
    name = legal(settings.name)
    document = (
        '<?xml version="1.0" encoding="utf-8"?>\n'
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">'
        f"<ShortName>{escape(name[:16])}</ShortName>"
        f"<Description>{escape(words('search.describe', name=name))}</Description>"
        "<InputEncoding>UTF-8</InputEncoding>"
        f'<Image width="16" height="16" type="image/svg+xml">{escape(here + static("icon.svg"))}</Image>'
        f'<Url type="text/html" template={quoteattr(here + "/search?q={searchTerms}")}/>'
        f'<Url type="application/rss+xml" template={quoteattr(here + "/feeds/search.rss?q={searchTerms}")}/>'
        "</OpenSearchDescription>\n"
    )
    headers = {"cache-control": "private, max-age=3600", "vary": "Accept-Language, Cookie"}
    return Response(document, headers=headers, media_type="application/opensearchdescription+xml")
