"""Passwords: what is kept of them is what argon2 makes of them (RFC 9106), and telling right from wrong takes its time.

The same time for a name that nobody has as for a wrong password: who has an account here is nobody's business.
"""

from __future__ import annotations

import threading
import unicodedata
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from tidings.news.store.search_words import fold
from tidings.news.web.errors import HttpProblem

SHORTEST: Final = 10
#: Of characters. Longer ones are refused, not cut: argon2 would read them, but nobody types them.
LONGEST: Final = 500
#: A password of fewer different characters is the first that is guessed.
_DIFFERENT: Final = 5
#: Reckoning at once; each takes 64 MB.
AT_ONCE: Final = 2
#: Strangers who wait for it, each in one of the threads that pages are made in; further ones are told to come again.
_WAITING: Final = 4
_PATIENCE: Final = 20.0


class Weakness(Enum):
    """What is wrong with a password."""

    SHORT = "short"
    LONG = "long"
    PLAIN = "plain"


def weakness(password: str, name: str) -> Weakness | None:
    """Why a password cannot be taken; None: it can. By length, as NIST SP 800-63B has it, not by kinds of signs."""
    if len(password) < SHORTEST:
        return Weakness.SHORT
    if len(password) > LONGEST:
        return Weakness.LONG
    told = fold(password)
    without = told.replace(fold(name), "") if fold(name) else told
    return Weakness.PLAIN if len(set(told)) < _DIFFERENT or len(without) < _DIFFERENT else None


@dataclass
class Passwords:
    """Makes and checks what is kept of passwords. Safe for many threads."""

    seconds: int = 3  # RFC 9106, the second recommended choice: 3 passes over 64 MiB, 4 lanes
    kibibytes: int = 65_536
    lanes: int = 4
    at_once: int = AT_ONCE
    _turn: threading.BoundedSemaphore = field(init=False)
    _queue: threading.BoundedSemaphore = field(init=False)

    def __post_init__(self) -> None:
        self._turn = threading.BoundedSemaphore(self.at_once)
        self._queue = threading.BoundedSemaphore(self.at_once + _WAITING)

    def made(self, password: str) -> str:
        """What is kept of a password."""
        with self._reckoning():
            return self._hasher.hash(_bytes(password))

    def is_right(self, kept: str | None, password: str, *, known: bool = False) -> bool:
        """Whether a password is the one that this was made of. None, for nobody, takes the same time.

        Args:
            kept: what is kept of the password.
            password: what was typed.
            known: it was typed on a known device, which waits for its turn however many strangers do.

        Raises:
            Problem: 503, too many are reckoned with.
        """
        if len(password) > LONGEST:
            password = ""
        with self._reckoning(known=known):
            try:
                self._hasher.verify(kept if kept is not None else self._nobody, _bytes(password))
            except (VerificationError, InvalidHashError):
                return False
        return kept is not None

    def is_outdated(self, kept: str) -> bool:
        """Whether it was made with other parameters than these."""
        return self._hasher.check_needs_rehash(kept)

    @cached_property
    def _hasher(self) -> PasswordHasher:
        return PasswordHasher(self.seconds, self.kibibytes, self.lanes)

    @cached_property
    def _nobody(self) -> str:
        """What no password is the right one for, as hard to reckon as any."""
        return self._hasher.hash(b"nobody's password")

    @contextmanager
    def _reckoning(self, *, known: bool = False) -> Iterator[None]:
        with ExitStack() as held:
            if not known:
                _take(self._queue, 0, held)
            _take(self._turn, _PATIENCE, held)
            yield


def _take(places: threading.BoundedSemaphore, patience: float, held: ExitStack) -> None:
    """Take one of some places; 0 is at once or never.

    Raises:
        Problem: none became free.
    """
    if not (places.acquire(timeout=patience) if patience else places.acquire(blocking=False)):
        raise HttpProblem(503, "busy", headers={"Retry-After": "5"})
    held.callback(places.release)


def _bytes(password: str) -> bytes:
    """A password as it is reckoned with: however a keyboard makes its letters."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
