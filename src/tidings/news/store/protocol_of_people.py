"""What a store can do for people: accounts, tokens, and what each of them reads, keeps and follows.

A `person` is the key of one (`Person.key`), or `LOCAL` where nobody signs in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Protocol

from tidings.news.store.records_of_articles import Count, Headline, Listed
from tidings.news.store.records_of_people import (
    Columnist,
    Login,
    NewLogin,
    NewPerson,
    NewToken,
    Person,
    Subscription,
    Token,
)


class Persons(Protocol):
    """People with accounts."""

    def add_person(self, told: NewPerson, at: datetime, *, only_first: bool = False) -> Person | None:
        """Add somebody; the first one is an administrator, and has what `LOCAL` kept.

        None: the name is taken, or there is somebody already.
        """

    def person(self, number: int) -> Person | None:
        """Somebody by their number."""

    def person_named(self, name: str) -> Person | None:
        """Somebody by their name; case and accents do not matter."""

    def persons(self) -> list[Person]:
        """Everybody, in the order they came."""

    def change_person(self, number: int, *, language: str, theme: str) -> bool:
        """What somebody has chosen. False: there is no such person."""

    def set_admin(self, number: int, admin: bool) -> bool:
        """Make somebody an administrator, or an administrator no more. False: there is no such person."""

    def change_password(self, number: int, password: str, *, staying: str = "") -> bool:
        """A new password: whoever is signed in is signed out, but for one login, by its digest."""

    def rehash_password(self, number: int, old: str, new: str) -> bool:
        """The same password with other parameters. False: it has been changed meanwhile."""

    def remove_person(self, number: int) -> bool:
        """Remove somebody with everything they kept. False: there is no such person."""


class Logins(Protocol):
    """The browsers that people have signed in with."""

    def begin_login(self, person: int, told: NewLogin, at: datetime) -> Login | None:
        """Somebody signs in. None: there is no such person."""

    def login(self, digest: str, at: datetime) -> tuple[Login, Person] | None:
        """Who has signed in with this; None where nobody has, or it is over."""

    def logins(self, person: int, at: datetime) -> list[Login]:
        """Where somebody is signed in, the one used last first."""

    def logins_used(self, used: Mapping[str, datetime]) -> None:
        """When logins were last used, by their digests."""

    def end_login(self, digest: str) -> bool:
        """Somebody signs out. False: they were not signed in."""

    def end_logins(self, person: int, numbers: Iterable[int]) -> int:
        """Somebody signs out somewhere else; how many logins there were. Those of others are left alone."""


class Tokens(Protocol):
    """What programs show to the API."""

    def add_token(self, told: NewToken, person: str, at: datetime) -> Token | None:
        """Make a token. None: somebody has too many already; those that are over make room."""

    def token(self, digest: str, at: datetime) -> Token | None:
        """The token that this is the digest of; None where there is none that is still good."""

    def tokens(self, person: str) -> list[Token]:
        """Somebody's tokens, the latest first; also those that are over."""

    def revoke_token(self, number: int, person: str, at: datetime) -> bool:
        """A token opens nothing any more. False: somebody has no such token, or not any more."""

    def tokens_used(self, used: Mapping[str, datetime]) -> None:
        """When tokens were last used, by their digests."""


class Unread(Protocol):
    """What somebody has read."""

    def unread(
        self, person: str, sources: Sequence[int] | None = None, *, limit: int = 20, after: str | None = None
    ) -> Listed[Headline]:
        """What somebody has not read yet, of all there is or of some sources, the latest first."""

    def count_unread(self, person: str, sources: Sequence[int] | None = None, *, most: int = 1000) -> Count:
        """How many that are; counting stops at some number, so that it is quick."""

    def unread_among(self, person: str, articles: Sequence[int]) -> set[int]:
        """Those of some articles that somebody has not read yet."""

    def latest_number(self) -> int:
        """The number of the article that came last: what somebody could know of now. 0 where there is none."""

    def mark_read(self, person: str, articles: Sequence[int], *, read: bool = True) -> int:
        """Somebody has read articles, or wants to read them again; how many of them there are."""

    def mark_all_read(self, person: str, sources: Sequence[int] | None = None, *, up_to: int | None = None) -> None:
        """Somebody has read everything, or everything of some sources."""


class Subscriptions(Protocol):
    """A person's own sources."""

    def subscribe(self, source: int, person: str, at: datetime, *, folder: str = "", title: str = "") -> bool:
        """A source becomes somebody's own, or changes folder and title. False: no such source, or too many."""

    def unsubscribe(self, source: int, person: str) -> bool:
        """A source is somebody's own no more; the store keeps it. False: it was not."""

    def subscriptions(self, person: str, *, most_unread: int = 99) -> list[Subscription]:
        """Somebody's own sources, by folder and name, with how much of each is unread: counted up to some number."""

    def rename_folder(self, folder: str, new: str, person: str) -> int:
        """Call one of somebody's folders something else; how many sources were in it. An empty name is no folder."""


class Columnists(Protocol):
    """Those who write, as people one can follow."""

    def columnists(self, *, least: int = 2, limit: int = 100) -> list[Columnist]:
        """Those who have written most, at least so many articles; those with followers first. Papers are no people."""

    def columnist(self, name: str) -> Columnist | None:
        """Somebody who writes, by name; None where there is no article of theirs."""

    def follow_columnist(self, name: str, person: str, at: datetime) -> bool:
        """Somebody follows a columnist. False: nobody of that name writes, or they follow too many."""

    def unfollow_columnist(self, name: str, person: str) -> bool:
        """Somebody follows a columnist no more. False: they did not."""

    def is_followed_columnist(self, name: str, person: str) -> bool:
        """Whether somebody follows a columnist."""

    def followed_columnists(self, person: str) -> list[Columnist]:
        """The columnists that somebody follows, by name; also those whose articles are gone."""

    def followed_news(self, person: str, *, limit: int = 20, after: str | None = None) -> Listed[Headline]:
        """The latest articles of the stories and columnists that somebody follows."""


class People(Persons, Logins, Tokens, Unread, Subscriptions, Columnists, Protocol):
    """Everything a store can do for people."""
