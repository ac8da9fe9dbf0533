"""People, for whoever runs the portal; and everybody's tokens for programs: made here, shown once, revoked here."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.news.accounts.current_user import (
    AGAIN,
    Answer,
    administrator,
    person_key,
    secret,
    to_sign_in,
    with_accounts,
)
from tidings.news.accounts.sessions import Device, SignInRefused, sessions_of
from tidings.news.store.records_of_people import Person, Scope
from tidings.news.web.access import make_token as made_token
from tidings.news.web.app_state import app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.forms import number_in, text
from tidings.news.web.pages import PageView, respond
from tidings.news.web.session import visit_of


def people(request: Request) -> Answer:
    """The page of all people."""
    with_accounts(request)
    return to_sign_in(request) if visit_of(request).person is None else _page(request)


def add_person(request: Request, form: FormData) -> Answer:
    """Open an account for somebody else."""
    administrator(request)
    name = text(form, "name")
    try:
        sessions_of(request).sign_up(name, secret(form, "password"), Device.of(request), by_admin=True)
    except SignInRefused as refused:
        return _page(request, name=name, refused=refused.key)
    return RedirectResponse("/people", 303)


def change_person(request: Request, form: FormData) -> Answer:
    """Make somebody an administrator, or one no more."""
    administrator(request)
    person = _person(request, form)
    admin = text(form, "admin") == "yes"
    if not admin and sessions_of(request).is_needed(person):
        return _page(request, refused="last_admin")
    app_of(request).store.set_admin(person.id, admin)
    return RedirectResponse("/people", 303)


def remove_person(request: Request, form: FormData) -> Answer:
    """Remove somebody else with everything they kept."""
    own = administrator(request)
    person = _person(request, form)
    if person.id == own.id:
        raise HttpProblem(400, "request")  # for oneself there is the page of the account, which asks for the password
    app_of(request).store.remove_person(person.id)
    return RedirectResponse("/people", 303)


def _person(request: Request, form: FormData) -> Person:
    found = app_of(request).store.person(number_in(form, "person"))
    if found is None:
        raise HttpProblem(404, "missing_page")
    return found


def _page(request: Request, *, name: str = "", refused: str = "") -> PageView:
    own = administrator(request)
    persons = app_of(request).store.persons()
    values = {"person": own, "persons": persons, "name": name, "refused": refused}
    return PageView("accounts/people.html", values, AGAIN if refused else 200)


#: Days that a token may be good for; 0 is for ever.
DAYS: Final = (30, 90, 365, 0)
_LONGEST_NAME: Final = 60


def tokens_page(request: Request) -> Answer:
    """The tokens of whoever asks."""
    return _tokens_page(request)


def make_token(request: Request, form: FormData) -> Answer:
    """Make a token, and show it this once. No browser keeps the page."""
    person, app = person_key(request), app_of(request)
    days = number_in(form, "days")
    if days not in DAYS:
        raise HttpProblem(400, "request")
    scopes = frozenset({Scope.READ, Scope.WRITE} if text(form, "scope") == Scope.WRITE else {Scope.READ})
    now = app.now()
    made = made_token(text(form, "name", _LONGEST_NAME), scopes, now + timedelta(days=days) if days else None)
    if app.store.add_token(made.told, person, now) is None:
        return _tokens_page(request, refused="tokens")
    answer: Response = respond(request, _tokens_page(request, secret=made.secret))
    answer.headers["cache-control"] = "no-store"
    del answer.headers["etag"]
    return answer


def revoke_token(request: Request, form: FormData) -> Answer:
    """A token opens nothing any more."""
    app = app_of(request)
    if not app.store.revoke_token(number_in(form, "number"), person_key(request), app.now()):
        raise HttpProblem(404, "missing_page")
    return RedirectResponse("/tokens", 303)


def _tokens_page(request: Request, *, secret: str = "", refused: str = "") -> PageView:
    app = app_of(request)
    found = app.store.tokens(person_key(request))
    values = {
        "tokens": [one for one in found if one.good(app.now())],
        "over": [one for one in found if not one.good(app.now())],
        "days": DAYS,
        "secret": secret,
        "refused": refused,
    }
    return PageView("accounts/tokens.html", values, AGAIN if refused else 200)
