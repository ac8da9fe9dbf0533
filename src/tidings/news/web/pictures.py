"""Pictures of articles, from here: nobody's browser asks another site, and what is sent can run nowhere.

The address of a picture is signed, so that this is no proxy for everything; it goes through the same guard as all that
is fetched. A picture that cannot be had is a grey field, not a broken one.
"""

from __future__ import annotations

import base64
import binascii
import re
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tidings.errors import FetchError
from tidings.fetch import Kind
from tidings.fetch import Request as Asked
from tidings.fields.addresses import safe_picture
from tidings.news.web.app_state import App, app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.headers import SANDBOX

#: How the kinds of pictures begin. What begins otherwise is none, whatever its header says.
_SIGNS: Final = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF.{4}WEBP", re.DOTALL), "image/webp"),
    (re.compile(rb".{4}ftypavi[fs]", re.DOTALL), "image/avif"),
    (re.compile(rb"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,500}-->\s*)*<svg[\s>]"), "image/svg+xml"),
)
_GREY: Final = b'<rect width="640" height="360" fill="#8884"/>'
_NONE: Final = b'<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360">' + _GREY + b"</svg>"
_DAY: Final = "private, max-age=86400, immutable"
_SOON: Final = "private, max-age=60"
#: Seconds that a picture is kept here.
_KEPT: Final = 3600.0


def picture_at(app: App, address: str) -> str:
    """Where a picture is shown from; empty for an address that nothing is loaded from."""
    found = safe_picture(address)
    if not found:
        return ""
    code = base64.urlsafe_b64encode(found.encode("utf-8", "replace")).decode().rstrip("=")
    return f"/picture/{app.sign('picture', found)}/{code}" if len(code) < 3000 else ""


async def picture(request: Request) -> Response:
    """A picture that a page of ours shows."""
    app = app_of(request)
    address = _address(request.path_params["code"])
    if not app.is_signed("picture", address, request.path_params["mark"]):
        raise HttpProblem(404, "missing_page")
    body: bytes | None = app.seen_pictures.peek(address, _KEPT)
    if body is None:
        body = await _fetched(app, address)
        app.seen_pictures.put(address, body)
    kind = media_type(body)
    headers = {"content-security-policy": SANDBOX, "cache-control": _DAY if kind else _SOON}
    return Response(body if kind else _NONE, media_type=kind or "image/svg+xml", headers=headers)


async def _fetched(app: App, address: str) -> bytes:
    outcome = await app.pictures.fetch(Asked(address, Kind.PICTURE))
    if isinstance(outcome, FetchError) or outcome.status != 200:
        return b""
    return outcome.body


def media_type(body: bytes) -> str:
    """What kind of picture it is; empty: none that is shown."""
    start = body[:1000]
    return next((kind for sign, kind in _SIGNS if sign.match(start)), "")


def _address(code: str) -> str:
    try:
        return base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode()
    except (binascii.Error, ValueError):
        return ""


ROUTES: Final = [Route("/picture/{mark}/{code}", picture, name="picture")]
