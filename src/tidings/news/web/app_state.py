"""What every part of the portal shares: one `House` is made when the server starts, and handed to every request.

What several processes that serve one portal have in common (`Common`) is plain memory with one process, as usual; with
several (`tidings serve --workers`) it lies in the store, so that a visitor cannot tell how many there are.

Settings of the portal: what whoever runs it has decided.

What was made a moment ago is given again: a front page costs one reader in a few seconds, not every one.

One of those who come when it has grown old makes it anew; the others get the old one meanwhile, so that nobody waits in
a queue (what RFC 5861 calls stale-while-revalidate, inside the server). Where there is no old one, as after a change,
the others wait for the first: twenty who make the same page at once all wait twenty times as long.
"""

from __future__ import annotations

import secrets
import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar

from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Receive, Scope, Send

from tidings.errors import StoreError
from tidings.fetch import Fetcher
from tidings.news.store import Store
from tidings.news.web.counters import Counters, MemoryCounters, RateLimits, StoreCounters
from tidings.news.web.proxies import TrustedProxies
from tidings.news.web.reading_pool import ReadingPool, ReadingThreads
from tidings.urls import URL

#: Names of this machine that a browser may call it by.
LOOPBACK: Final = ("localhost", "127.0.0.1", "[::1]")


class ReadAccess(StrEnum):
    """Who may read."""

    OPEN = "open"
    CLOSED = "closed"  # those who are signed in, or hold a token


@dataclass(frozen=True, slots=True)
class OpenIdProvider:
    """Who else may say who somebody is."""

    issuer: str
    client: str
    secret: str = field(default="", repr=False)
    name: str = ""  # as people know it


@dataclass(frozen=True, slots=True)
class PortalSettings:
    """What is offered, and to whom."""

    name: str = "Tidings"
    accounts: bool = False  # persons sign in; else there is one nameless reader, whoever sits at this machine
    sign_up: bool = False  # anybody may open an account; else only the first one
    reading: ReadAccess = ReadAccess.OPEN
    address: str = ""  # where the world finds it, as https://news.example; else as each request says
    hosts: tuple[str, ...] = LOOPBACK  # names it answers to: another site's name that leads here is refused
    origins: tuple[str, ...] = ()  # other sites whose pages may read the API, as https://tools.example
    proxies: TrustedProxies = field(default_factory=TrustedProxies)  # that may tell who a visitor is
    user_header: str = ""  # in which a named proxy says who somebody is; empty: none
    openid: OpenIdProvider | None = None
    sends: tuple[str, ...] = ("webhook",)  # how news may be sent: by letter and into files where that was set up
    language: str = ""  # of those whose browser asks for none that there is
    forms_bytes: int = 1_000_000  # of a form; HOSTILE 26
    upload_bytes: int = 5_000_000  # of an OPML file or a page
    minute_fetches: int = 30  # pages that one visitor may have fetched in a minute
    minute_reads: int = 600  # requests of one visitor in a minute

    @property
    def is_secure(self) -> bool:
        """Whether it is reached by https, so that cookies are sent by nothing else."""
        return self.address.lower().startswith("https://")

    def answers_to(self, host: str) -> bool:
        """Whether a Host header names this portal. `*` answers to every name."""
        name = host.rsplit(":", 1)[0] if host.rsplit(":", 1)[-1].isdigit() else host
        own = URL.try_parse(self.address)
        names = {host.lower() for host in self.hosts} | ({own.host, f"[{own.host}]"} if own else set())
        return "*" in self.hosts or name.lower() in names


T = TypeVar("T")

_AGE: Final = "age of what is shown"  # the name of a setting

#: Bytes kept in all.
MOST_BYTES: Final = 64_000_000
#: So many times longer than it is fresh a thing may be given while somebody makes it anew.
_STALE: Final = 12
#: Seconds that somebody waits for what another one makes, before making it too.
_PATIENCE: Final = 10.0
#: What a thing that is no string of bytes is taken to weigh.
_WEIGHT: Final = 1000


class CacheAge(Protocol):
    """A mark that is another one when everything that is kept has to be made anew."""

    def now(self) -> Hashable:
        """The mark."""
        ...

    def advance(self) -> None:
        """Make it another one."""
        ...


@dataclass(slots=True)
class LocalAge:
    """The age of what one process keeps."""

    number: int = 0

    def now(self) -> int:
        """The mark."""
        return self.number

    def advance(self) -> None:
        """Make it another one."""
        self.number += 1


