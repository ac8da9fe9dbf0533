"""Connections through the guard: the address that was checked is the address that is connected to.

This sits below HTTP, where httpcore2 asks for a connection. A name is looked up once, every address it has is
checked, and the connection goes to one of those addresses; a second lookup that says something else (DNS rebinding)
never happens. The name stays what TLS verifies and what the Host header says.
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

from tidings.fetch.guard import Guard
from tidings.fetch.resolve import Resolver, resolve
from tidings.fetch.streams import AsyncioNetwork

#: More addresses than these are not tried: a host with so many dead ones is down.
MAX_TRIED = 4

#: Set by whoever wants to know whether an exchange needed a new connection.
new_connections: ContextVar[list[str] | None] = ContextVar("new_connections", default=None)


class GuardedNetwork(AsyncNetworkBackend):
    """Looks up, checks, connects."""

    def __init__(self, guard: Guard, resolver: Resolver = resolve, inner: AsyncNetworkBackend | None = None) -> None:
        self._guard = guard
        self._resolve = resolver
        self._inner = inner or AsyncioNetwork()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # the name is httpcore2's
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,
    ) -> AsyncNetworkStream:
        """A connection to an address of the host that the guard lets through."""
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
                told = new_connections.get()
                if told is not None:
                    told.append(str(address))
                return stream
        raise failed

    async def sleep(self, seconds: float) -> None:
        """Wait, as httpcore2 does between its own attempts."""
        await self._inner.sleep(seconds)
