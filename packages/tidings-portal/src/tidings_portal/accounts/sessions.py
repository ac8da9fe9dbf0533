"""Login sessions: sign up, sign in and sign out, with a delay that grows with the number of failed attempts.

A browser gets a random secret, of which the store has a digest. Every sign-in creates a new secret (against session
fixation). It expires at sign-out, when the password changes, or after thirty days.

Failed attempts are counted by name and IP address together, so that nobody can lock out another user; by address,
against attempts with many names; and by name with a delay of at most a minute, against attempts from many addresses.
An address that may belong to an unconfigured proxy is not counted by itself, because it would stand for all visitors. A
browser that was signed in with the name before is counted separately, so that others cannot delay it.
"""

from __future__ import annotations

import re
import secrets
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import timedelta
from hmac import compare_digest
from math import ceil
from typing import Final

from starlette.requests import HTTPConnection

from tidings.text import fold_space
from tidings_portal.accounts.passwords import AT_ONCE, Passwords, weakness
from tidings_portal.accounts.read_tracking import ReadCounter
from tidings_portal.store.records_of_people import Login, NewLogin, NewPerson, Person
from tidings_portal.store.search_words import fold
from tidings_portal.web.access import digest_of
from tidings_portal.web.app_state import App
from tidings_portal.web.counters import Counters, CounterTable, MemoryCounters
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.proxies import address_of, may_be_proxy
from tidings_portal.web.sessions import DEVICE

#: Seconds after which failures are forgotten.
_FORGOTTEN: Final = 3600.0


def setup_token(app: App) -> str:
    """Return the setup token, which proves that whoever creates the first account operates the portal."""
    return app.sign("setup", "first account")


@dataclass(frozen=True, slots=True)
class _Patience:
    """The delay after failed sign-ins: none for the first `free`, then doubled each time, up to `longest` seconds."""

    free: int
    longest: float

    def wait(self, failures: int) -> float:
        return 0.0 if failures < self.free else min(self.longest, 2.0 ** min(failures - self.free, 20))


_BOTH: Final = _Patience(5, 900)
_ADDRESS: Final = _Patience(30, 900)
_NAME: Final = _Patience(100, 60)
#: A minute at most for whoever has forgotten a password; whoever stole the browser has fourteen hundred guesses a day.
_DEVICE: Final = _Patience(5, 60)


@dataclass(slots=True)
class LoginThrottle:
    """A rate limiter for sign-in attempts, by name, IP address and device.

    Every attempt counts as failed until `succeeded` is called. Thread-safe, and shared between processes.
    """

    clock: Callable[[], float] = time.time
    counters: Counters = field(default_factory=MemoryCounters)

    def begin(self, name: str, address: str, device: str = "") -> int:
        """Count an attempt to sign in. Return 0, or the seconds to wait; then the attempt is not counted.

        Args:
            name: the user name.
            address: the IP address.
            device: the digest of a browser that signed in with this name before.
        """
        keys, now = _keys(name, address, device), self.clock()

        def work(failed: CounterTable) -> int:
            waits = [_wait(failed, key, patience, now) for key, patience in keys]
            if max(waits) > 0:
                return ceil(max(waits))
            for key, _ in keys:
                failures, _ = _failures(failed, key, now)
                failed.put(key, (failures + 1, now))
            return 0

        return self.counters.change(work)

    def succeeded(self, name: str, address: str, device: str = "") -> None:
        """Record a successful sign-in: reset the failures of this name and address, and undo this attempt elsewhere."""
        (both, _), *others = _keys(name, address, device)
        now = self.clock()

        def work(failed: CounterTable) -> None:
            failed.drop(both)
            for key, _ in others:
                failures, at = _failures(failed, key, now)
                if failures:
                    failed.put(key, (failures - 1, at))

        self.counters.change(work)


def _wait(failed: CounterTable, key: str, patience: _Patience, now: float) -> float:
    failures, at = _failures(failed, key, now)
    return at + patience.wait(failures) - now if failures else 0.0


