"""What the store holds of people: who they are, how they come in, and what each of them keeps.

Frozen, in and out; times are aware and in UTC. What belongs to somebody is kept under `Person.key`; `LOCAL` is the one
reader of a store without accounts. Passwords and tokens come here as digests: what they are digests of is never seen.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from tidings.news.store.records_of_work import Source

#: Who reads where nobody signs in.
LOCAL: Final = "local"


class Scope(StrEnum):
    """What a token is good for."""

    READ = "read"
    WRITE = "write"


@dataclass(frozen=True, slots=True)
class NewPerson:
    """Somebody as they sign up."""

    name: str
    password: str = field(repr=False)  # argon2's own line, with parameters and salt
    language: str = ""  # of the interface; empty: as the browser asks
    theme: str = ""  # "light" or "dark"; empty: as the system is set
    admin: bool = False  # the first person is one anyway


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody with an account."""

    id: int
    told: NewPerson
    created: datetime

    @property
    def name(self) -> str:
        """What to call them."""
        return self.told.name

    @property
    def key(self) -> str:
        """What they keep is kept under this. Never another person's: numbers are not given out twice."""
        return f"person {self.id}"


@dataclass(frozen=True, slots=True)
class NewLogin:
    """A browser that somebody has signed in with."""

    digest: str = field(repr=False)
    expires: datetime
    device: str = ""  # as it calls itself, for its owner to know it by


@dataclass(frozen=True, slots=True)
class Login:
    """The same, as the store has it."""

    id: int
    told: NewLogin
    created: datetime
    used: datetime


@dataclass(frozen=True, slots=True)
class NewToken:
    """A token for the API."""

    digest: str = field(repr=False)
    beginning: str  # the first letters, for its owner to know it by
    name: str = ""
    scopes: frozenset[Scope] = frozenset({Scope.READ})
    expires: datetime | None = None


@dataclass(frozen=True, slots=True)
class AccessToken:
    """The same, as the store has it."""

    id: int
    person: str  # whose it is: a key
    told: NewToken
    created: datetime
    used: datetime | None = None
    revoked: datetime | None = None

    def good(self, at: datetime) -> bool:
        """Whether it still opens anything."""
        return self.revoked is None and (self.told.expires is None or at < self.told.expires)


@dataclass(frozen=True, slots=True)
class Subscription:
    """A source that somebody has made their own: under their own title, in their own folder."""

    source: Source
    folder: str
    title: str  # empty: as the source is called
    since: datetime
    unread: int = 0  # counted up to some number

    @property
    def name(self) -> str:
        """What its reader calls it."""
        return self.title or self.source.name


@dataclass(frozen=True, slots=True)
class Columnist:
    """Somebody who writes, as their articles tell."""

    name: str
    articles: int
    latest: datetime | None  # of the latest; None where none is left
    followers: int = 0
    site: str = ""  # the host of the latest
