"""Requests that come through a reverse proxy are passed on as their visitor's, if the proxy is one that was named."""

from __future__ import annotations

import logging
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from tidings.news.web.house import house_of
from tidings.news.web.proxies import may_stand_for_many, parsed

LOG: Final = logging.getLogger("tidings.news")


class ProxyHeaders:
    """Puts the visitor in the place of a named proxy, before anybody counts or answers."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._has_warned = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on as its visitor's."""
        if scope["type"] == "http" and scope.get("client"):
            scope = self._seen_through(scope)
        await self._app(scope, receive, send)

    def _seen_through(self, scope: Scope) -> Scope:
        connection = HTTPConnection(scope)
        trusted, peer, headers = house_of(connection).terms.proxies, scope["client"][0], connection.headers
        address = parsed(peer)
        if address is None or not trusted.trusts(address):
            if address is not None and "x-forwarded-for" in headers and may_stand_for_many(peer):
                self._warn(peer)
            return scope
        visitor = trusted.visitor(peer, headers)
        scheme = headers.getlist("x-forwarded-proto")[-1:]
        told = {"scheme": scheme[0].lower()} if scheme and scheme[0].lower() in {"http", "https"} else {}
        return {**scope, **told, "client": scope["client"] if visitor == peer else (visitor, 0)}

    def _warn(self, peer: str) -> None:
        if not self._has_warned:
            said = "visitors come through a proxy at %s that is not named, and count as one: --trusted-proxy %s"
            LOG.warning(said, peer, peer)
        self._has_warned = True
