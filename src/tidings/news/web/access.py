"""Who calls, and what they may do: tokens in the Authorization header and nothing else (RFC 6750, 2.1).

A token in an address would stand in logs and histories, and a cookie is sent along by any page: neither opens anything
that changes something. Whoever is signed in may read with their cookie.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from hmac import compare_digest

from starlette.requests import Request

from tidings.news.store.records_of_people import LOCAL, AccessToken, Scope
from tidings.news.web.house import House
from tidings.news.web.problems import Problem
from tidings.news.web.proxies import address_of
from tidings.news.web.terms import Reading
from tidings.news.web.tokens import LONGEST, digest_of
from tidings.news.web.visit import visit_of


class Access(Enum):
    """What an operation is behind."""

    READING = "reading"  # open or closed, as the house is
    TOKEN = "token"  # noqa: S105  # any token: what it tells is not for everybody
    OWN = "own"  # a token that may write: it changes what is its owner's own
    HOUSE = "house"  # one of somebody who runs the house: it changes what all see


@dataclass(frozen=True, slots=True)
class Caller:
    """Somebody who asks."""

    address: str  # what a visitor without a token is counted by: `publish.web.proxies`
    token: AccessToken | None = None
    reads: str = ""  # whom a cookie tells, which is good for reading only
    runs_the_house: bool = False

    @property
    def name(self) -> str:
        """What turns are counted by."""
        return f"token {self.token.id}" if self.token is not None else self.address


def caller_of(request: Request, house: House) -> Caller:
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
    token = _good(house, secret.strip()) if scheme.lower() == "bearer" else None
    if token is None:
        raise unknown("this token is not good: it is mistyped, expired or revoked", 'error="invalid_token"')
    return Caller(address, token, runs_the_house=_runs_the_house(house, token))


def admit(house: House, caller: Caller, access: Access) -> None:
    """Let somebody through, or not.

    Raises:
        Problem: 401 without a token, 403 with one that is not enough.
    """
    if access is Access.READING:
        if house.terms.reading is Reading.OPEN or caller.token is not None or caller.reads:
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


def unknown(detail: str, error: str = "") -> Problem:
    """The problem of somebody who does not say who they are."""
    challenge = 'Bearer realm="tidings"' + (f", {error}" if error else "")
    return Problem(401, "sign_in", detail, {"WWW-Authenticate": challenge})


def _forbidden(detail: str) -> Problem:
    challenge = 'Bearer realm="tidings", error="insufficient_scope", scope="write"'
    return Problem(403, "forbidden", detail, {"WWW-Authenticate": challenge})


def _good(house: House, secret: str) -> AccessToken | None:
    if not secret or len(secret) > LONGEST:
        return None
    digest = digest_of(secret)
    found = house.store.token(digest, house.now())
    if found is None or not compare_digest(found.told.digest.encode(), digest.encode()):
        return None
    house.token_used(digest)
    return found


def _runs_the_house(house: House, token: AccessToken) -> bool:
    """Whether its owner may write the store's file anyway, or is an administrator."""
    if token.person == LOCAL:
        return True
    number = token.person.removeprefix("person ")
    person = house.store.person(int(number)) if number.isascii() and number.isdigit() else None
    return person is not None and person.key == token.person and person.told.admin
