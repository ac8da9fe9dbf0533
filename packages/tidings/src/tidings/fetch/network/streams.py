"""asyncio connections for httpcore2, with minimal overhead.

httpcore2's own backend uses AnyIO, which supports two event loops and costs a fifth of the time of a small page. Single
reads and writes have no timeouts here, because the deadline covers all of them (`http_client`).
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import Iterable
from typing import Any, Final

from httpcore2 import (
    SOCKET_OPTION,
    AsyncNetworkBackend,
    AsyncNetworkStream,
    ConnectError,
    ConnectTimeout,
    ReadError,
    WriteError,
)

#: Unread bytes above which reading is paused.
HIGH_WATER: Final = 256 * 1024


class AsyncioNetwork(AsyncNetworkBackend):
    """A network backend for httpcore2 on the running asyncio event loop."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[SOCKET_OPTION] | None = None,  # noqa: ARG002  # never set by us
    ) -> AsyncNetworkStream:
        """Connect to an IP address."""
        loop = asyncio.get_running_loop()
        local = (local_address, 0) if local_address else None
        try:
            async with asyncio.timeout(timeout):
                _, buffer = await loop.create_connection(_Buffer, host, port, local_addr=local)
        except TimeoutError as error:
            raise ConnectTimeout(str(error)) from error
        except OSError as error:
            raise ConnectError(error.strerror or str(error)) from error
        return _Stream(buffer)

    async def sleep(self, seconds: float) -> None:
        """Wait for some seconds."""
        await asyncio.sleep(seconds)


class _Buffer(asyncio.Protocol):
    """A buffer of received bytes that are not read yet."""

    def __init__(self) -> None:
        self.transport: asyncio.Transport | None = None
        self.data = bytearray()
        self.ended = False
        self.failed: Exception | None = None
        self._arrival: asyncio.Future[None] | None = None
        self._room: asyncio.Future[None] | None = None
        self._reading = True
        self._full = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101  # what create_connection makes
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.data += data
        if len(self.data) > HIGH_WATER and self._reading and self.transport is not None:
            self._reading = False
            self.transport.pause_reading()
        _wake(self._arrival)

    def eof_received(self) -> bool:
        self.ended = True
        _wake(self._arrival)
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        self.ended = True
        self.failed = exc
        _wake(self._arrival)
        _wake(self._room)

    def pause_writing(self) -> None:
        self._full = True

    def resume_writing(self) -> None:
        self._full = False
        _wake(self._room)

    async def take(self, most: int) -> bytes:
        """Return up to `most` bytes as soon as some have arrived; none at the end."""
        while not self.data and not self.ended:
            self._arrival = asyncio.get_running_loop().create_future()
            try:
                await self._arrival
            finally:
                self._arrival = None
        if not self.data and self.failed is not None:
            raise ReadError(str(self.failed)) from self.failed
        received = bytes(self.data[:most])
        del self.data[:most]
        if not self._reading and len(self.data) <= HIGH_WATER // 2 and self.transport is not None:
            self._reading = True
            self.transport.resume_reading()
        return received

    async def give(self, data: bytes) -> None:
        """Send bytes, and wait while the send buffer is full."""
        if self.transport is None or self.transport.is_closing() or self.failed is not None:
            raise WriteError("the connection is closed")
        self.transport.write(data)
        while self._full and not self.ended:
            self._room = asyncio.get_running_loop().create_future()
            try:
                await self._room
            finally:
                self._room = None


class _Stream(AsyncNetworkStream):
    """A TCP or TLS connection."""

    def __init__(self, buffer: _Buffer) -> None:
        self._buffer = buffer

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ARG002  # see above
        """Return up to `max_bytes` received bytes; none at the end."""
        return await self._buffer.take(max_bytes)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ARG002  # see above
        """Send bytes."""
        if buffer:
            await self._buffer.give(buffer)

    async def aclose(self) -> None:
        """Close the connection immediately and discard pending data."""
        if self._buffer.transport is not None:
            self._buffer.transport.abort()
            await asyncio.sleep(0)  # lets the loop release the socket

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> AsyncNetworkStream:
        """Start TLS on the connection and return it, after verifying the server's name."""
        plain = self._buffer.transport
        if plain is None:
            raise ConnectError("the connection is closed")
        loop = asyncio.get_running_loop()
        buffer = _Buffer()
        try:
            async with asyncio.timeout(timeout):
                secure = await loop.start_tls(plain, buffer, ssl_context, server_hostname=server_hostname)
        except TimeoutError as error:
            plain.abort()
            raise ConnectTimeout("the handshake took too long") from error
        except (ssl.SSLError, OSError) as error:
            plain.abort()
            raise ConnectError(str(error)) from error
        if secure is None:
            raise ConnectError("the connection closed during the handshake")
        buffer.transport = secure
        return _Stream(buffer)

    def get_extra_info(self, info: str) -> Any:
        """Return what httpcore2 asks for: the TLS object, the socket, or whether an idle connection is readable."""
        transport = self._buffer.transport
        if transport is None:
            return None
        if info == "is_readable":
            # Only what the loop has received. The system is not asked, because the pool checks every idle connection
            # before each request. Data that arrives right now breaks the request, which is retried (`http_client`).
            return self._buffer.ended or bool(self._buffer.data) or transport.is_closing()
        named = {"client_addr": "sockname", "server_addr": "peername"}.get(info, info)
        return transport.get_extra_info(named)


def _wake(waiting: asyncio.Future[None] | None) -> None:
    if waiting is not None and not waiting.done():
        waiting.set_result(None)
