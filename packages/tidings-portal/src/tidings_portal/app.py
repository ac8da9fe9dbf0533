"""The ASGI application of the service (portal, reader, API, accounts) with its middleware, and its HTTP server.

uvicorn has no timeout for the first byte or the rest of a request, so slow clients could use up all open files of the
process (HOSTILE 37). The server checks every second what each connection waits for and since when, and closes those
that exceed their timeout. If the limit of connections is reached, a new connection replaces the one that has waited
longest. Connections with a response in progress are kept.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

import h11
import uvicorn
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import BaseRoute
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import ServerState

from tidings.errors import TidingsError
from tidings_portal.accounts import routes as accounts
from tidings_portal.accounts.current_user import LoginRequired
from tidings_portal.accounts.sessions import sessions
from tidings_portal.api import agents
from tidings_portal.api import openapi as api
from tidings_portal.greader import routes as greader
from tidings_portal.logs import RequestLog
from tidings_portal.portal import feeds
from tidings_portal.portal import routes as portal
from tidings_portal.reader import pages as reader
from tidings_portal.sending import pages as sending
from tidings_portal.web import icons, metrics, pages, pictures
from tidings_portal.web.app_state import App
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.headers import CrossOrigin, ProxyHeaders, SecurityHeaders
from tidings_portal.web.limits import RequestLimits
from tidings_portal.web.pages import ErrorPages, error_response
from tidings_portal.web.sessions import VisitMiddleware

#: Connections that are taken before anything else is looked at again. Three times as many are open at most before the
#: first of them is counted: asyncio makes a connection in three steps.
AT_ONCE: Final = 16
#: A connection whose other side sends as much as it may takes 128 KB: so many of them, 128 MB.
_MOST: Final = 1000
#: Connections have one of so many parts of the files that a process may have open; the others are for the store, for
#: what is fetched, and for those who have just come.
_PARTS: Final = 3
_FEWEST: Final = 8
#: Seconds between two looks at a connection.
LOOK: Final = 1.0


class ConnectionPhase(Enum):
    """The phase of an HTTP connection, which determines its timeout."""

    REQUEST = "a request"
    HEAD = "the rest of its head"
    BODY = "its body"
    READER = "what was answered to be taken"
    NOTHING = "nothing: it is being answered"


@dataclass(frozen=True, slots=True)
class RequestTimeouts:
    """Timeouts for slow clients, in seconds."""

    head: float = 20.0  # for a first request, and the rest of any head: Apache, mod_reqtimeout; the body too
    idle: float = 30.0  # from one answer to the next request
    body: float = 20.0  # and a second more for so many bytes of it that came: 128 kbit/s, a telephone with one bar
    body_rate: float = 16_384.0
    reader: float = 60.0  # without a byte of an answer being taken

    def allowed(self, phase: ConnectionPhase, received: int) -> float:
        """Return the timeout of a connection, in seconds, after `received` bytes of a body."""
        body = self.body + received / self.body_rate
        by_phase = {
            ConnectionPhase.REQUEST: self.idle,
            ConnectionPhase.HEAD: self.head,
            ConnectionPhase.BODY: body,
            ConnectionPhase.READER: self.reader,
        }
        return by_phase.get(phase, float("inf"))


def most_connections() -> int:
    """Return the maximum number of connections: far below the limit of open files of the process."""
    if sys.platform == "win32":
        return _MOST
    import resource  # noqa: PLC0415  # Windows has none

    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return _MOST if files == resource.RLIM_INFINITY else max(_FEWEST, min(_MOST, files // _PARTS))


class HttpConnection(H11Protocol):
    """An HTTP connection with timeouts for idle and slow clients."""

    timeouts = RequestTimeouts()

    def __init__(
        self,
        config: uvicorn.Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self.since = self.loop.time()
        self._received = 0
        self._has_begun = False  # there are bytes of a head
        self._seen: tuple[object, ...] = (ConnectionPhase.HEAD, None, 0)

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        """Register a new connection, and close another if there are too many."""
        super().connection_made(transport)
        self._looking = self.loop.call_later(LOOK, self.look)
        if len(self.connections) > most_connections():
            self._make_room()

    def connection_lost(self, exc: Exception | None) -> None:
        """Unregister a closed connection."""
        self._looking.cancel()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Count the received bytes of a request and parse them."""
        self._received += len(data)
        super().data_received(data)
        self._has_begun = self.conn.their_state is h11.IDLE

    @property
    def phase(self) -> ConnectionPhase:
        """Return what the connection waits for."""
        if self.transport.get_write_buffer_size():
            return ConnectionPhase.READER
        if self.conn.their_state is h11.SEND_BODY:
            return (
                ConnectionPhase.NOTHING if self.flow.read_paused else ConnectionPhase.BODY
            )  # paused: we have not taken what is here
        if self.conn.their_state is h11.IDLE:
            return ConnectionPhase.HEAD if self._has_begun or self.cycle is None else ConnectionPhase.REQUEST
        return ConnectionPhase.NOTHING

    def look(self) -> None:
        """Close the connection on timeout, else check again later."""
        phase, now = self.phase, self.loop.time()
        # A wait is another one with every request, and whenever some of an answer was taken.
        seen = (phase, self.cycle, self.transport.get_write_buffer_size())
        if seen != self._seen:
            self._seen, self.since, self._received = seen, now, 0
        if now - self.since > self.timeouts.allowed(phase, self._received):
            self.end()
        if not self.transport.is_closing():
            self._looking = self.loop.call_later(LOOK, self.look)

    def end(self) -> None:
        """Close the connection, with a 408 response during a request (RFC 9110, 15.5.9)."""
        is_answered = getattr(self.cycle, "response_started", False)  # before the first request there is no cycle
        if (self.phase is ConnectionPhase.HEAD and self._has_begun) or (
            self.phase is ConnectionPhase.BODY and not is_answered
        ):
            self._say(b"408 Request Timeout")
        self._close()

    def _make_room(self) -> None:
        """Close the connection that has waited longest for its client, or this one if none waits."""
        waiting = [one for one in self.connections if isinstance(one, HttpConnection) and one.is_idle(self)]
        if waiting:
            min(waiting, key=lambda one: one.since).end()
        else:
            self._say(b"503 Service Unavailable\r\nRetry-After: 5")
            self._close()

    def is_idle(self, newcomer: HttpConnection) -> bool:
        """Return whether this connection may be closed to make room for `newcomer`."""
        return self is not newcomer and not self.transport.is_closing() and self.phase is not ConnectionPhase.NOTHING

    def _say(self, status: bytes) -> None:
        self.transport.write(b"HTTP/1.1 " + status + b"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")

    def _close(self) -> None:
        """Close the connection at once, without waiting for the client to read buffered data."""
        if self.transport.get_write_buffer_size():
            self.transport.abort()
        else:
            self.transport.close()


