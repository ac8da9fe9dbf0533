"""Records of users, logins, tokens and subscriptions. Frozen; times are aware and in UTC.

A user's data has the key `Person.key`; `LOCAL` is the key of a store without accounts. Passwords and tokens are stored
as digests.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from tidings_portal.store.records_of_work import Source

#: The user key of a store without accounts.
LOCAL: Final = "local"


class Scope(StrEnum):
    """The permission of a token."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class NewPerson:
    """A new user."""

    name: str
    password: str = field(repr=False)  # the argon2 hash, with parameters and salt
    language: str = ""  # of the interface; empty: the browser's
    theme: str = ""  # "light" or "dark"; empty: as the system is set
    admin: bool = False  # the first user always is


@dataclass(frozen=True, slots=True)
class Person:
    """A user account."""

    id: int
    settings: NewPerson
    created: datetime

    @property
    def name(self) -> str:
        """Return the user name."""
        return self.settings.name

    @property
    def key(self) -> str:
        """Return the key of the user's data. Numbers are never reused, so it is unique."""
        return f"person {self.id}"


@dataclass(frozen=True, slots=True)
class NewLogin:
    """A new login of a browser."""

    digest: str = field(repr=False)
    expires: datetime
    device: str = ""  # its user agent, shown to its owner


@dataclass(frozen=True, slots=True)
class Login:
    """A stored login."""

    id: int
    settings: NewLogin
    created: datetime
    used: datetime


@dataclass(frozen=True, slots=True)
class NewToken:
    """A new access token for the API."""

    digest: str = field(repr=False)
    beginning: str  # the first letters, shown to its owner
    name: str = ""
    scopes: frozenset[Scope] = frozenset({Scope.READ})
    expires: datetime | None = None


@dataclass(frozen=True, slots=True)
class AccessToken:
    """A stored access token."""

    id: int
    person: str  # the key of its owner
    settings: NewToken
    created: datetime
    used: datetime | None = None
    revoked: datetime | None = None

    def good(self, at: datetime) -> bool:
        """Return whether the token is valid at a time."""
        return self.revoked is None and (self.settings.expires is None or at < self.settings.expires)


@dataclass(frozen=True, slots=True)
class Subscription:
    """A user's subscription to a source, with their own title and folder."""

    source: Source
    folder: str
    title: str  # empty: the title of the source
    since: datetime
    unread: int = 0  # counted up to a maximum

    @property
    def name(self) -> str:
        """Return the display name."""
        return self.title or self.source.name


@dataclass(frozen=True, slots=True)
class Columnist:
    """An author, as bylines name them."""

    name: str
    articles: int
    latest: datetime | None  # of the latest article; None if there is none
    followers: int = 0
    site: str = ""  # the host of the latest article
