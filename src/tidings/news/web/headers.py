"""What every answer says besides its content: nothing runs but our own scripts, nobody frames us, nothing is guessed.

HOSTILE 23: the policy allows no inline script or style at all. An answer that needs another policy sets its own.
Pages of other sites may not read what is here, unless they are named; cookies are never let through to these: what
such a page may read is what a stranger may, or a token that it holds.
"""

from __future__ import annotations

import logging
from typing import Final

from starlette.datastructures import Headers as RequestHeaders
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from tidings.news.web.app_state import HttpMiddleware, app_of
from tidings.news.web.proxies import may_stand_for_many, parsed

LOG: Final = logging.getLogger("tidings.news")
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
#: For what came from elsewhere and is shown as it is: a picture, a drawn page. It runs in no origin and loads nothing.
SANDBOX: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
_ALWAYS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with none at all browsers send `Origin: null` with our own forms
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


class SecurityHeaders(HttpMiddleware):
    """Adds what is missing to every answer."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back with all headers."""

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _ALWAYS.items():
                    headers.setdefault(name, value)
                if "frame-ancestors 'self'" not in headers["content-security-policy"]:
                    headers.setdefault("x-frame-options", "DENY")
            await send(message)

        await self._app(scope, receive, sent)


_OPEN: Final = ("/api/", "/feeds/")
_ALLOWED: Final = {
    "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": "Authorization, Content-Type, Accept, If-None-Match",
    "access-control-max-age": "600",
}
_EXPOSED: Final = "ETag, RateLimit, RateLimit-Policy, Retry-After, WWW-Authenticate"


class CrossOrigin(HttpMiddleware):
    """Tells browsers which other sites may read."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer what a browser asks beforehand, and mark what may be read."""
        if not is_named(HTTPConnection(scope)) or not scope["path"].startswith(_OPEN):
            await self._app(scope, receive, send)
            return
        headers = RequestHeaders(scope=scope)
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
    return connection.headers.get("origin", "") in app_of(connection).settings.origins


class ProxyHeaders(HttpMiddleware):
    """Puts the visitor in the place of a named proxy, before anybody counts or answers."""

    _has_warned = False

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on as its visitor's."""
        if scope.get("client"):
            scope = self._seen_through(scope)
        await self._app(scope, receive, send)

    def _seen_through(self, scope: Scope) -> Scope:
        connection = HTTPConnection(scope)
        trusted, peer, headers = app_of(connection).settings.proxies, scope["client"][0], connection.headers
        address = parsed(peer)
        if address is None or not trusted.trusts(address):
            if address is not None and "x-forwarded-for" in headers and may_stand_for_many(peer):
                self._warn(peer)
            return scope
        visitor = trusted.visitor(peer, headers)
        scheme = headers.getlist("x-forwarded-proto")[-1:]
        told = {"scheme": scheme[0].lower()} if scheme and scheme[0].lower() in {"http", "https"} else {}
        return {**scope, **told, "by_proxy": True, "client": scope["client"] if visitor == peer else (visitor, 0)}

    def _warn(self, peer: str) -> None:
        if not self._has_warned:
            said = "visitors come through a proxy at %s that is not named, and count as one: --trusted-proxy %s"
            LOG.warning(said, peer, peer)
        self._has_warned = True
