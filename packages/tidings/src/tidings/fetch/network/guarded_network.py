"""A network backend that connects only to addresses that the SSRF guard has checked.

This layer is below HTTP, where httpcore2 asks for a connection. A name is resolved once, all its addresses are checked,
and the connection goes to one of them, so a second lookup with another result (DNS rebinding) cannot happen. TLS still
verifies the name, and the Host header still contains it.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextvars import ContextVar

from httpcore2 import (
    SOCKET_OPTION,
    AsyncNetworkBackend,
    AsyncNetworkStream,
    ConnectError,
    ConnectTimeout,
)

from tidings.fetch.network.guard import Guard
from tidings.fetch.network.resolver import Resolver, resolve
from tidings.fetch.network.streams import AsyncioNetwork

#: Number of addresses to try: a host with this many dead ones is down.
MAX_TRIED = 4
#: Collects new connections of a request, if the caller sets it.
new_connections: ContextVar[list[str] | None] = ContextVar("new_connections", default=None)


class GuardedNetwork(AsyncNetworkBackend):
    """A network backend that resolves a host, has its addresses checked by the SSRF guard, and connects."""

    def __init__(self, guard: Guard, resolver: Resolver = resolve, inner: AsyncNetworkBackend | None = None) -> None:
        self._guard = guard
        self._resolve = resolver
        self._inner = inner or AsyncioNetwork()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # the name is given by httpcore2
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> AsyncNetworkStream:
        """Connect to an address of a host that the SSRF guard allows."""
        addresses = await self._resolve(host)
        self._guard.check(host, port, addresses)
        failed: Exception = ConnectError(f"{host} has no address")
        tried = addresses[:MAX_TRIED]
        for address in tried:
            share = None if timeout is None else timeout / len(tried)
            try:
                stream = await self._inner.connect_tcp(str(address), port, share, local_address, socket_options)
            except (ConnectError, ConnectTimeout) as error:
                failed = error
            else:
                connections = new_connections.get()
                if connections is not None:
                    connections.append(str(address))
                return stream
        raise failed

    async def sleep(self, seconds: float) -> None:
        """Wait between two connection attempts of httpcore2."""
        await self._inner.sleep(seconds)
