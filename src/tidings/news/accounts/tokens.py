"""Tokens for programs: made here, shown once, revoked here. Also for the one reader of a house without accounts."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.news.accounts.account import number_in
from tidings.news.accounts.who import AGAIN, Answer, person_key
from tidings.news.store.records_of_people import Scope
from tidings.news.web import tokens
from tidings.news.web.forms import text
from tidings.news.web.house import house_of
from tidings.news.web.problems import Problem
from tidings.news.web.showing import Shown, respond

#: Days that a token may be good for; 0 is for ever.
DAYS: Final = (30, 90, 365, 0)
_LONGEST_NAME: Final = 60


def tokens_page(request: Request) -> Answer:
    """The tokens of whoever asks."""
    return _page(request)


def make_token(request: Request, form: FormData) -> Answer:
    """Make a token, and show it this once. No browser keeps the page."""
    person, house = person_key(request), house_of(request)
    days = number_in(form, "days")
    if days not in DAYS:
        raise Problem(400, "request")
    scopes = frozenset({Scope.READ, Scope.WRITE} if text(form, "scope") == Scope.WRITE else {Scope.READ})
    now = house.now()
    made = tokens.make(text(form, "name", _LONGEST_NAME), scopes, now + timedelta(days=days) if days else None)
    if house.store.add_token(made.told, person, now) is None:
        return _page(request, refused="tokens")
    answer: Response = respond(request, _page(request, secret=made.secret))
    answer.headers["cache-control"] = "no-store"
    del answer.headers["etag"]
    return answer


def revoke_token(request: Request, form: FormData) -> Answer:
    """A token opens nothing any more."""
    house = house_of(request)
    if not house.store.revoke_token(number_in(form, "number"), person_key(request), house.now()):
        raise Problem(404, "missing_page")
    return RedirectResponse("/tokens", 303)


def _page(request: Request, *, secret: str = "", refused: str = "") -> Shown:
    house = house_of(request)
    found = house.store.tokens(person_key(request))
    values = {
        "tokens": [one for one in found if one.good(house.now())],
        "over": [one for one in found if not one.good(house.now())],
        "days": DAYS,
        "secret": secret,
        "refused": refused,
    }
    return Shown("accounts/tokens.html", values, AGAIN if refused else 200)
