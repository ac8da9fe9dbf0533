"""The reception: where people sign up, in and out. What it tells a browser is a secret of which the store has a digest.

A new secret is given at every sign-in (nobody can hand a browser one that they know), and ends at sign-out, with
another password, or after thirty days.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import timedelta
from hmac import compare_digest
from typing import Final

from starlette.requests import HTTPConnection

from tidings.news.accounts.attempts import Attempts
from tidings.news.accounts.counting import Counting
from tidings.news.accounts.devices import Device
from tidings.news.accounts.names import LONGEST as LONGEST_NAME
from tidings.news.accounts.names import is_name
from tidings.news.accounts.passwords import AT_ONCE, Passwords, weakness
from tidings.news.store.records_of_people import Login, NewLogin, NewPerson, Person
from tidings.news.store.search_words import fold
from tidings.news.web.house import House
from tidings.news.web.problems import Problem
from tidings.news.web.tokens import digest_of
from tidings.text import fold_space

LASTS: Final = timedelta(days=30)
_SECRET_BYTES: Final = 32
_LONGEST_SECRET: Final = 100
_LONGEST_DEVICE: Final = 200


class Refused(Exception):
    """What somebody asked for cannot be; `key` is the text that says why (`refused.KEY`)."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


@dataclass
class Reception:
    """Signs people up, in and out."""

    house: House
    counting: Counting
    passwords: Passwords = field(default_factory=Passwords)
    attempts: Attempts = field(default_factory=Attempts)

    @property
    def takes_new(self) -> bool:
        """Whether somebody may open an account: anybody, where that is offered, and else the first person."""
        return self.house.terms.accounts and (self.house.terms.sign_up or not self.house.store.persons())

    def recognise(self, secret: str) -> str | None:
        """The key of the person whom a browser's secret is of."""
        found = self.login(secret)
        if found is None:
            return None
        self.counting.used(found[0].told.digest)
        return found[1].key

    def login(self, secret: str) -> tuple[Login, Person] | None:
        """Who has signed in with a secret, and when."""
        if not secret or len(secret) > _LONGEST_SECRET:
            return None
        digest = digest_of(secret)
        found = self.house.store.login(digest, self.house.now())
        return found if found is not None and compare_digest(found[0].told.digest, digest) else None

    def sign_up(self, name: str, password: str, device: Device, *, by_admin: bool = False) -> Person:
        """Open an account.

        Raises:
            Refused: not with this name or password, or not any more.
            Problem: too many from one address.
        """
        self._check(name, password)
        if not by_admin:
            if not self.takes_new:
                raise Refused("closed")
            wait = self.house.turns.take("sign up", device.address, 5).wait
            if wait:
                raise Problem(429, "often", headers={"Retry-After": str(wait)})
        told = NewPerson(fold_space(name), self.passwords.made(password))
        only_first = not (by_admin or self.house.terms.sign_up)
        person = self.house.store.add_person(told, self.house.now(), only_first=only_first)
        if person is None:
            raise Refused("closed" if only_first and self.house.store.persons() else "taken")
        return person

    def sign_in(self, name: str, password: str, device: Device) -> Person:
        """Somebody by their name and password.

        Raises:
            Refused: there is nobody of that name with that password.
            Problem: too many attempts; it says when the next one may be.
        """
        tried = _counted(name)
        known = device.known_as(self.house, tried)
        wait = self.attempts.begin(tried, device.address, known)
        if wait:
            raise Problem(429, "often", headers={"Retry-After": str(wait)})
        person = self.house.store.person_named(name) if len(name) <= LONGEST_NAME else None
        kept = None if person is None else person.told.password
        if not self.passwords.is_right(kept, password, known=bool(known)) or person is None:
            raise Refused("wrong")
        self.attempts.succeeded(tried, device.address, known)
        if self.passwords.is_outdated(person.told.password):
            self.house.store.rehash_password(person.id, person.told.password, self.passwords.made(password))
        return person

    def remember(self, device: Device, person: Person) -> Device:
        """A browser that somebody has signed in with, from now on a known one."""
        return device.signed_in(self.house, _counted(person.name))

    def admit(self, person: Person, device: str, before: str = "") -> str:
        """Begin a login; the secret for the browser. The one that it had before ends."""
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        now = self.house.now()
        told = NewLogin(digest_of(secret), now + LASTS, device[:_LONGEST_DEVICE])
        if before:
            self.sign_out(before)
        if self.house.store.begin_login(person.id, told, now) is None:
            raise Refused("wrong")  # removed meanwhile
        return secret

    def sign_out(self, secret: str) -> None:
        """End a login."""
        self.house.store.end_login(digest_of(secret))

    def change_password(self, person: Person, old: str, new: str, device: Device, staying: str) -> None:
        """Another password; all other browsers are signed out.

        Raises:
            Refused: the old one is wrong, or the new one cannot be taken.
            Problem: too many attempts.
        """
        self.confirm(person, old, device)
        self._check(person.name, new)
        self.house.store.change_password(person.id, self.passwords.made(new), staying=digest_of(staying))

    def remove(self, person: Person, password: str, device: Device) -> None:
        """Remove somebody with everything they kept.

        Raises:
            Refused: wrong password, or nobody would be left to run the house.
            Problem: too many attempts.
        """
        self.confirm(person, password, device)
        if self.is_needed(person):
            raise Refused("last_admin")
        self.house.store.remove_person(person.id)

    def confirm(self, person: Person, password: str, device: Device) -> None:
        """Check a password once more, before something that cannot be undone.

        Raises:
            Refused: it is wrong.
            Problem: too many attempts.
        """
        try:
            self.sign_in(person.name, password, device)
        except Refused:
            raise Refused("wrong_password") from None

    def is_needed(self, person: Person) -> bool:
        """Whether somebody is the only administrator of others."""
        others = [one for one in self.house.store.persons() if one.id != person.id]
        return person.told.admin and bool(others) and not any(one.told.admin for one in others)

    def _check(self, name: str, password: str) -> None:
        if not is_name(name):
            raise Refused("name")
        weak = weakness(password, name)
        if weak is not None:
            raise Refused(weak.value)


def _counted(name: str) -> str:
    """A name as attempts are counted by it, however it is written."""
    return fold(fold_space(name[:LONGEST_NAME]))


def reception(house: House) -> Reception:
    """The reception of a house; from now on the house knows those who are signed in."""
    common = house.common
    made = Reception(
        house,
        Counting(house.store, house.now, common.readings),
        Passwords(at_once=max(1, AT_ONCE // common.processes)),
        Attempts(counters=common.attempts),
    )
    house.recognise = made.recognise
    house.token_used = made.counting.token_used
    return made


def reception_of(connection: HTTPConnection) -> Reception:
    """The reception that a request came to."""
    found: Reception = connection.app.state.reception
    return found
