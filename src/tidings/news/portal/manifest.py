"""The description that lets a phone keep the portal beside its other apps, and share pages with its reader.

Web Application Manifest (W3C), with its share target: what is shared opens in the reader.
"""

from __future__ import annotations

from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse

from tidings.article.characters import legal
from tidings.news.web.house import house_of
from tidings.news.web.showing import static
from tidings.news.web.visit import visit_of

_PAPER: Final = "#fbf9f4"
_SHORT: Final = 12
_WAYS: Final = (("/unread", "own.unread"), ("/latest", "nav.latest"), ("/saved", "nav.saved"))


def manifest(request: Request) -> JSONResponse:
    """The description."""
    visit, name = visit_of(request), legal(house_of(request).terms.name)
    ways = [{"name": visit.words(key), "url": path} for path, key in _WAYS if visit.person or path == "/latest"]
    told: dict[str, Any] = {
        "name": name,
        "short_name": name[:_SHORT],
        "description": visit.words("tagline"),
        "lang": visit.words.language,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "minimal-ui",
        "background_color": _PAPER,
        "theme_color": _PAPER,
        "icons": [{"src": static("icon.svg"), "type": "image/svg+xml", "sizes": "any"}],
        "shortcuts": ways,
        "share_target": {"action": "/read", "method": "GET", "params": {"url": "url"}},
    }
    headers = {"cache-control": "private, max-age=3600", "vary": "Accept-Language, Cookie"}
    return JSONResponse(told, headers=headers, media_type="application/manifest+json")
