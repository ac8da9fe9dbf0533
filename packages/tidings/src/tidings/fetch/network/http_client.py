"""A single HTTP request and response over the network, without following redirects.

Connections are pooled and shared by all tasks of a loop, with HTTP/2 if the server supports it. Every connection passes
the guard. Redirects, robots.txt and turns of a host are layers around this (`redirects`, `polite`).
"""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64encode
from collections.abc import AsyncGenerator
from contextlib import aclosing
from functools import cache, partial
from typing import Final, Self

import httpcore2
from h2.exceptions import H2Error

from tidings.errors import ConnectionFailed, DeadlineExceeded, FetchError
from tidings.fetch.agent import Agent
from tidings.fetch.bodies.response_body import Broken, ResponseBody, read_body, too_large
from tidings.fetch.clock import SYSTEM, Clock
from tidings.fetch.deadline import Deadline
from tidings.fetch.limits import Cap, Limits, Over
from tidings.fetch.messages import REDIRECTS, Kind, Outcome, Request, Response, as_value
from tidings.fetch.network.connection_pools import ConnectionPools
from tidings.fetch.network.guard import Guard
from tidings.fetch.network.guarded_network import GuardedNetwork, new_connections
from tidings.fetch.network.resolver import Resolver, resolve
from tidings.fetch.network.streams import AsyncioNetwork
from tidings.urls import DEFAULT_PORTS, URL

#: Bytes of a redirect's body that are read so that its connection can be reused; never decompressed.
REDIRECT_BODY: Final = 64 * 1024
#: Limit on the body of an error page.
ERROR_BODY: Final = Cap(256 * 1024, Over.CUT)
#: Lifetime of idle connections in seconds; servers commonly close theirs after 5 to 75 seconds.
KEPT_ALIVE: Final = 15.0
_BROKEN: Final = (httpcore2.ReadError, httpcore2.WriteError, httpcore2.RemoteProtocolError)
_FAILURES: Final = (
    httpcore2.TimeoutException,
    httpcore2.NetworkError,
    httpcore2.ProxyError,
    httpcore2.ProtocolError,
    httpcore2.UnsupportedProtocol,
    ssl.SSLError,
)
#: Exceptions of the library if a server violates HTTP/2, for example by a status that is not a number.
_SURPRISES: Final = (H2Error, ValueError, AssertionError, LookupError)


@cache
def _trusted() -> ssl.SSLContext:
    """Return the trusted certificates. Cached, because loading them takes longer than fetching a page."""
    return httpcore2.default_ssl_context()


