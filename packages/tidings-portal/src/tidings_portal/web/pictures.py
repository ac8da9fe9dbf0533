"""Picture proxy: browsers load the pictures of articles from the portal, never from other sites.

The URL of a picture is signed, so that the proxy cannot be used for other files. It may name several pictures: the
first that can be loaded is sent. A picture that failed is left out of pages for an hour.
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
from tidings.fetch import Kind as FetchKind
from tidings.fetch import Request as Asked
from tidings.fields.urls.sanitise import safe_picture
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.headers import SANDBOX

#: Signatures of picture formats. The Content-Type header is not trusted.
_SIGNS: Final = (
    (re.compile(rb"\x89PNG\r\n\x1a\n"), "image/png"),
    (re.compile(rb"\xff\xd8\xff"), "image/jpeg"),
    (re.compile(rb"GIF8[79]a"), "image/gif"),
    (re.compile(rb"RIFF.{4}WEBP", re.DOTALL), "image/webp"),
    (re.compile(rb".{4}ftypavi[fs]", re.DOTALL), "image/avif"),
    (re.compile(rb"\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,500}-->\s*)*<svg[\s>]"), "image/svg+xml"),
)
_DAY: Final = "private, max-age=86400, immutable"
_SOON: Final = "private, max-age=60"
#: Lifetime in the cache, in seconds, for pictures and for failures.
_KEPT: Final = 3600.0
_MOST_PICTURES: Final = 4
_LONGEST_CODE: Final = 3000


def picture_at(app: App, *urls: str) -> str:
    """Return the portal's URL for some pictures, of which the first that can be loaded is sent; empty if none may be
    loaded.

    Pictures that failed within the last hour are left out.
    """
    unique = dict.fromkeys(url for url in map(safe_picture, urls) if url)
    urls_to_try = [url for url in unique if app.picture_cache.peek(url, _KEPT) != b""][:_MOST_PICTURES]
    while urls_to_try:
        joined = "\n".join(urls_to_try)
        code = base64.urlsafe_b64encode(joined.encode("utf-8", "replace")).decode().rstrip("=")
        if len(code) < _LONGEST_CODE:
            return f"/picture/{app.sign('picture', joined)}/{code}"
        urls_to_try.pop()
    return ""


async def picture(request: Request) -> Response:
    """Serve a picture that a page of the portal shows."""
    app = app_of(request)
    joined = _decoded(request.path_params["code"])
    if not app.is_signed("picture", joined, request.path_params["mark"]):
        raise HttpProblem(404, "missing_page")
    for url in joined.split("\n"):
        body: bytes | None = app.picture_cache.peek(url, _KEPT)
        if body is None:
            body = await _fetch(app, url)
            app.picture_cache.put(url, body)
        if body:
            headers = {"content-security-policy": SANDBOX, "cache-control": _DAY}
            return Response(body, media_type=media_type(body), headers=headers)
    return Response(status_code=404, headers={"content-security-policy": SANDBOX, "cache-control": _SOON})


async def _fetch(app: App, address: str) -> bytes:
    """Return the content of a picture, or empty bytes if it cannot be loaded."""
    outcome = await app.pictures.fetch(Asked(address, FetchKind.PICTURE))
    if isinstance(outcome, FetchError) or outcome.status != 200:
        return b""
    return outcome.body if media_type(outcome.body) else b""


def media_type(body: bytes) -> str:
    """Return the media type of a picture by its signature, or an empty string if the format is not allowed."""
    start = body[:1000]
    return next((kind for sign, kind in _SIGNS if sign.match(start)), "")


def _decoded(code: str) -> str:
    try:
        return base64.urlsafe_b64decode(code + "=" * (-len(code) % 4)).decode()
    except (binascii.Error, ValueError):
        return ""


ROUTES: Final = [Route("/picture/{mark}/{code}", picture, name="picture")]
