"""Our own scripts, styles and icons: sent once, kept for ever, since their address changes with their content."""

from __future__ import annotations

import mimetypes
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from tidings.news.web.problems import Problem
from tidings.news.web.showing import STATIC, static

_FOR_EVER: Final = "public, max-age=31536000, immutable"


def static_file(request: Request) -> Response:
    """A file of ours."""
    name = request.path_params["name"]
    if name not in {one.name for one in STATIC.iterdir()}:
        raise Problem(404, "missing_page")
    is_current = static(name) == request.url.path
    kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
    headers = {"cache-control": _FOR_EVER if is_current else "no-cache"}
    return Response(STATIC.joinpath(name).read_bytes(), headers=headers, media_type=kind)


ROUTES: Final = [Route("/static/{digest}/{name}", static_file, name="static")]