def _failures(failed: CounterTable, key: str, now: float) -> tuple[int, float]:
    failures, at = failed.get(key) or (0, now)
    return (int(failures), at) if now - at < _FORGOTTEN else (0, now)


def _keys(name: str, address: str, device: str) -> list[tuple[str, _Patience]]:
    if device:
        return [(f"{name}\0device {device}", _DEVICE)]
    keys = [(f"{name}\0{address}", _BOTH), (f"{name}\0", _NAME)]
    return keys if may_be_proxy(address) else [*keys, (f"\0{address}", _ADDRESS)]


LONGEST_NAME: Final = 40


def is_name(name: str) -> bool:
    """Return whether a user name is allowed: no invisible or bidirectional control characters."""
    told = fold_space(name)
    return 0 < len(told) <= LONGEST_NAME and told.isprintable()


_PURPOSE: Final = "device"
#: Names that one browser is known by: those of a household.
_MOST: Final = 8
_WRITTEN: Final = re.compile(rf"([0-9a-f]{{32}})((?:\.[0-9a-f]{{32}}){{0,{_MOST}}})")


@dataclass(frozen=True, slots=True)
class Device:
    """A browser: its IP address, its id, and signatures for the names it has signed in with, the latest first."""

    address: str  # what visitors are counted by: `news.web.proxies`
    number: str = ""
    marks: tuple[str, ...] = ()

    @classmethod
    def of(cls, connection: HTTPConnection) -> Device:
        """Return the browser of a request from its device cookie; without a valid cookie it has no id."""
        found = _WRITTEN.fullmatch(connection.cookies.get(DEVICE, ""))
        address = address_of(connection)
        return cls(address) if found is None else cls(address, found[1], tuple(found[2].split(".")[1:]))

    def known_as(self, app: App, name: str) -> str:
        """Return the key under which sign-in attempts of this browser are counted if it signed in with this name
        before, else "".
        """
        is_known = [app.is_signed(_PURPOSE, f"{self.number} {name}", mark) for mark in self.marks]
        return digest_of(self.number) if any(is_known) else ""

    def signed_in(self, app: App, name: str) -> Device:
        """Return the browser with a signature that it signed in with this name."""
        number = self.number or secrets.token_hex(16)
        mark = app.sign(_PURPOSE, f"{number} {name}")
        return Device(self.address, number, (mark, *(one for one in self.marks if one != mark))[:_MOST])

    @property
    def cookie(self) -> str:
        """Return the value of the device cookie."""
        return ".".join((self.number, *self.marks))


LASTS: Final = timedelta(days=30)
_SECRET_BYTES: Final = 32
_LONGEST_SECRET: Final = 100
_LONGEST_DEVICE: Final = 200


class SignInRefused(Exception):
    """A refused sign-in or sign-up. `key` selects the message (`refused.KEY`)."""

    def __init__(self, key: str) -> None:
        super().__init__(key)
        self.key = key