_ROUTES: Final[tuple[list[BaseRoute], ...]] = (
    list(accounts.ROUTES),
    list(sending.ROUTES),
    list(portal.ROUTES),
    list(reader.ROUTES),
    list(pictures.ROUTES),
    list(icons.ROUTES),
    list(pages.ROUTES),
    list(feeds.ROUTES),
    list(api.ROUTES),
    list(greader.ROUTES),
    list(agents.ROUTES),
    list(metrics.ROUTES),
)
#: The outermost first.
_WALLS: Final = (
    ProxyHeaders,
    RequestLog,
    metrics.MeasuredRequests,
    SecurityHeaders,
    ErrorPages,
    RequestLimits,
    CrossOrigin,
    VisitMiddleware,
    LoginRequired,
)


Lifespan = Callable[[Starlette], AbstractAsyncContextManager[None]]


def application(app: App | None = None, lifespan: Lifespan | None = None) -> Starlette:
    """Create the ASGI application for an `App`. A lifespan that creates the `App` itself calls `attach`."""
    handlers = dict.fromkeys((HTTPException, TidingsError, HttpProblem), _problem)
    asgi = Starlette(
        routes=[route for part in _ROUTES for route in part],
        middleware=[Middleware(wall) for wall in _WALLS],
        exception_handlers=handlers,
        lifespan=lifespan,
    )
    if app is not None:
        attach(asgi, app)
    return asgi


def attach(asgi: Starlette, app: App) -> None:
    """Set the `App` that an ASGI application uses for its responses."""
    asgi.state.tidings = app
    asgi.state.sessions = sessions(app)
    asgi.state.counting = asgi.state.sessions.counting


def _problem(request: Request, error: Exception) -> Response:
    return error_response(request, error)
