"""What every part of the portal shares: one `House` is made when the server starts, and handed to every request.

What several processes that serve one portal have in common (`Common`) is plain memory with one process, as usual; with
several (`tidings serve --workers`) it lies in the store, so that a visitor cannot tell how many there are.
"""

from __future__ import annotations

import secrets
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path
from threading import BoundedSemaphore
from typing import Final

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from tidings.fetch import Fetcher
from tidings.news.store import Store
from tidings.news.web.cache import MOST_BYTES, CacheAge, LocalAge, PageCache, StoreAge
from tidings.news.web.counters import Counters, MemoryCounters, RateLimits, StoreCounters
from tidings.news.web.reading_pool import ReadingPool, ReadingThreads
from tidings.news.web.settings import PortalSettings

#: Visitors whose turns are remembered, keys of failed attempts, and readings, so that none counts twice.
VISITORS: Final = 10_000
ATTEMPTS: Final = 20_000
READINGS: Final = 100_000


@dataclass(frozen=True, slots=True)
class SharedState:
    """What is counted and known once, whoever of the processes answers."""

    turns: Counters = field(default_factory=lambda: MemoryCounters(VISITORS))
    attempts: Counters = field(default_factory=lambda: MemoryCounters(ATTEMPTS))
    readings: Counters = field(default_factory=lambda: MemoryCounters(READINGS))
    age: CacheAge = field(default_factory=LocalAge)  # of what is shown: another one when somebody has changed something
    processes: int = 1  # that share this, and the memory of the machine
    measures: Path | None = None  # where each of them writes what it measures

    def tidy(self) -> None:
        """Forget what nobody asks for any more."""
        for counters in (self.turns, self.attempts, self.readings):
            counters.tidy()


def shared_in_store(store: Store, secret: bytes, processes: int, measures: Path | None = None) -> SharedState:
    """What several processes share through their store."""
    return SharedState(
        turns=StoreCounters(store, "turns", VISITORS, secret),
        attempts=StoreCounters(store, "attempts", ATTEMPTS, secret),
        readings=StoreCounters(store, "readings", READINGS, secret),
        age=StoreAge(store),
        processes=processes,
        measures=measures,
    )


_SECRET = "portal secret"  # noqa: S105  # the name of a setting, not a secret


#: Pages that are made at the same time. Python runs one thread at a time: where twenty take turns within each page,
#: all of them are late, and switching costs a third of the time.
_AT_ONCE: Final = 3


def _now() -> datetime:
    return datetime.now(UTC)


def nobody(session: str) -> str | None:  # noqa: ARG001  # in a portal without accounts
    """Nobody is known."""
    return None


def unnoted(token: str) -> None:
    """Nobody notes when tokens are used."""


@dataclass(slots=True)
class App:
    """Store, web, terms, and what is kept in memory."""

    store: Store
    fetcher: Fetcher  # pages, feeds: politely
    pictures: Fetcher  # pictures of a page that somebody looks at: at once, with the same guard
    settings: PortalSettings = field(default_factory=PortalSettings)
    now: Callable[[], datetime] = _now
    common: SharedState = field(default_factory=SharedState)  # with other processes that serve it
    shown: PageCache = field(init=False)
    seen_pictures: PageCache = field(init=False)
    turns: RateLimits = field(init=False)
    reading: ReadingPool = field(default_factory=ReadingThreads)  # of pages that strangers send
    recognise: Callable[[str], str | None] = nobody  # the person whom a session is of
    token_used: Callable[[str], None] = unnoted  # it is told the digest
    secret: bytes = b""
    making: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(_AT_ONCE))  # places to make pages at

    def __post_init__(self) -> None:
        room = MOST_BYTES // self.common.processes
        self.shown, self.seen_pictures = PageCache(most=room, age=self.common.age), PageCache(most=room)
        self.turns = RateLimits(counters=self.common.turns)
        if not self.secret:
            self.secret = secret_of(self.store)

    def sign(self, purpose: str, what: str) -> str:
        """A mark that only this portal can make."""
        made = blake2b(f"{purpose}\0{what}".encode("utf-8", "replace"), key=self.secret, digest_size=16)
        return made.hexdigest()

    def is_signed(self, purpose: str, what: str, mark: str) -> bool:
        """Whether a mark is ours; takes the same time whatever it is."""
        return compare_digest(self.sign(purpose, what).encode(), mark.encode("utf-8", "replace"))


def app_of(connection: HTTPConnection) -> App:
    """The state of the app that a request came to."""
    found: App = connection.app.state.tidings
    return found


def secret_of(store: Store) -> bytes:
    """The secret that marks are made with; all servers of one store have the same."""
    if not store.setting(_SECRET):
        store.set_setting(_SECRET, secrets.token_hex(32))
    return bytes.fromhex(store.setting(_SECRET))


class HttpMiddleware(ABC):
    """A wall around the application, for requests over HTTP alone."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on through the wall; what is none goes around it."""
        through = self.pass_on if scope["type"] == "http" else self._app
        await through(scope, receive, send)

    @abstractmethod
    async def pass_on(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or answer it."""
