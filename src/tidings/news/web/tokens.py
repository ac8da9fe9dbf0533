"""Access tokens as they are given out: 256 random bits, of which the store keeps a digest only (HOSTILE 25).

A plain digest is enough for what nobody could guess; argon2 is for passwords, which people choose.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import datetime
from hashlib import sha256
from typing import Final

from tidings.news.store.records_of_people import NewToken, Scope

#: So that scanners of code know what they have found.
PREFIX: Final = "tidings_"
_BYTES: Final = 32
#: Of the token itself, for its owner to know it by.
_SHOWN: Final = len(PREFIX) + 4
LONGEST: Final = 200


@dataclass(frozen=True, slots=True)
class Made:
    """A token that was just made, and what the store is told of it. The secret is shown once."""

    secret: str = field(repr=False)
    told: NewToken


def make(name: str = "", scopes: frozenset[Scope] = frozenset({Scope.READ}), expires: datetime | None = None) -> Made:
    """A new token."""
    secret = PREFIX + secrets.token_urlsafe(_BYTES)
    return Made(secret, NewToken(digest_of(secret), secret[:_SHOWN], name, scopes, expires))


def digest_of(secret: str) -> str:
    """What the store knows a token by."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()
