"""API tokens and access rules. Tokens are accepted in the Authorization header only (RFC 6750, 2.1).

Tokens in URLs would appear in logs and histories, and cookies are sent with requests of any site, so neither allows
changes. The session cookie allows reading. A token has 256 random bits, and the store has only its SHA-256 digest
(HOSTILE 25). Random tokens need no slow hash, unlike passwords.
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

from tidings_portal.store.records_of_people import LOCAL, AccessToken, NewToken, Scope
from tidings_portal.web.app_state import App
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.proxies import address_of
from tidings_portal.web.sessions import visit_of
from tidings_portal.web.settings import ReadAccess

#: Prefix of tokens, which lets secret scanners recognise them.
MARK: Final = "tidings_"
_BYTES: Final = 32
#: Length of the visible start of a token, by which its owner recognises it.
_SHOWN: Final = len(MARK) + 4
LONGEST_TOKEN: Final = 200


@dataclass(frozen=True, slots=True)
class IssuedToken:
    """A new token: its secret, which is shown once, and the record for the store."""

    secret: str = field(repr=False)
    record: NewToken


def make_token(
    name: str = "", scopes: frozenset[Scope] = frozenset({Scope.READ}), expires: datetime | None = None
) -> IssuedToken:
    """Return a new token."""
    secret = MARK + secrets.token_urlsafe(_BYTES)
    return IssuedToken(secret, NewToken(digest_of(secret), secret[:_SHOWN], name, scopes, expires))


def digest_of(secret: str) -> str:
    """Return the digest under which the store has a token."""
    return sha256(secret.encode("utf-8", "replace")).hexdigest()


class Access(Enum):
    """The access level that an operation requires."""

    READING = "reading"  # depends on the portal's setting `reading`
    TOKEN = "token"  # noqa: S105  # any token
    OWN = "own"  # a token with write scope: changes data of its owner
    HOUSE = "house"  # a token with write scope of an administrator: changes shared data


@dataclass(frozen=True, slots=True)
class Caller:
    """The client of a request: a user, a token or an anonymous visitor."""

    address: str  # key of the rate limit for clients without a token
    token: AccessToken | None = None
    reads: str = ""  # user of the session cookie, for reading only
    runs_the_house: bool = False

    @property
    def name(self) -> str:
        """Return the key under which the client's requests are counted."""
        return f"token {self.token.id}" if self.token is not None else self.address


def caller_of(request: Request, app: App) -> Caller:
    """Return the client of a request.

    Raises:
        HttpProblem: 401 if the token is invalid or expired.
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
    """Raise an HttpProblem unless a client has an access level.

    Raises:
        HttpProblem: 401 without a token, 403 if the token does not suffice.
    """
    if access is Access.READING:
        if app.settings.reading is ReadAccess.OPEN or caller.token is not None or caller.reads:
            return
        raise unknown("reading is for those with a token here")
    if caller.token is None:
        raise unknown("this needs a token: `tidings token new` makes one")
    if access is Access.TOKEN:
        return
    if Scope.WRITE not in caller.token.settings.scopes:
        raise _forbidden("this token may read only; `tidings token new --write` makes one that may change things")
    if access is Access.HOUSE and not caller.runs_the_house:
        raise _forbidden("this changes what everybody sees: it needs a token of an administrator")


def unknown(detail: str, error: str = "") -> HttpProblem:
    """Return the error for a missing or invalid token."""
    challenge = 'Bearer realm="tidings"' + (f", {error}" if error else "")
    return HttpProblem(401, "sign_in", detail, {"WWW-Authenticate": challenge})


def _forbidden(detail: str) -> HttpProblem:
    challenge = 'Bearer realm="tidings", error="insufficient_scope", scope="write"'
    return HttpProblem(403, "forbidden", detail, {"WWW-Authenticate": challenge})


def good_token(app: App, secret: str) -> AccessToken | None:
    """Return the valid token with a secret, or None. Records its use."""
    if not secret or len(secret) > LONGEST_TOKEN:
        return None
    digest = digest_of(secret)
    token = app.store.token(digest, app.now())
    if token is None or not compare_digest(token.settings.digest.encode(), digest.encode()):
        return None
    app.token_used(digest)
    return token


def _runs_the_house(app: App, token: AccessToken) -> bool:
    """Return whether the owner of a token is an administrator, or the only user of a portal without accounts."""
    if token.person == LOCAL:
        return True
    number = token.person.removeprefix("person ")
    person = app.store.person(int(number)) if number.isascii() and number.isdigit() else None
    return person is not None and person.key == token.person and person.settings.admin
