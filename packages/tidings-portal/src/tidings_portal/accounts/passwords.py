"""Password hashing with argon2 (RFC 9106), and the check for weak passwords.

Verification takes the same time for an unknown user as for a wrong password, so that it does not reveal who has an
account.
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

from tidings_portal.store.search_words import fold
from tidings_portal.web.errors import HttpProblem

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
    """The reason why a password is too weak."""

    SHORT = "short"
    LONG = "long"
    PLAIN = "plain"


def weakness(password: str, name: str) -> Weakness | None:
    """Return why a password is too weak, or None. Length counts, not kinds of characters (NIST SP 800-63B)."""
    if len(password) < SHORTEST:
        return Weakness.SHORT
    if len(password) > LONGEST:
        return Weakness.LONG
    told = fold(password)
    without = told.replace(fold(name), "") if fold(name) else told
    return Weakness.PLAIN if len(set(told)) < _DIFFERENT or len(without) < _DIFFERENT else None


@dataclass
class Passwords:
    """A thread-safe password hasher that limits the number of concurrent hashes."""

    seconds: int = 3  # RFC 9106, the second recommended choice: 3 passes over 64 MiB, 4 lanes
    kibibytes: int = 65_536
    lanes: int = 4
    at_once: int = AT_ONCE
    _turn: threading.BoundedSemaphore = field(init=False)
    _queue: threading.BoundedSemaphore = field(init=False)

    def __post_init__(self) -> None:
        self._turn = threading.BoundedSemaphore(self.at_once)
        self._queue = threading.BoundedSemaphore(self.at_once + _WAITING)

    def hash(self, password: str) -> str:
        """Return the hash of a password."""
        with self._hashing_slot():
            return self._hasher.hash(_bytes(password))

    def is_right(self, stored: str | None, password: str, *, is_known_device: bool = False) -> bool:
        """Return whether a password matches a stored hash. None, for an unknown user, takes the same time.

        Args:
            stored: the stored hash.
            password: the password to check.
            is_known_device: the device signed in before, so it may wait for a slot however long the queue is.

        Raises:
            HttpProblem: 503 if too many passwords are being checked.
        """
        if len(password) > LONGEST:
            password = ""
        with self._hashing_slot(is_known_device=is_known_device):
            try:
                self._hasher.verify(stored if stored is not None else self._nobody, _bytes(password))
            except (VerificationError, InvalidHashError):
                return False
        return stored is not None

    def is_outdated(self, stored: str) -> bool:
        """Return whether a hash has outdated parameters."""
        return self._hasher.check_needs_rehash(stored)

    @cached_property
    def _hasher(self) -> PasswordHasher:
        return PasswordHasher(self.seconds, self.kibibytes, self.lanes)

    @cached_property
    def _nobody(self) -> str:
        return self._hasher.hash(b"nobody's password")

    @contextmanager
    def _hashing_slot(self, *, is_known_device: bool = False) -> Iterator[None]:
        with ExitStack() as stack:
            if not is_known_device:
                _take(self._queue, 0, stack)
            _take(self._turn, _PATIENCE, stack)
            yield


def _take(slots: threading.BoundedSemaphore, patience: float, stack: ExitStack) -> None:
    """Acquire a semaphore until an exit stack closes, within `patience` seconds (0: without waiting).

    Raises:
        HttpProblem: 503 on timeout.
    """
    if not (slots.acquire(timeout=patience) if patience else slots.acquire(blocking=False)):
        raise HttpProblem(503, "busy", headers={"Retry-After": "5"})
    stack.callback(slots.release)


def _bytes(password: str) -> bytes:
    """Return the UTF-8 bytes of a password after Unicode normalisation, so that they do not depend on the keyboard."""
    return unicodedata.normalize("NFKC", password).encode("utf-8", "surrogatepass")
