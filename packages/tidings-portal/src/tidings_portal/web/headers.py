"""Middleware for security headers (content security policy), CORS and forwarding headers of trusted proxies.

The content security policy allows no inline scripts or styles (HOSTILE 23). Responses that need another policy set
their own. Other sites can read responses only if they are configured, and always without cookies: they see what an
anonymous visitor or the owner of their token may see.
"""

from __future__ import annotations

import logging
from typing import Final

from starlette.datastructures import Headers as RequestHeaders
from starlette.datastructures import MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import Message, Receive, Scope, Send

from tidings_portal.web.app_state import HttpMiddleware, app_of
from tidings_portal.web.proxies import may_be_proxy, parse_address

LOG: Final = logging.getLogger("tidings")
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "
    "frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
#: Policy for content of other sites, such as pictures and marked pages: sandboxed, and loads nothing.
SANDBOX: Final = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'self'"
)
_ALWAYS: Final = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",  # with `no-referrer`, browsers send `Origin: null` with same-origin forms
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
}


class SecurityHeaders(HttpMiddleware):
    """Middleware that adds security headers to every response."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and add the missing headers to its response."""

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
    """CORS middleware for the API and feeds."""

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Respond to preflight requests, and add CORS headers to other responses."""
        if not is_allowed_origin(HTTPConnection(scope)) or not scope["path"].startswith(_OPEN):
            await self._app(scope, receive, send)
            return
        headers = RequestHeaders(scope=scope)
        cors = {"access-control-allow-origin": headers["origin"], "cross-origin-resource-policy": "cross-origin"}
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            await Response(status_code=204, headers=cors | _ALLOWED | {"vary": "Origin"})(scope, receive, send)
            return

        async def sent(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                answer.update({**cors, "access-control-expose-headers": _EXPOSED})
                answer.add_vary_header("Origin")
            await send(message)

        scope["headers"] = [(name, value) for name, value in scope["headers"] if name != b"cookie"]
        await self._app(scope, receive, sent)


def is_allowed_origin(connection: HTTPConnection) -> bool:
    """Return whether a request comes from a configured CORS origin."""
    return connection.headers.get("origin", "") in app_of(connection).settings.origins


class ProxyHeaders(HttpMiddleware):
    """Middleware that replaces the address of a trusted proxy by that of the proxy's client."""

    _has_warned = False

    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on with the client's address and scheme."""
        if scope.get("client"):
            scope = self._with_client(scope)
        await self._app(scope, receive, send)

    def _with_client(self, scope: Scope) -> Scope:
        connection = HTTPConnection(scope)
        trusted, peer, headers = app_of(connection).settings.proxies, scope["client"][0], connection.headers
        address = parse_address(peer)
        if address is None or not trusted.trusts(address):
            if address is not None and "x-forwarded-for" in headers and may_be_proxy(peer):
                self._warn(peer)
            return scope
        visitor = trusted.visitor(peer, headers)
        scheme = headers.getlist("x-forwarded-proto")[-1:]
        scheme_header = {"scheme": scheme[0].lower()} if scheme and scheme[0].lower() in {"http", "https"} else {}
        return {
            **scope,
            **scheme_header,
            "by_proxy": True,
            "client": scope["client"] if visitor == peer else (visitor, 0),
        }

    def _warn(self, peer: str) -> None:
        if not self._has_warned:
            message = "visitors come through a proxy at %s that is not named, and count as one: --trusted-proxy %s"
            LOG.warning(message, peer, peer)
        self._has_warned = True