@dataclass
class SessionService:
    """A service that signs users up, in and out, and returns the user of a session."""

    app: App
    counting: ReadCounter
    passwords: Passwords = field(default_factory=Passwords)
    attempts: LoginThrottle = field(default_factory=LoginThrottle)

    @property
    def takes_new(self) -> bool:
        """Return whether visitors may create an account: always with `sign_up`, else only the first user."""
        return self.app.settings.accounts and (self.app.settings.sign_up or not self.app.store.persons())

    def recognise(self, secret: str) -> str | None:
        """Return the key of the user who has a session secret."""
        found = self.login(secret)
        if found is None:
            return None
        self.counting.used(found[0].settings.digest)
        return found[1].key

    def login(self, secret: str) -> tuple[Login, Person] | None:
        """Return the login and the user of a session secret, or None if it is invalid or expired."""
        if not secret or len(secret) > _LONGEST_SECRET:
            return None
        digest = digest_of(secret)
        found = self.app.store.login(digest, self.app.now())
        return found if found is not None and compare_digest(found[0].settings.digest, digest) else None

    @property
    def setup_token(self) -> str:
        """Return the setup token that the first sign-up needs, or "" once an account exists."""
        return "" if self.app.store.persons() else setup_token(self.app)

    def sign_up(self, name: str, password: str, device: Device, *, by_admin: bool = False, setup: str = "") -> Person:
        """Create an account. The first one needs the setup token that `serve` prints, and becomes administrator.

        Raises:
            SignInRefused: the name, password or setup token is refused, or sign-up is closed.
            HttpProblem: 429 after too many sign-ups from one IP address.
        """
        self._check(name, password)
        if not by_admin:
            if not self.takes_new:
                raise SignInRefused("closed")
            wait = self.app.turns.take("sign up", device.address, 5).wait
            if wait:
                raise HttpProblem(429, "often", headers={"Retry-After": str(wait)})
            if not compare_digest(self.setup_token.encode(), setup.strip().encode("utf-8", "replace")):
                raise SignInRefused("setup")
        told = NewPerson(fold_space(name), self.passwords.hash(password))
        only_first = not (by_admin or self.app.settings.sign_up)
        person = self.app.store.add_person(told, self.app.now(), only_first=only_first)
        if person is None:
            raise SignInRefused("closed" if only_first and self.app.store.persons() else "taken")
        return person

    def sign_in(self, name: str, password: str, device: Device) -> Person:
        """Return the user with a name and password.

        Raises:
            SignInRefused: name or password is wrong.
            HttpProblem: 429 after too many attempts.
        """
        tried = _counted(name)
        known = device.known_as(self.app, tried)
        wait = self.attempts.begin(tried, device.address, known)
        if wait:
            raise HttpProblem(429, "often", headers={"Retry-After": str(wait)})
        person = self.app.store.person_named(name) if len(name) <= LONGEST_NAME else None
        kept = None if person is None else person.settings.password
        if not self.passwords.is_right(kept, password, is_known_device=bool(known)) or person is None:
            raise SignInRefused("wrong")
        self.attempts.succeeded(tried, device.address, known)
        if self.passwords.is_outdated(person.settings.password):
            self.app.store.rehash_password(person.id, person.settings.password, self.passwords.hash(password))
        return person

    def remember(self, device: Device, person: Person) -> Device:
        """Return the device, marked as known for the user."""
        return device.signed_in(self.app, _counted(person.name))

    def admit(self, person: Person, device: str, before: str = "") -> str:
        """Start a login session and return its secret.

        Args:
            person: the user.
            device: the name of the browser, for the list of sessions.
            before: the secret of the browser's previous session, which ends.
        """
        secret = secrets.token_urlsafe(_SECRET_BYTES)
        now = self.app.now()
        told = NewLogin(digest_of(secret), now + LASTS, device[:_LONGEST_DEVICE])
        if before:
            self.sign_out(before)
        if self.app.store.begin_login(person.id, told, now) is None:
            raise SignInRefused("wrong")  # removed meanwhile
        return secret

    def named(self, name: str, session: str, device: str) -> tuple[str, str] | None:
        """Return key and session secret of a user authenticated by a trusted proxy.

        Creates the account and the session if necessary. Returns None if the name is not allowed.
        """
        if not is_name(name):
            return None
        known = self.login(session)
        if known is not None and _counted(known[1].name) == _counted(name):
            self.counting.used(known[0].settings.digest)
            return known[1].key, session
        person = self.app.store.person_named(name) or self._opened(name)
        return None if person is None else (person.key, self.admit(person, device, session if known else ""))

    def known_by(self, issuer: str, subject: str, names: Sequence[str], own: int | None) -> Person:
        """Return the user with an OpenID issuer and subject; create an account for a new one.

        Args:
            issuer: the issuer of the token.
            subject: the issuer's id of the user, which is never reused.
            names: suggested user names, the best first. An existing account with such a name is not linked.
            own: the id of the signed-in user, whose account is linked to the subject.

        Raises:
            HttpProblem: no account can be created.
        """
        store = self.app.store
        number = store.person_known_as(issuer, subject)
        person = None if number is None else store.person(number)
        if person is None and own is not None:
            person = store.person(own)
        if person is None and not store.persons():  # it would run the portal, and the provider knows strangers too
            raise HttpProblem(403, "not_signed_in", "open the first account with the setup token, or by `person add`")
        if person is None:
            wanted = next((fold_space(one)[:LONGEST_NAME] for one in names if is_name(one[:LONGEST_NAME])), "reader")
            tries = (wanted, *(f"{wanted[: LONGEST_NAME - 4]} {count}" for count in range(2, 100)))
            person = next((made for one in tries if (made := self._opened(one)) is not None), None)
        if person is None:
            raise HttpProblem(403, "not_signed_in")
        store.know_person(issuer, subject, person.id)
        return person

    def _opened(self, name: str) -> Person | None:
        """Create an account with a random password, for a user authenticated by a proxy or provider."""
        told = NewPerson(fold_space(name), self.passwords.hash(secrets.token_urlsafe(_SECRET_BYTES)))
        return self.app.store.add_person(told, self.app.now())

    def sign_out(self, secret: str) -> None:
        """End the login session with this secret."""
        self.app.store.end_login(digest_of(secret))

    def change_password(self, person: Person, old: str, new: str, device: Device, staying: str) -> None:
        """Change a password and end all sessions of the user except the one with the session secret `staying`.

        Raises:
            SignInRefused: the old one is wrong, or the new one cannot be taken.
            HttpProblem: too many attempts.
        """
        self.confirm(person, old, device)
        self._check(person.name, new)
        self.app.store.change_password(person.id, self.passwords.hash(new), staying=digest_of(staying))

    def remove(self, person: Person, password: str, device: Device) -> None:
        """Remove a user with all their data.

        Raises:
            SignInRefused: the password is wrong, or the user is the last administrator.
            HttpProblem: 429 after too many attempts.
        """
        self.confirm(person, password, device)
        if self.is_needed(person):
            raise SignInRefused("last_admin")
        self.app.store.remove_person(person.id)

    def confirm(self, person: Person, password: str, device: Device) -> None:
        """Check the user's password again before an irreversible action.

        Raises:
            SignInRefused: the password is wrong.
            HttpProblem: too many attempts.
        """
        try:
            self.sign_in(person.name, password, device)
        except SignInRefused:
            raise SignInRefused("wrong_password") from None

    def is_needed(self, person: Person) -> bool:
        """Return whether the user is the only administrator while other users exist, and so cannot be removed."""
        others = [one for one in self.app.store.persons() if one.id != person.id]
        return person.settings.admin and bool(others) and not any(one.settings.admin for one in others)

    def _check(self, name: str, password: str) -> None:
        if not is_name(name):
            raise SignInRefused("name")
        weak = weakness(password, name)
        if weak is not None:
            raise SignInRefused(weak.value)


def _counted(name: str) -> str:
    return fold(fold_space(name[:LONGEST_NAME]))


def sessions(app: App) -> SessionService:
    """Create the session service of an application, and register it to recognise signed-in users."""
    common = app.common
    made = SessionService(
        app,
        ReadCounter(app.store, app.now, common.readings),
        Passwords(at_once=max(1, AT_ONCE // common.processes)),
        LoginThrottle(counters=common.attempts),
    )
    app.recognise = made.recognise
    app.recognise_named = made.named
    app.token_used = made.counting.token_used
    return made


def sessions_of(connection: HTTPConnection) -> SessionService:
    """Return the session service of the application."""
    service: SessionService = connection.app.state.sessions
    return service
