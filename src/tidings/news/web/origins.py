"""Other sites whose pages may read the API and the feeds (CORS, fetch.spec.whatwg.org): none, unless they are named.

Cookies are never let through: what a page of another site may read is what a stranger may, or a token that it holds.
"""

from __future__ import annotations

from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tidings.news.web.house import house_of

_OPEN: Final = ("/api/", "/feeds/")
_ALLOWED: Final = {
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": "Authorization, Content-Type, Accept, If-None-Match",
    "access-control-max-age": "600",
}
_EXPOSED: Final = "ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate"


class Origins:
    """Tells browsers which other sites may read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what a browser asks beforehand, and mark what may be read."""
        if scope["type"] != "http" or not is_named(HTTPConnection(scope)) or not scope["path"].startswith(_OPEN):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        told = {"access-control-allow-origin": headers["origin"], "cross-origin-resource-policy": "cross-origin"}
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await Response(status_code=204, headers=told | _ALLOWED | {"vary": "Origin"})(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                answer.update({**told, "access-control-expose-headers": _EXPOSED})
                answer.add_vary_header("Origin")
            await send(message)

        scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
        await self._app(scope, receive, sent)


def is_named(connection: HTTPConnection) -> bool:
    """Whether a request comes from a page of a site that may read."""
    return connection.headers.get("origin", "") in house_of(connection).terms.origins
