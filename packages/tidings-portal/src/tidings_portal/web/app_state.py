"""Shared state of the portal: the `App` that every request can reach, and the base class of its middleware.

State that several server processes share (`tidings serve --workers`) is in the store; a single process keeps it in
memory.
"""

from __future__ import annotations

import secrets
import threading
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from tidings.fetch import Fetcher
from tidings_portal.store import Store
from tidings_portal.web.counters import Counters, MemoryCounters, RateLimits, StoreCounters
from tidings_portal.web.page_cache import MOST_BYTES, CacheGeneration, LocalGeneration, PageCache, StoreGeneration
from tidings_portal.web.reading_pool import ReadingPool, ReadingThreads
from tidings_portal.web.settings import PortalSettings

#: Entries per counter: clients of the rate limit, failed logins, and articles read (so that a reading counts once).
VISITORS: Final = 10_000
ATTEMPTS: Final = 20_000
READINGS: Final = 100_000


@dataclass(frozen=True, slots=True)
class SharedState:
    """Counters and settings that all server processes of a portal share."""

    turns: Counters = field(default_factory=lambda: MemoryCounters(VISITORS))
    attempts: Counters = field(default_factory=lambda: MemoryCounters(ATTEMPTS))
    readings: Counters = field(default_factory=lambda: MemoryCounters(READINGS))
    generation: CacheGeneration = field(default_factory=LocalGeneration)
    processes: int = 1  # they also share the memory of the machine
    measures: Path | None = None  # the folder where each process writes its metrics

    def tidy(self) -> None:
        """Delete expired counters."""
        for counters in (self.turns, self.attempts, self.readings):
            counters.tidy()


def shared_in_store(store: Store, secret: bytes, processes: int, measures: Path | None = None) -> SharedState:
    """Return shared state that is kept in the store."""
    return SharedState(
        turns=StoreCounters(store, "turns", VISITORS, secret),
        attempts=StoreCounters(store, "attempts", ATTEMPTS, secret),
        readings=StoreCounters(store, "readings", READINGS, secret),
        generation=StoreGeneration(store),
        processes=processes,
        measures=measures,
    )


_SECRET = "portal secret"  # noqa: S105  # the name of a setting, not a secret


#: Pages rendered at the same time. With the interpreter lock, twenty threads that take turns are all late, and
#: switching between them costs a third of the time.
_CONCURRENT_RENDERS: Final = 3


class RenderSlots:
    """A first-in, first-out semaphore that limits concurrent page rendering. `threading.Semaphore` is not fair."""

    def __init__(self, number: int) -> None:
        self._free = number
        self._waiting: deque[threading.Lock] = deque()
        self._lock = threading.Lock()

    def __enter__(self) -> None:
        with self._lock:
            if self._free:
                self._free -= 1
                return
            turn = threading.Lock()
            turn.acquire()  # released by the thread that leaves
            self._waiting.append(turn)
        turn.acquire()

    def __exit__(self, *raised: object) -> None:
        with self._lock:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._free += 1


def _now() -> datetime:
    return datetime.now(UTC)


def nobody(session: str) -> str | None:  # noqa: ARG001  # in a portal without accounts
    """Return None: no session secret is valid in a portal without accounts."""
    return None


def nobody_named(name: str, session: str, device: str) -> tuple[str, str] | None:  # noqa: ARG001  # as above
    """Return None: no user name is accepted in a portal without accounts."""
    return None


def unnoted(token: str) -> None:
    """Do nothing about the use of a token, in a portal without accounts."""


@dataclass(slots=True)
class App:
    """The state of the application, created when the server starts."""

    store: Store
    fetcher: Fetcher  # of pages and feeds, with rate limits per host
    pictures: Fetcher  # of pictures on a page in view: no rate limits, the same guard against internal addresses
    settings: PortalSettings = field(default_factory=PortalSettings)
    now: Callable[[], datetime] = _now
    common: SharedState = field(default_factory=SharedState)  # with the other server processes
    cache: PageCache = field(init=False)
    picture_cache: PageCache = field(init=False)
    turns: RateLimits = field(init=False)
    reading: ReadingPool = field(default_factory=ReadingThreads)  # extracts pages that visitors send
    recognise: Callable[[str], str | None] = nobody  # returns the user of a session
    recognise_named: Callable[[str, str, str], tuple[str, str] | None] = nobody_named
    token_used: Callable[[str], None] = unnoted  # called with the digest of an API token
    secret: bytes = b""
    render_slots: RenderSlots = field(default_factory=lambda: RenderSlots(_CONCURRENT_RENDERS))

    def __post_init__(self) -> None:
        cache_size = MOST_BYTES // self.common.processes
        self.cache = PageCache(most=cache_size, generation=self.common.generation)
        self.picture_cache = PageCache(most=cache_size)
        self.turns = RateLimits(counters=self.common.turns)
        if not self.secret:
            self.secret = secret_of(self.store)

    def sign(self, purpose: str, value: str) -> str:
        """Return a signature (keyed BLAKE2b) of a value for a purpose."""
        digest = blake2b(f"{purpose}\0{value}".encode("utf-8", "replace"), key=self.secret, digest_size=16)
        return digest.hexdigest()

    def is_signed(self, purpose: str, value: str, signature: str) -> bool:
        """Return whether a signature is valid. Compares in constant time."""
        return compare_digest(self.sign(purpose, value).encode(), signature.encode("utf-8", "replace"))


def app_of(connection: HTTPConnection) -> App:
    """Return the state of the application that handles a request."""
    app: App = connection.app.state.tidings
    return app


def secret_of(store: Store) -> bytes:
    """Return the signing secret, which all servers of a store share; create it if there is none."""
    if not store.setting(_SECRET):
        store.set_setting(_SECRET, secrets.token_hex(32))
    return bytes.fromhex(store.setting(_SECRET))


class HttpMiddleware(ABC):
    """Base class of ASGI middleware for HTTP requests. Other connections bypass it."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request, or hand any other connection to the application."""
        handler = self.pass_on if scope["type"] == "http" else self._app
        await handler(scope, receive, send)

    @abstractmethod
    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or respond to it."""