@dataclass(slots=True)
class StoreAge:
    """The age of what all processes and machines that serve one store keep."""

    store: Store
    _last: str = ""

    def now(self) -> str:
        """The mark; the last one, while the store does not answer."""
        with suppress(StoreError):
            self._last = self.store.setting(_AGE)
        return self._last

    def advance(self) -> None:
        """Make it another one."""
        self.store.set_setting(_AGE, secrets.token_hex(8))


@dataclass(slots=True)
class _CacheEntry:
    thing: Any
    made: float
    being_made: bool = False


@dataclass(slots=True)
class PageCache:
    """Things by key, for some seconds. Safe for many threads."""

    clock: Callable[[], float] = time.monotonic
    most: int = MOST_BYTES
    age: CacheAge = field(default_factory=LocalAge)
    _kept: OrderedDict[Hashable, _CacheEntry] = field(default_factory=OrderedDict)
    _size: int = 0
    _known: Hashable = 0  # the age that what is kept is of
    _coming: dict[Hashable, threading.Event] = field(default_factory=dict)  # what is made for the first time
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _own: threading.local = field(default_factory=threading.local)  # of a thread: the age of the page it makes

    def get(self, key: Hashable, make: Callable[[], T], seconds: float) -> T:
        """What is kept under a key, or what `make` makes."""
        found: T
        age = self._now()
        with self._lock:
            key = (self._of(age), key)
            kept = self._kept.get(key)
            if kept is not None:
                self._kept.move_to_end(key)
                old = self.clock() - kept.made
                if old < seconds or (kept.being_made and old < seconds * _STALE):
                    found = kept.thing
                    return found
                kept.being_made = True
            coming = self._coming.get(key) if kept is None else None
            if kept is None and coming is None:
                self._coming[key] = threading.Event()
        if coming is not None and coming.wait(_PATIENCE) and (kept := self._kept.get(key)) is not None:
            found = kept.thing
            return found
        within = getattr(self._own, "age", None)
        self._own.age = (age,)
        try:
            thing = make()
            self._put(key, thing)
        except BaseException:
            with self._lock:
                if (kept := self._kept.get(key)) is not None:
                    kept.being_made = False
            raise
        finally:
            self._own.age = within
            if coming is None and (made := self._coming.pop(key, None)) is not None:
                made.set()
        return thing

    def peek(self, key: Hashable, seconds: float) -> Any:
        """What is kept under a key and not older than that, or None."""
        age = self.age.now()
        with self._lock:
            kept = self._kept.get((self._of(age), key))
            return kept.thing if kept is not None and self.clock() - kept.made < seconds else None

    def put(self, key: Hashable, thing: object) -> None:
        """Keep a thing that was made elsewhere."""
        self._put((self.age.now(), key), thing)

    def _now(self) -> Hashable:
        """The mark; what is needed for a page is of the age that the page was begun at, and nobody asks again."""
        within: tuple[Hashable] | None = getattr(self._own, "age", None)
        return self.age.now() if within is None else within[0]

    def forget(self) -> None:
        """Forget everything: somebody changed something and is to see it at once."""
        self.age.advance()  # what is being made meanwhile is kept under an age that nobody asks for
        age = self.age.now()
        if getattr(self._own, "age", None) is not None:
            self._own.age = (age,)
        with self._lock:
            self._of(age)

    def _of(self, age: Hashable) -> Hashable:
        """The age; what is kept of another one is let go."""
        if age != self._known:
            self._known = age
            self._kept.clear()
            self._size = 0
        return age

    def _put(self, key: Hashable, thing: object) -> None:
        with self._lock:
            old = self._kept.pop(key, None)
            self._size += weight(thing) - (0 if old is None else weight(old.thing))
            self._kept[key] = _CacheEntry(thing, self.clock())
            while self._size > self.most and self._kept:
                _, gone = self._kept.popitem(last=False)
                self._size -= weight(gone.thing)


def weight(thing: object) -> int:
    """How much room a thing takes; one that is no string of bytes may tell by its `weight`."""
    return len(thing) if isinstance(thing, bytes) else int(getattr(thing, "weight", _WEIGHT))


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


class MakingPlaces:
    """Places to make pages at; whoever came first gets the next one, and nobody in between (a semaphore of Python's is
    taken by whoever comes at the right moment, and who has waited longest may wait again).
    """

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
            turn.acquire()  # whoever leaves lets it go
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
    """Nobody is known."""
    return None


def nobody_named(name: str, session: str, device: str) -> tuple[str, str] | None:  # noqa: ARG001  # as above
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
    recognise_named: Callable[[str, str, str], tuple[str, str] | None] = nobody_named
    token_used: Callable[[str], None] = unnoted  # it is told the digest
    secret: bytes = b""
    making: MakingPlaces = field(default_factory=lambda: MakingPlaces(_AT_ONCE))

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
