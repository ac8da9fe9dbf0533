"""One exchange over the network: a request goes out, its answer comes in, and nothing is followed.

Connections are pooled and shared by all tasks of a loop; HTTP/2 where the server speaks it. Every connection goes
through the guard. Redirects, robots.txt and turns of a host are what is built around this (`follow`, `polite`).

A pool of connections for each site: httpcore2 looks through all of a pool before every request, so one for all sites
would cost the more the more sites are read at once.

Sites that were not asked for a while, and the longest unasked where there are too many, lose their connections.

Connections through the guard: the address that was checked is the address that is connected to.

This sits below HTTP, where httpcore2 asks for a connection. A name is looked up once, every address it has is
checked, and the connection goes to one of those addresses; a second lookup that says something else (DNS rebinding)
never happens. The name stays what TLS verifies and what the Host header says.
"""

from __future__ import annotations

import asyncio
import ssl
from base64 import b64encode
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Callable, Iterable
from contextlib import aclosing, asynccontextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from functools import cache, partial
from time import monotonic
from typing import Final, Self

import httpcore2
from h2.exceptions import H2Error
from httpcore2 import (
    SOCKET_OPTION,
    AsyncNetworkBackend,
    AsyncNetworkStream,
    ConnectError,
    ConnectTimeout,
)

from tidings.errors import ConnectionFailed, DeadlineExceeded, FetchError
from tidings.fetch.deadline import SYSTEM, Clock, Deadline
from tidings.fetch.decompress import Broken, ResponseBody, read_body, too_large
from tidings.fetch.exchange import REDIRECTS, Cap, Kind, Limits, Outcome, Over, Request, Response, as_value
from tidings.fetch.guard import Guard, Resolver, resolve
from tidings.fetch.robots import Agent
from tidings.fetch.streams import AsyncioNetwork
from tidings.urls import DEFAULT_PORTS, URL


@dataclass(slots=True)
class _SitePool:
    pool: httpcore2.AsyncConnectionPool
    asked: float  # when it was asked last
    under_way: int = 0


class Pools:
    """Connections by site.

    Args:
        make: a new pool.
        most: sites that may have connections.
        seconds: that a site may go unasked before its connections are closed.
    """

    def __init__(self, make: Callable[[], httpcore2.AsyncConnectionPool], most: int, seconds: float) -> None:
        self._make = make
        self._most = most
        self._seconds = seconds
        self._sites: OrderedDict[str, _SitePool] = OrderedDict()  # the longest unasked first

    @asynccontextmanager
    async def lent(self, origin: str) -> AsyncIterator[httpcore2.AsyncConnectionPool]:
        """The pool of a site, for one exchange."""
        site = self._sites.pop(origin, None) or _SitePool(self._make(), 0.0)
        self._sites[origin] = site
        site.asked = monotonic()
        site.under_way += 1
        try:
            await self._close_old(site.asked)
            yield site.pool
        finally:
            site.under_way -= 1

    async def aclose(self) -> None:
        """Close all. It may be used again afterwards, also in another loop."""
        sites, self._sites = self._sites, OrderedDict()
        for site in sites.values():
            await site.pool.aclose()

    async def _close_old(self, now: float) -> None:
        old = []  # taken out before anything is awaited: others do the same meanwhile
        for origin, site in list(self._sites.items()):
            if site.asked > now - self._seconds and len(self._sites) <= self._most:
                break
            if not site.under_way:
                del self._sites[origin]
                old.append(site.pool)
        for pool in old:
            await pool.aclose()


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
        """Return a connection to an address of the host that the guard lets through."""
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


#: What of a redirect's body is read so that its connection can be used again; it is never decompressed.
REDIRECT_BODY: Final = 64 * 1024
#: An error page may be read, as far as this.
ERROR_BODY: Final = Cap(256 * 1024, Over.CUT)
#: An idle connection is kept for so long; servers commonly close theirs after 5 to 75 seconds.
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
#: What the library lets through when a server breaks the rules of HTTP/2, as with a status that is no number.
_SURPRISES: Final = (H2Error, ValueError, AssertionError, LookupError)


@cache
def _trusted() -> ssl.SSLContext:
    """Return the certificates we trust; reading them takes longer than a page does."""
    return httpcore2.default_ssl_context()


