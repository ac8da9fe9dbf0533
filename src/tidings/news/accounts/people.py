"""Everybody who has an account, for those who run the house."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse

from tidings.news.accounts.account import number_in
from tidings.news.accounts.devices import Device
from tidings.news.accounts.reception import Refused, reception_of
from tidings.news.accounts.who import AGAIN, Answer, administrator, secret, to_sign_in, with_accounts
from tidings.news.store.records_of_people import Person
from tidings.news.web.forms import text
from tidings.news.web.house import house_of
from tidings.news.web.problems import Problem
from tidings.news.web.showing import Shown
from tidings.news.web.visit import visit_of


def people(request: Request) -> Answer:
    """The page of all people."""
    with_accounts(request)
    return to_sign_in(request) if visit_of(request).person is None else _page(request)


def add_person(request: Request, form: FormData) -> Answer:
    """Open an account for somebody else."""
    administrator(request)
    name = text(form, "name")
    try:
        reception_of(request).sign_up(name, secret(form, "password"), Device.of(request), by_admin=True)
    except Refused as refused:
        return _page(request, name=name, refused=refused.key)
    return RedirectResponse("/people", 303)


def change_person(request: Request, form: FormData) -> Answer:
    """Make somebody an administrator, or one no more."""
    administrator(request)
    person = _person(request, form)
    admin = text(form, "admin") == "yes"
    if not admin and reception_of(request).is_needed(person):
        return _page(request, refused="last_admin")
    house_of(request).store.set_admin(person.id, admin)
    return RedirectResponse("/people", 303)


def remove_person(request: Request, form: FormData) -> Answer:
    """Remove somebody else with everything they kept."""
    own = administrator(request)
    person = _person(request, form)
    if person.id == own.id:
        raise Problem(400, "request")  # for oneself there is the page of the account, which asks for the password
    house_of(request).store.remove_person(person.id)
    return RedirectResponse("/people", 303)


def _person(request: Request, form: FormData) -> Person:
    found = house_of(request).store.person(number_in(form, "person"))
    if found is None:
        raise Problem(404, "missing_page")
    return found


def _page(request: Request, *, name: str = "", refused: str = "") -> Shown:
    own = administrator(request)
    persons = house_of(request).store.persons()
    values = {"person": own, "persons": persons, "name": name, "refused": refused}
    return Shown("accounts/people.html", values, AGAIN if refused else 200)