class HttpClient:
    """An HTTP client with pooled connections. Use it as `async with HttpClient() as client`, or close it.

    Args:
        agent: the user agent.
        guard: decides which addresses may be connected to.
        limits: limits on time and size.
        proxy: the user's HTTP proxy, "http://name:password@host:port". Any proxy address is allowed; the requested
            hosts are still resolved and checked here.
        trust: trusted certificates instead of the default ones.
        resolver: resolves host names.
        clock: the source of `Response.fetched_at`.
    """

    def __init__(
        self,
        agent: Agent = Agent(),  # noqa: B008  # frozen
        guard: Guard = Guard(),  # noqa: B008  # frozen
        limits: Limits = Limits(),  # noqa: B008  # frozen
        *,
        proxy: str | None = None,
        trust: ssl.SSLContext | None = None,
        resolver: Resolver = resolve,
        clock: Clock = SYSTEM,
    ) -> None:
        self._agent = agent
        self._guard = guard
        self._limits = limits
        self._proxy = proxy
        self._trust = trust
        self._resolve = resolver
        self._clock = clock
        self._sent: dict[Kind, dict[bytes, bytes]] = {}
        self._pools = ConnectionPools(partial(self._connections, proxy), limits.connections, KEPT_ALIVE)
        self._by_proxy: dict[str, ConnectionPools] = {}  # for requests with their own proxy
        self._places: asyncio.Semaphore | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections. The client can be used again afterwards, also in another event loop."""
        self._places = None
        for pools in (self._pools, *self._by_proxy.values()):
            await pools.aclose()

    async def fetch(self, request: Request) -> Outcome:
        """Send a request and read its response within the deadline."""
        if self._places is None:
            self._places = asyncio.Semaphore(self._limits.connections)
        try:
            address = URL.parse(request.url)
        except FetchError as error:
            return as_value(error)
        deadline = request.deadline or Deadline.after(request.seconds, self._limits.deadline)
        try:
            async with deadline.turn():
                await self._places.acquire()
        except TimeoutError:
            return _too_long(address.url, deadline)
        try:
            begin = asyncio.get_running_loop().time()
            async with deadline.limit(), self._through(request.proxy).lent(address.origin) as pool:
                return await self._exchange(pool, address, request, begin)
        except TimeoutError:
            return _too_long(address.url, deadline)
        except FetchError as error:
            if error.url != address.url:  # raised by a lower layer that knows only the host
                error.url = address.url
                error.args = (address.url, *error.args[1:])
            return as_value(error)
        except _FAILURES as error:
            return as_value(_failed(address.url, error))
        finally:
            self._places.release()

    def _through(self, proxy: str | None) -> ConnectionPools:
        """Return the connection pools for a proxy; "" means no proxy."""
        if proxy is None or proxy == self._proxy:
            return self._pools
        make = partial(self._connections, proxy)
        return self._by_proxy.setdefault(proxy, ConnectionPools(make, self._limits.connections, KEPT_ALIVE))

    def _connections(self, through: str | None) -> httpcore2.AsyncConnectionPool:
        """Create a connection pool for a site. Its connections pass the SSRF guard, or go only to the user's proxy."""
        proxy = None
        if through is not None:
            proxy_url = URL.parse(through)
            proxy = httpcore2.Proxy(proxy_url.origin + "/", auth=proxy_url.credentials)
        return httpcore2.AsyncConnectionPool(
            ssl_context=self._trust or _trusted(),
            proxy=proxy,
            max_connections=self._limits.connections,
            max_keepalive_connections=self._limits.connections,
            keepalive_expiry=KEPT_ALIVE,
            http1=True,
            http2=True,
            network_backend=GuardedNetwork(self._guard, self._resolve) if proxy is None else AsyncioNetwork(),
        )

    async def _exchange(
        self, pool: httpcore2.AsyncConnectionPool, address: URL, request: Request, begin: float
    ) -> Response:
        proxy = request.proxy or self._proxy
        if proxy is not None and not self._guard.exempts(address.host, address.port):
            self._guard.check(address.host, address.port, await self._resolve(address.host))
        http_request = self._http_request(address, request)
        connected: list[str] = []
        marker = new_connections.set(connected)
        try:
            try:
                http_response = await _send(pool, http_request)
            except _BROKEN:
                # The server closed an idle connection as we used it: retry on a new one (RFC 9112, 9.3.1).
                if connected or proxy is not None or request.data is not None:
                    raise
                http_response = await _send(pool, http_request)
        finally:
            new_connections.reset(marker)
        version = http_response.extensions.get("http_version", b"HTTP/1.1")
        unread = True
        try:
            headers = tuple((_text(name).lower(), _text(value)) for name, value in http_response.headers)
            body = await self._body(http_response, address.url, headers, request)
            unread = body.unread
        finally:
            await http_response.aclose()
            if unread and version == b"HTTP/2":
                # httpcore2 does not cancel the stream, and further data would fill the window that all streams share.
                await http_response.extensions["network_stream"].aclose()
        return Response(
            address.url,
            http_response.status,
            headers,
            body.data,
            request.kind,
            body.truncated,
            protocol=version.decode("ascii", "replace"),
            fetched_at=self._clock.now(),
            elapsed=asyncio.get_running_loop().time() - begin,
        )

    def _default_headers(self, kind: Kind) -> dict[bytes, bytes]:
        """Return the default headers for a kind of resource."""
        if kind not in self._sent:
            headers = self._agent.headers(kind)
            self._sent[kind] = {_wire_name(name): value.encode("utf-8") for name, value in headers}
        return self._sent[kind]

    def _http_request(self, address: URL, request: Request) -> httpcore2.Request:
        headers = {b"Host": address.authority.encode("ascii"), **self._default_headers(request.kind)}
        if request.validators.etag:
            headers[b"If-None-Match"] = request.validators.etag.encode("utf-8")
        if request.validators.last_modified:
            headers[b"If-Modified-Since"] = request.validators.last_modified.encode("utf-8")
        if address.credentials is not None:
            headers[b"Authorization"] = b"Basic " + b64encode(":".join(address.credentials).encode("utf-8"))
        headers |= {_wire_name(name): value.encode("utf-8") for name, value in request.headers}
        if request.data is not None:
            headers[b"Content-Length"] = str(len(request.data)).encode("ascii")
        return httpcore2.Request(
            b"GET" if request.data is None else b"POST",
            httpcore2.URL(
                scheme=address.scheme.encode(),
                host=address.host.encode(),
                port=None if address.port == DEFAULT_PORTS[address.scheme] else address.port,
                target=address.target.encode("ascii"),
            ),
            headers=list(headers.items()),
            content=request.data,
            extensions={"timeout": {"connect": self._limits.connect}},
        )

    async def _body(
        self, http_response: httpcore2.Response, url: str, headers: tuple[tuple[str, str], ...], request: Request
    ) -> ResponseBody:
        header_values = dict(headers)
        if http_response.status in REDIRECTS and "location" in header_values:
            return ResponseBody(b"", unread=not await _drained(http_response))
        cap = self._limits.cap(request.kind) if http_response.status < 400 else ERROR_BODY
        content_length = header_values.get("content-length", "")
        if (
            cap.over is Over.REFUSE
            and content_length.isdigit()
            and len(content_length) < 20
            and int(content_length) > cap.size
        ):
            raise too_large(url, request.kind, cap)  # not read: even the compressed size is above the limit
        codings = ",".join(value for name, value in headers if name == "content-encoding")
        async with aclosing(_chunks(http_response)) as chunks:
            return await read_body(chunks, url, codings, request.kind, cap)