class Wire:
    """A pool of connections. Use it as `async with Wire() as wire`, or close it.

    Args:
        agent: who we say we are.
        guard: which addresses may be connected to.
        limits: how long and how much.
        proxy: an HTTP proxy of the user's own, "http://name:password@host:port". It is connected to
            wherever it is; what is asked of it is still looked up here and checked.
        trust: certificates to trust other than the usual ones.
        resolver: how names become addresses.
        clock: tells when something was fetched.
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
        self._pools = Pools(partial(self._connections, proxy), limits.connections, KEPT_ALIVE)
        self._by_proxy: dict[str, Pools] = {}  # of requests that name one
        self._places: asyncio.Semaphore | None = None

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *raised: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close all connections. It may be used again afterwards, also in another loop."""
        self._places = None
        for pools in (self._pools, *self._by_proxy.values()):
            await pools.aclose()

    async def fetch(self, request: Request) -> Outcome:
        """One exchange, within its deadline."""
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
            if error.url != address.url:  # from below, where only the host is known
                error.url = address.url
                error.args = (address.url, *error.args[1:])
            return as_value(error)
        except _FAILURES as error:
            return as_value(_failed(address.url, error))
        finally:
            self._places.release()

    def _through(self, proxy: str | None) -> Pools:
        """Return the connections that a request goes over."""
        if proxy is None or proxy == self._proxy:
            return self._pools
        make = partial(self._connections, proxy)
        return self._by_proxy.setdefault(proxy, Pools(make, self._limits.connections, KEPT_ALIVE))

    def _connections(self, through: str | None) -> httpcore2.AsyncConnectionPool:
        """Return a pool for a site whose every connection goes through the guard, or to the user's proxy and nowhere
        else.
        """
        proxy = None
        if through is not None:
            given = URL.parse(through)
            proxy = httpcore2.Proxy(given.origin + "/", auth=given.credentials)
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
        asked = self._asked(address, request)
        connected: list[str] = []
        marker = new_connections.set(connected)
        try:
            try:
                answer = await _answered(pool, asked)
            except _BROKEN:
                # An idle connection that the server closed as we asked: once more, on a new one (RFC 9112, 9.3.1).
                if connected or proxy is not None or request.data is not None:
                    raise
                answer = await _answered(pool, asked)
        finally:
            new_connections.reset(marker)
        version = answer.extensions.get("http_version", b"HTTP/1.1")
        unread = True
        try:
            headers = tuple((_text(name).lower(), _text(value)) for name, value in answer.headers)
            body = await self._body(answer, address.url, headers, request)
            unread = body.unread
        finally:
            await answer.aclose()
            if unread and version == b"HTTP/2":
                # httpcore2 does not tell the server to stop, and what it goes on sending would fill the window that
                # all streams share.
                await answer.extensions["network_stream"].aclose()
        return Response(
            address.url,
            answer.status,
            headers,
            body.data,
            request.kind,
            body.truncated,
            protocol=version.decode("ascii", "replace"),
            fetched_at=self._clock.now(),
            elapsed=asyncio.get_running_loop().time() - begin,
        )

    def _usual(self, kind: Kind) -> dict[bytes, bytes]:
        """What is sent with every request of a kind, made once."""
        if kind not in self._sent:
            told = self._agent.headers(kind)
            self._sent[kind] = {_wire_name(name): value.encode("utf-8") for name, value in told}
        return self._sent[kind]

    def _asked(self, address: URL, request: Request) -> httpcore2.Request:
        headers = {b"Host": address.authority.encode("ascii"), **self._usual(request.kind)}
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
        self, answer: httpcore2.Response, url: str, headers: tuple[tuple[str, str], ...], request: Request
    ) -> ResponseBody:
        known = dict(headers)
        if answer.status in REDIRECTS and "location" in known:
            return ResponseBody(b"", unread=not await _drained(answer))
        cap = self._limits.cap(request.kind) if answer.status < 400 else ERROR_BODY
        said = known.get("content-length", "")
        if cap.over is Over.REFUSE and said.isdigit() and len(said) < 20 and int(said) > cap.size:
            raise too_large(url, request.kind, cap)  # unread: even compressed it is
        codings = ",".join(value for name, value in headers if name == "content-encoding")
        async with aclosing(_chunks(answer)) as chunks:
            return await read_body(chunks, url, codings, request.kind, cap)


async def _answered(pool: httpcore2.AsyncConnectionPool, asked: httpcore2.Request) -> httpcore2.Response:
    try:
        return await pool.handle_async_request(asked)
    except _SURPRISES as error:
        raise httpcore2.RemoteProtocolError(f"{type(error).__name__}: {error}") from error


async def _chunks(answer: httpcore2.Response) -> AsyncGenerator[bytes, None]:
    try:
        async with aclosing(answer.aiter_stream()) as stream:
            async for chunk in stream:
                yield chunk
    except (*_BROKEN, *_SURPRISES) as error:
        raise Broken from error


async def _drained(answer: httpcore2.Response) -> bool:
    """Read a small body away; whether that was all of it."""
    size = 0
    async with aclosing(_chunks(answer)) as chunks:
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
    """Return names as browsers write them; a few servers want them so."""
    return "-".join(part.capitalize() for part in name.split("-")).encode("ascii")


def _too_long(url: str, deadline: Deadline) -> DeadlineExceeded:
    return DeadlineExceeded(url, f"took longer than {deadline} in all; try again later, or allow more")


def _failed(url: str, error: Exception) -> ConnectionFailed:
    reason = str(error) or type(error).__name__
    match error:
        case httpcore2.ConnectTimeout():
            said = "no connection in time; try again later"
        case httpcore2.ProxyError():
            said = f"the proxy says {reason}; check its address and its password"
        case _ if "CERTIFICATE_VERIFY_FAILED" in reason or "certificate" in reason:
            said = f"its certificate cannot be trusted ({reason})"
        case httpcore2.ConnectError():
            said = f"no connection ({reason}); check the address, or try again later"
        case httpcore2.ProtocolError():
            said = f"the server does not speak HTTP as it should ({reason})"
        case _:
            said = f"the connection broke ({reason}); try again later"
    failed = ConnectionFailed(url, said)
    failed.__cause__ = error
    return failed
