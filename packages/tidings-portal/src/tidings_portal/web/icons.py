"""Icons of outlets, served by the portal: the favicon of a site, or its first letter."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Final
from xml.sax.saxutils import escape

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tidings.errors import FetchError
from tidings.fetch import Kind
from tidings.fetch import Request as Asked
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.headers import SANDBOX
from tidings_portal.web.pictures import media_type

_PURPOSE: Final = "icon"
_ICO: Final = b"\x00\x00\x01\x00"
_KEPT: Final = 86_400.0
#: Seconds to wait for a favicon, and lifetime of the letter sent instead if it is late.
_PATIENCE: Final = 1.0
_SOON: Final = 60.0
#: Running fetches. The set keeps references, because asyncio does not.
_FETCHING: Final[set[asyncio.Task[bytes]]] = set()
#: Sites change their names rarely.
_NAMES_KEPT: Final = 600
_LARGEST: Final = 200_000
#: Colours on which white letters can be read (WCAG AA).
_COLOURS: Final = ("#8c1c13", "#16456f", "#1d6b3a", "#5a3d7a", "#7a4b00", "#00616b")


def icon_at(app: App, site: str) -> str:
    """Return the URL of the icon of a site, or an empty string without a site."""
    host = site.lower()
    return f"/icon/{app.sign(_PURPOSE, host)}/{host}" if host and "/" not in host else ""


async def icon(request: Request) -> Response:
    """Serve the icon of a site."""
    app, site = app_of(request), request.path_params["site"]
    if not app.is_signed(_PURPOSE, site, request.path_params["mark"]):
        raise HttpProblem(404, "missing_page")
    body: bytes | None = app.picture_cache.peek((_PURPOSE, site), _KEPT)
    is_known = body is not None
    if body is None:
        body, is_known = await _fetch_in_time(app, site)
    kind = "image/x-icon" if body.startswith(_ICO) else media_type(body)
    lifetime = _KEPT if is_known else _SOON
    headers = {"content-security-policy": SANDBOX, "cache-control": f"private, max-age={lifetime:.0f}"}
    if not kind:
        names = await run_in_threadpool(names_of_sites, app)
        body = _letter(site.removeprefix("www."), names.get(site.removeprefix("www."), ""))
    return Response(body, media_type=kind or "image/svg+xml", headers=headers)


async def _fetch_in_time(app: App, site: str) -> tuple[bytes, bool]:
    """Return the icon and whether it arrived in time. A late icon is cached for the next request."""
    name, loop = f"{id(app)} {site}", asyncio.get_running_loop()
    fetching = next((one for one in _FETCHING if one.get_name() == name and one.get_loop() is loop), None)
    if fetching is None:
        fetching = loop.create_task(_fetch(app, site), name=name)
        _FETCHING.add(fetching)
        fetching.add_done_callback(_FETCHING.discard)
    done, _ = await asyncio.wait((fetching,), timeout=_PATIENCE)
    return (fetching.result(), True) if done else (b"", False)


async def _fetch(app: App, site: str) -> bytes:
    outcome = await app.pictures.fetch(Asked(f"https://{site}/favicon.ico", Kind.PICTURE))
    body = b""
    if not isinstance(outcome, FetchError) and outcome.status == 200 and len(outcome.body) <= _LARGEST:
        body = outcome.body
    app.picture_cache.put((_PURPOSE, site), body)
    return body


def names_of_sites(app: App) -> Mapping[str, str]:
    """Return the names that sites declare on their pages."""
    return app.cache.get("names of sites", app.store.site_names, _NAMES_KEPT)


def _letter(site: str, name: str) -> bytes:
    colour = _COLOURS[sum(site.encode()) % len(_COLOURS)]
    letter = escape(next((sign for sign in name or site if sign.isalnum()), "?").upper()[:1])
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3"'
        f' fill="{colour}"/><text x="8" y="12" font-family="Georgia,serif" font-size="11" font-weight="700"'
        f' fill="#fff" text-anchor="middle">{letter}</text></svg>'
    ).encode()


ROUTES: Final = [Route("/icon/{mark}/{site}", icon, name="icon")]
