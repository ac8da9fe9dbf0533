"""Requests and responses, and the `Fetcher` protocol that maps one to the other.

A fetcher turns a `Request` into an `Outcome`. Expected failures on the web are returned as values (a `FetchError` that
was never raised), so that one dead host does not end a run over thousands; only programming errors raise. `require`
raises, for callers that want a single page.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from typing import Final, Protocol, TypeAlias, runtime_checkable

from tidings.errors import BadStatus, FetchError
from tidings.fetch.deadline import Deadline

REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
#: Redirects after which the old URL need not be requested again (RFC 9110, 15.4.2 and 15.4.9).
PERMANENT: Final = frozenset((301, 308))


class Kind(StrEnum):
    """The kind of resource, which determines accepted types and the size limit."""

    PAGE = "page"
    FEED = "feed"
    SITEMAP = "sitemap"
    PICTURE = "picture"
    ROBOTS = "robots"


@dataclass(frozen=True, slots=True)
class Validators:
    """Validators of an earlier response, for conditional requests (RFC 9110, 8.8)."""

    etag: str | None = None
    last_modified: str | None = None

    def __bool__(self) -> bool:
        return bool(self.etag or self.last_modified)


@dataclass(frozen=True, slots=True)
class Request:
    """A request for a resource.

    Args:
        url: its URL; a user name and password in it become an Authorization header.
        kind: the expected kind of resource.
        validators: validators of an earlier response; the server may then answer 304 (not modified).
        headers: additional headers. They are not sent to other hosts, schemes or ports.
        seconds: for all of it: robots.txt, waiting for the host's turn, retries, redirects, the body, the browser. None
            means what the limits say, and that waiting for turns is not counted.
        deadline: the same once it runs, set by the first who takes the request on and heeded by all it is handed to.
        data: what is sent to the server, which is then asked by POST; nobody follows a redirect with it.
        robots: whether robots.txt is asked, where it is asked at all.
        proxy: an HTTP proxy for this alone.
    """

    url: str
    kind: Kind = Kind.PAGE
    validators: Validators = Validators()
    headers: tuple[tuple[str, str], ...] = field(default=(), repr=False)
    seconds: float | None = None
    deadline: Deadline | None = field(default=None, compare=False, repr=False)
    data: bytes | None = field(default=None, repr=False)
    robots: bool = True
    proxy: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Redirect:
    """A redirect on the way to a response."""

    url: str
    status: int
    location: str


@dataclass(frozen=True, slots=True)
class Response:
    """A response with its decompressed body.

    `truncated` means that the body is incomplete: it was cut at the limit, or the connection broke.
    """

    url: str  # the URL after all redirects
    status: int
    headers: tuple[tuple[str, str], ...] = ()  # names in lower case
    body: bytes = b""
    kind: Kind = Kind.PAGE
    truncated: bool = False
    redirects: tuple[Redirect, ...] = ()
    protocol: str = "HTTP/1.1"
    fetched_at: float = 0.0  # seconds since 1970
    elapsed: float = 0.0  # seconds, without waiting for turns

    def header(self, name: str) -> str | None:
        """Return the first header with a name."""
        lower_name = name.lower()
        return next((value for key, value in self.headers if key == lower_name), None)

    @property
    def content_type(self) -> str | None:
        """Return the Content-Type header, including charset."""
        return self.header("content-type")

    @property
    def ok(self) -> bool:
        """Return whether the request succeeded (2xx), or the resource is unchanged (304)."""
        return self.status < 300 or self.not_modified

    @property
    def not_modified(self) -> bool:
        """Return whether the caller's copy is current (304)."""
        return self.status == HTTPStatus.NOT_MODIFIED

    @property
    def is_gone(self) -> bool:
        """Return whether the resource is permanently gone (410). 404 and 429 do not mean that."""
        return self.status == HTTPStatus.GONE

    @property
    def validators(self) -> Validators:
        """Return validators to send with the next request for the same URL."""
        etag, modified = self.header("etag"), self.header("last-modified")
        return Validators(_sendable(etag), _sendable(modified))

    @property
    def moved_to(self) -> str | None:
        """Return the new URL if the resource has moved permanently."""
        moved = None
        for hop in self.redirects:
            if hop.status not in PERMANENT:
                break
            moved = hop.location
        return moved


Outcome: TypeAlias = Response | FetchError


@runtime_checkable
class Fetcher(Protocol):
    """The interface of all fetchers."""

    async def fetch(self, request: Request) -> Outcome:
        """Fetch a resource. Expected failures are returned, not raised."""
        ...


def require(outcome: Outcome) -> Response:
    """Return the response of an outcome, or raise its error.

    Raises:
        FetchError: there is no response.
        BadStatus: the server answered with an error status.
    """
    if isinstance(outcome, FetchError):
        raise outcome
    if outcome.ok:
        return outcome
    raise BadStatus(outcome.url, f"the server says {phrase(outcome.status)}; {_advice(outcome.status)}", outcome.status)


def phrase(status: int) -> str:
    """Return a status with its name, such as "404 Not Found"."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _advice(status: int) -> str:
    if status in (401, 407):
        return "it wants a user name and a password"
    if status in (403, 451):
        return "it does not permit reading this"
    if status in (404, 410):
        return "check the address"
    if status == 429 or status >= 500:
        return "try again later"
    return "there is nothing to read"


def _sendable(value: str | None) -> str | None:
    """Return a header value if it can be sent back unchanged."""
    return value if value and value.isascii() and value.isprintable() and len(value) <= 1024 else None


def as_value(error: FetchError) -> FetchError:
    """Remove the traceback frames of an error, which would keep bodies and connections in memory."""
    cause: BaseException | None = error
    while cause is not None:
        cause.__traceback__ = None
        cause = cause.__cause__ or cause.__context__
    return error
