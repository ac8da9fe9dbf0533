"""The house: what every room of it shares. One is made when the server starts, and handed to every request."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from hashlib import blake2b
from hmac import compare_digest
from threading import BoundedSemaphore
from typing import Final

from starlette.requests import HTTPConnection

from tidings.fetch import Fetcher
from tidings.news.store import Store
from tidings.news.web.common import Common
from tidings.news.web.keeping import MOST_BYTES, Keeping
from tidings.news.web.reading_pool import ReadingPool, ReadingThreads
from tidings.news.web.terms import Terms
from tidings.news.web.turns import Turns

_SECRET = "portal secret"  # noqa: S105  # the name of a setting, not a secret


#: Pages that are made at the same time. Python runs one thread at a time: where twenty take turns within each page,
#: all of them are late, and switching costs a third of the time.
_AT_ONCE: Final = 3


def _now() -> datetime:
    return datetime.now(UTC)


def nobody(session: str) -> str | None:  # noqa: ARG001  # in a house without accounts
    """Nobody is known."""
    return None


def unnoted(token: str) -> None:
    """Nobody notes when tokens are used."""


@dataclass(slots=True)
class House:
    """Store, web, terms, and what is kept in memory."""

    store: Store
    fetcher: Fetcher  # pages, feeds: politely
    pictures: Fetcher  # pictures of a page that somebody looks at: at once, with the same guard
    terms: Terms = field(default_factory=Terms)
    now: Callable[[], datetime] = _now
    common: Common = field(default_factory=Common)  # with other processes that serve it
    shown: Keeping = field(init=False)
    seen_pictures: Keeping = field(init=False)
    turns: Turns = field(init=False)
    reading: ReadingPool = field(default_factory=ReadingThreads)  # of pages that strangers send
    recognise: Callable[[str], str | None] = nobody  # the person whom a session is of
    token_used: Callable[[str], None] = unnoted  # it is told the digest
    secret: bytes = b""
    making: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(_AT_ONCE))  # places to make pages at

    def __post_init__(self) -> None:
        room = MOST_BYTES // self.common.processes
        self.shown, self.seen_pictures = Keeping(most=room, age=self.common.age), Keeping(most=room)
        self.turns = Turns(counters=self.common.turns)
        if not self.secret:
            self.secret = secret_of(self.store)

    def sign(self, purpose: str, what: str) -> str:
        """A mark that only this house can make."""
        made = blake2b(f"{purpose}\0{what}".encode("utf-8", "replace"), key=self.secret, digest_size=16)
        return made.hexdigest()

    def is_signed(self, purpose: str, what: str, mark: str) -> bool:
        """Whether a mark is ours; takes the same time whatever it is."""
        return compare_digest(self.sign(purpose, what).encode(), mark.encode("utf-8", "replace"))


def house_of(connection: HTTPConnection) -> House:
    """The house that a request came to."""
    found: House = connection.app.state.house
    return found


def secret_of(store: Store) -> bytes:
    """The secret that marks are made with; all servers of one store have the same."""
    if not store.setting(_SECRET):
        store.set_setting(_SECRET, secrets.token_hex(32))
    return bytes.fromhex(store.setting(_SECRET))
