"""Authentication of the Google Reader API, with an API token or with the password of an account.

A client that signs in with an API token gets that token back; its owner can revoke it. A client that signs in with a
password gets a signature over the account and the stored password hash. It is not stored and becomes invalid when the
password changes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from starlette.requests import Request

from tidings_portal.accounts.sessions import Device, SignInRefused, sessions_of
from tidings_portal.store.records_of_people import LOCAL, Person, Scope
from tidings_portal.web.access import LONGEST_TOKEN, MARK, good_token
from tidings_portal.web.app_state import App, app_of

_PURPOSE: Final = "greader"
_FORMS: Final = "greader form"
_SCHEME: Final = "googlelogin"


@dataclass
class GReaderProblem(Exception):
    """An error response of the Google Reader API: a status and one line of text."""

    status: int
    text: str

    def __post_init__(self) -> None:
        super().__init__(self.status, self.text)

    @property
    def headers(self) -> dict[str, str]:
        """Return additional response headers: a 401 response declares the token invalid."""
        return {"Google-Bad-Token": "true"} if self.status == 401 else {}


def unauthorized() -> GReaderProblem:
    """Return the error for a missing or invalid login."""
    return GReaderProblem(401, "Unauthorized!")


def bad_request(why: str = "") -> GReaderProblem:
    """Return the error for an invalid request, with an optional reason."""
    return GReaderProblem(400, f"Bad Request! {why}".strip())


@dataclass(frozen=True, slots=True)
class GReaderAccount:
    """The account that a client has signed in to."""

    person: str  # a key
    name: str
    may_write: bool
    turns: str  # what their turns are counted by

    @property
    def is_local(self) -> bool:
        """Return whether this is the single local user of a portal without accounts, who reads all sources."""
        return self.person == LOCAL

    def form_token(self, app: App) -> str:
        """Return the edit token that clients send with every change, against cross-site request forgery."""
        return app.sign(_FORMS, self.person)

    def check_form(self, app: App, token: str) -> None:
        """Check the edit token of a request. It may be missing: other sites cannot send the Authorization header.

        Raises:
            GReaderProblem: the account may only read, or the token is wrong.
        """
        if not self.may_write:
            raise GReaderProblem(403, "Forbidden! this token may only read")
        if token and not app.is_signed(_FORMS, self.person, token):
            raise unauthorized()


def sign_in(request: Request, name: str, password: str) -> str:
    """Sign a client in; return the token that it sends in the Authorization header from now on.

    Raises:
        GReaderProblem: the name, password or API token is wrong.
        HttpProblem: too many attempts.
    """
    app = app_of(request)
    if password.startswith(MARK):
        token = good_token(app, password)
        owner = None if token is None else _person(app, token.person)
        if token is None or (owner is not None and owner.name.casefold() != name.strip().casefold()):
            raise unauthorized()
        return password
    if not app.settings.accounts or not name or not password:
        raise unauthorized()
    try:
        person = sessions_of(request).sign_in(name, password, Device.of(request))
    except SignInRefused:
        raise unauthorized() from None
    return f"{person.id}/{app.sign(_PURPOSE, _signed(person))}"


def account_of(request: Request) -> GReaderAccount:
    """Return the account of a request, by the token in its Authorization header.

    Raises:
        GReaderProblem: the token is missing or invalid.
    """
    app = app_of(request)
    scheme, _, told = request.headers.get("authorization", "").partition(" ")
    secret = told.strip().removeprefix("auth=")
    if scheme.lower() != _SCHEME or not secret or len(secret) > LONGEST_TOKEN:
        raise unauthorized()
    if secret.startswith(MARK):
        token = good_token(app, secret)
        if token is None:
            raise unauthorized()
        owner = _person(app, token.person)
        if owner is None and token.person != LOCAL:
            raise unauthorized()
        may_write = Scope.WRITE in token.settings.scopes
        return GReaderAccount(token.person, owner.name if owner else LOCAL, may_write, f"token {token.id}")
    number, _, mark = secret.partition("/")
    person = _numbered(app, number) if app.settings.accounts else None
    if person is None or not app.is_signed(_PURPOSE, _signed(person), mark):
        raise unauthorized()
    return GReaderAccount(person.key, person.name, True, person.key)


def _signed(person: Person) -> str:
    return f"{person.id} {person.settings.password}"


def _person(app: App, key: str) -> Person | None:
    person = _numbered(app, key.removeprefix("person "))
    return person if person is not None and person.key == key else None


def _numbered(app: App, number: str) -> Person | None:
    return app.store.person(int(number)) if number.isascii() and number.isdigit() and len(number) < 16 else None