async def _send(pool: httpcore2.AsyncConnectionPool, request: httpcore2.Request) -> httpcore2.Response:
    try:
        return await pool.handle_async_request(request)
    except _SURPRISES as error:
        raise httpcore2.RemoteProtocolError(f"{type(error).__name__}: {error}") from error


async def _chunks(response: httpcore2.Response) -> AsyncGenerator[bytes, None]:
    try:
        async with aclosing(response.aiter_stream()) as stream:
            async for chunk in stream:
                yield chunk
    except (*_BROKEN, *_SURPRISES) as error:
        raise Broken from error


async def _drained(response: httpcore2.Response) -> bool:
    """Read a small response body to its end, so that the connection can be reused. Return whether all of it was
    read.
    """
    size = 0
    async with aclosing(_chunks(response)) as chunks:
        try:
            async for chunk in chunks:
                size += len(chunk)
                if size > REDIRECT_BODY:
                    return False
        except Broken:
            return False
    return True


def _text(value: bytes) -> str:
    try:
        return value.decode("utf-8")
    except UnicodeDecodeError:
        return value.decode("latin-1")


def _wire_name(name: str) -> bytes:
    """Return a header name in the capitalisation of browsers, which a few servers need."""
    return "-".join(part.capitalize() for part in name.split("-")).encode("ascii")


def _too_long(url: str, deadline: Deadline) -> DeadlineExceeded:
    return DeadlineExceeded(url, f"took longer than {deadline} in all; try again later, or allow more")


def _failed(url: str, error: Exception) -> ConnectionFailed:
    reason = str(error) or type(error).__name__
    match error:
        case httpcore2.ConnectTimeout():
            message = "no connection in time; try again later"
        case httpcore2.ProxyError():
            message = f"the proxy says {reason}; check its address and its password"
        case _ if "CERTIFICATE_VERIFY_FAILED" in reason or "certificate" in reason:
            message = f"its certificate cannot be trusted ({reason})"
        case httpcore2.ConnectError():
            message = f"no connection ({reason}); check the address, or try again later"
        case httpcore2.ProtocolError():
            message = f"the server does not speak HTTP as it should ({reason})"
        case _:
            message = f"the connection broke ({reason}); try again later"
    failed = ConnectionFailed(url, message)
    failed.__cause__ = error
    return failed
