"""What is asked for and what comes back: the words of the one I/O seam.

A fetcher turns a `Request` into an `Outcome`. What can be expected to fail on the web comes back as a value, a
`FetchError` that was never raised, so that one dead host does not end a run over thousands; only a mistake in a
program raises. A person who wants one page calls `require`, which raises.

How much and how long: caps on decompressed bytes by kind, and the deadline over everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from http import HTTPStatus
from types import MappingProxyType
from typing import Final, Protocol, TypeAlias, runtime_checkable

from tidings.errors import BadStatus, FetchError
from tidings.fetch.deadline import Deadline

REDIRECTS: Final = frozenset((301, 302, 303, 307, 308))
#: Those after which the old address need not be asked again (RFC 9110, 15.4.2 and 15.4.9).
PERMANENT: Final = frozenset((301, 308))


class Kind(StrEnum):
    """What is asked for; decides what is accepted and how large it may be."""

    PAGE = "page"
    FEED = "feed"
    SITEMAP = "sitemap"
    PICTURE = "picture"
    ROBOTS = "robots"


@dataclass(frozen=True, slots=True)
class Validators:
    """What a server gave us to ask later whether anything has changed (RFC 9110, 8.8)."""

    etag: str | None = None
    last_modified: str | None = None

    def __bool__(self) -> bool:
        return bool(self.etag or self.last_modified)


@dataclass(frozen=True, slots=True)
class Request:
    """One thing to get.

    Args:
        url: its address; a user name and password in it become an Authorization header.
        kind: what it is expected to be.
        validators: from an earlier answer; the server may then say 304, not modified.
        headers: more to send. To another host, scheme or port they are not sent on.
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
    """One hop on the way: who sent us on, how, and where to."""

    url: str
    status: int
    location: str


@dataclass(frozen=True, slots=True)
class Response:
    """An answer, its body decompressed.

    `truncated` says that the body is only the beginning: it was cut at the cap, or the connection broke.
    """

    url: str  # where it came from, after all redirects
    status: int
    headers: tuple[tuple[str, str], ...] = ()  # names in lower case
    body: bytes = b""
    kind: Kind = Kind.PAGE
    truncated: bool = False
    redirects: tuple[Redirect, ...] = ()
    protocol: str = "HTTP/1.1"
    fetched_at: float = 0.0  # seconds since 1970
    elapsed: float = 0.0  # seconds, without waiting for our turn

    def header(self, name: str) -> str | None:
        """Return the first header of a name."""
        wanted = name.lower()
        return next((value for key, value in self.headers if key == wanted), None)

    @property
    def content_type(self) -> str | None:
        """As the server says it, charset and all."""
        return self.header("content-type")

    @property
    def ok(self) -> bool:
        """Whether there is what was asked for, or nothing new (304)."""
        return self.status < 300 or self.not_modified

    @property
    def not_modified(self) -> bool:
        """Whether what the caller has is still the newest."""
        return self.status == HTTPStatus.NOT_MODIFIED

    @property
    def gone(self) -> bool:
        """Whether the server says that it will never come back. 404 does not say that, nor does 429."""
        return self.status == HTTPStatus.GONE

    @property
    def validators(self) -> Validators:
        """What to send along the next time."""
        etag, modified = self.header("etag"), self.header("last-modified")
        return Validators(_sendable(etag), _sendable(modified))

    @property
    def moved_to(self) -> str | None:
        """Where the asked address lives from now on, if the server said so for good."""
        moved = None
        for hop in self.redirects:
            if hop.status not in PERMANENT:
                break
            moved = hop.location
        return moved


Outcome: TypeAlias = Response | FetchError


@runtime_checkable
class Fetcher(Protocol):
    """The one seam: everything that Tidings reads from elsewhere comes through here."""

    async def fetch(self, request: Request) -> Outcome:
        """Get one thing. Expected failures are returned, not raised."""
        ...


def require(outcome: Outcome) -> Response:
    """Return the answer, for a person who wants it or a reason.

    Raises:
        FetchError: there is none.
        BadStatus: the server answered with an error.
    """
    if isinstance(outcome, FetchError):
        raise outcome
    if outcome.ok:
        return outcome
    raise BadStatus(outcome.url, f"the server says {phrase(outcome.status)}; {_advice(outcome.status)}", outcome.status)


def phrase(status: int) -> str:
    """Return a status with its name, as in "404 Not Found"."""
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _advice(status: int) -> str:
    if status in (401, 407):
        return "it wants a user name and a password"
    if status in (403, 451):
        return "it does not want us to read this"
    if status in (404, 410):
        return "check the address"
    if status == 429 or status >= 500:
        return "try again later"
    return "there is nothing to read"


def _sendable(value: str | None) -> str | None:
    """Return a header's value if it can be sent back as it came."""
    return value if value and value.isascii() and value.isprintable() and len(value) <= 1024 else None


def as_value(error: FetchError) -> FetchError:
    """Return an error without the frames it came through, which would keep bodies and connections alive."""
    seen: BaseException | None = error
    while seen is not None:
        seen.__traceback__ = None
        seen = seen.__cause__ or seen.__context__
    return error


class Over(StrEnum):
    """What happens to a body over its cap, or cut short by its server."""

    CUT = "cut"  # its beginning is kept and marked truncated
    REFUSE = "refuse"  # it is an error


@dataclass(frozen=True, slots=True)
class Cap:
    """The most decompressed bytes a body may have."""

    size: int
    over: Over


_MB: Final = 1024 * 1024
#: Half a page can be read; half a feed would lose items without anyone noticing; half a picture is none.
CAPS: Final[Mapping[Kind, Cap]] = MappingProxyType(
    {
        Kind.PAGE: Cap(16 * _MB, Over.CUT),
        Kind.FEED: Cap(32 * _MB, Over.REFUSE),
        Kind.SITEMAP: Cap(50 * _MB, Over.REFUSE),  # sitemaps.org: 50 MB uncompressed
        Kind.PICTURE: Cap(16 * _MB, Over.REFUSE),
        Kind.ROBOTS: Cap(500 * 1024, Over.CUT),  # RFC 9309, 2.5
    }
)
#: A page compresses five- to twentyfold; what reaches its cap after growing by more than this was made for it.
BOMB: Final = 200


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of one fetcher."""

    deadline: float = 60.0  # seconds for all of a request but waiting for turns: robots.txt, retries, redirects, body
    connect: float = 10.0  # seconds for one connection
    redirects: int = 10  # RFC 9110 names no number; browsers take 20, feed readers 5 to 10
    connections: int = 64  # at once, over all hosts
    caps: Mapping[Kind, Cap] = field(default_factory=lambda: CAPS)

    def cap(self, kind: Kind) -> Cap:
        """Return the cap of a kind."""
        return self.caps.get(kind) or CAPS[kind]
