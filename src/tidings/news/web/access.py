"""Who calls, and what they may do: tokens in the Authorization header and nothing else (RFC 6750, 2.1).

A token in an address would stand in logs and histories, and a cookie is sent along by any page: neither opens anything
that changes something. Whoever is signed in may read with their cookie. A token is 256 random bits, of which the store
keeps a digest only (HOSTILE 25): a plain one is enough for what nobody could guess; argon2 is for passwords.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum
from hashlib import sha256
from hmac import compare_digest
from typing import Final

from starlette.requests import Request

from tidings.news.store.records_of_people import LOCAL, AccessToken, NewToken, Scope
from tidings.news.web.app_state import App
from tidings.news.web.errors import HttpProblem
from tidings.news.web.proxies import address_of
from tidings.news.web.sessions import visit_of
from tidings.news.web.settings import ReadAccess

#: So that scanners of code know what they have found.
MARK: Final = "tidings_"
_BYTES: Final = 32
#: Of the token itself, for its owner to know it by.
_SHOWN: Final = len(MARK) + 4
LONGEST_TOKEN: Final = 200


@dataclass(frozen=True, slots=True)
class MadeToken:
    """A token that was just made, and what the store is told of it. The secret is shown once."""

    secret: str = field(repr=False)
    told: NewToken


def make_token(
    name: str = "", scopes: frozenset[Scope] = frozenset({Scope.READ}), expires: datetime | None = None
) -> MadeToken:
    """A new token."""
    secret = MARK + secrets.token_urlsafe(_BYTES)
    return MadeToken(secret, NewToken(digest_of(secret), secret[:_SHOWN], name, scopes, expires))


def digest_of(secret: str) -> str:
    """What the store knows a token by."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


class Access(Enum):
    """What an operation is behind."""

    READING = "reading"  # open or closed, as the portal is
    TOKEN = "token"  # noqa: S105  # any token: what it tells is not for everybody
    OWN = "own"  # a token that may write: it changes what is its owner's own
    HOUSE = "house"  # one of somebody who runs the portal: it changes what all see


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who asks."""

    address: str  # what a visitor without a token is counted by: `news.web.proxies`
    token: AccessToken | None = None
    reads: str = ""  # whom a cookie tells, which is good for reading only
    runs_the_house: bool = False

    @property
    def name(self) -> str:
        """What turns are counted by."""
        return f"token {self.token.id}" if self.token is not None else self.address


def caller_of(request: Request, app: App) -> Caller:
    """Who asks.

    Raises:
        Problem: 401, a token that is not good (any more).
    """
    address = address_of(request)
    header = request.headers.get("authorization", "")
    if not header:
        person = visit_of(request).person
        return Caller(address, reads="" if person in {None, LOCAL} else str(person))
    scheme, _, secret = header.partition(" ")
    token = good_token(app, secret.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        raise unknown("this token is not good: it is mistyped, expired or revoked", 'error="invalid_token"')
    return Caller(address, token, runs_the_house=_runs_the_house(app, token))


def admit(app: App, caller: Caller, access: Access) -> None:
    """Let somebody through, or not.

    Raises:
        Problem: 401 without a token, 403 with one that is not enough.
    """
    if access is Access.READING:
        if app.settings.reading is ReadAccess.OPEN or caller.token is not None or caller.reads:
            return
        raise unknown("reading is for those with a token here")
    if caller.token is None:
        raise unknown("this needs a token: `tidings token new` makes one")
    if access is Access.TOKEN:
        return
    if Scope.WRITE not in caller.token.told.scopes:
        raise _forbidden("this token may read only; `tidings token new --write` makes one that may change things")
    if access is Access.HOUSE and not caller.runs_the_house:
        raise _forbidden("this changes what everybody sees: it needs a token of an administrator")


def unknown(detail: str, error: str = "") -> HttpProblem:
    """The problem of somebody who does not say who they are."""
    challenge = 'Bearer realm="tidings"' + (f", {error}" if error else "")
    return HttpProblem(401, "sign_in", detail, {"WWW-Authenticate": challenge})


def _forbidden(detail: str) -> HttpProblem:
    challenge = 'Bearer realm="tidings", error="insufficient_scope", scope="write"'
    return HttpProblem(403, "forbidden", detail, {"WWW-Authenticate": challenge})


def good_token(app: App, secret: str) -> AccessToken | None:
    """The token that a secret is, if it opens anything; its use is noted."""
    if not secret or len(secret) > LONGEST_TOKEN:
        return None
    digest = digest_of(secret)
    found = app.store.token(digest, app.now())
    if found is None or not compare_digest(found.told.digest.encode(), digest.encode()):
        return None
    app.token_used(digest)
    return found


def _runs_the_house(app: App, token: AccessToken) -> bool:
    """Whether its owner may write the store's file anyway, or is an administrator."""
    if token.person == LOCAL:
        return True
    number = token.person.removeprefix("person ")
    person = app.store.person(int(number)) if number.isascii() and number.isdigit() else None
    return person is not None and person.key == token.person and person.told.admin
