"""One's own account: look and language, password, where one is signed in, and the way out."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse

from tidings.news.accounts.devices import Device
from tidings.news.accounts.reception import Refused, reception_of
from tidings.news.accounts.sign_in import signed_out
from tidings.news.accounts.who import AGAIN, Answer, secret, signed_in, to_sign_in, with_accounts
from tidings.news.web.forms import text
from tidings.news.web.house import house_of
from tidings.news.web.problems import Problem
from tidings.news.web.showing import Shown
from tidings.news.web.visit import LANGUAGE, THEME, THEMES, cookie, visit_of
from tidings.news.web.words import LANGUAGES

_LONGEST_NUMBER = 16


def account(request: Request) -> Answer:
    """The page of the account."""
    with_accounts(request)
    return to_sign_in(request) if visit_of(request).person is None else _page(request)


def change_look(request: Request, form: FormData) -> Answer:
    """Language and look, for every browser that one signs in with."""
    house = house_of(request)
    language, theme = text(form, "language"), text(form, "theme")
    if language not in {"", *LANGUAGES} or theme not in THEMES:
        raise Problem(400, "request")
    keep_look(request, language, theme)
    answer = RedirectResponse("/account", 303)
    answer.headers.append("set-cookie", cookie(house, LANGUAGE, language, *(() if language else (0,))))
    answer.headers.append("set-cookie", cookie(house, THEME, theme, *(() if theme else (0,))))
    return answer


def keep_look(request: Request, language: str, theme: str) -> None:
    """Keep language and look with the account of whoever asks.

    Raises:
        Problem: nobody is signed in.
    """
    _, person = signed_in(request)
    house_of(request).store.change_person(person.id, language=language, theme=theme)


def change_password(request: Request, form: FormData) -> Answer:
    """Another password; every other browser is signed out."""
    _, person = signed_in(request)
    old, new = secret(form, "old"), secret(form, "password")

    def work() -> Answer:
        staying = visit_of(request).session
        reception_of(request).change_password(person, old, new, Device.of(request), staying)
        return _page(request, done="password")

    return _tried(request, "password", work)


def end_login(request: Request, form: FormData) -> Answer:
    """Sign out somewhere else."""
    login, person = signed_in(request)
    number = number_in(form, "login")
    if number == login.id:
        raise Problem(400, "request")  # for this one there is the way out
    if not house_of(request).store.end_logins(person.id, [number]):
        raise Problem(404, "missing_page")
    return RedirectResponse("/account#logins", 303)


def end_other_logins(request: Request, form: FormData) -> Answer:  # noqa: ARG001  # the form holds its token alone
    """Sign out everywhere else."""
    login, person = signed_in(request)
    house = house_of(request)
    others = [one.id for one in house.store.logins(person.id, house.now()) if one.id != login.id]
    house.store.end_logins(person.id, others)
    return RedirectResponse("/account#logins", 303)


def remove_account(request: Request, form: FormData) -> Answer:
    """Remove the account with everything in it."""
    _, person = signed_in(request)

    def work() -> Answer:
        reception_of(request).remove(person, secret(form, "password"), Device.of(request))
        return signed_out(house_of(request), RedirectResponse("/", 303))

    return _tried(request, "remove", work)


def number_in(form: FormData, name: str) -> int:
    """A number that a form holds.

    Raises:
        Problem: it is none.
    """
    said = text(form, name)
    if not (said.isascii() and said.isdigit() and len(said) < _LONGEST_NUMBER):
        raise Problem(400, "request")
    return int(said)


def _tried(request: Request, where: str, work: Callable[[], Answer]) -> Answer:
    try:
        return work()
    except Refused as refused:
        return _page(request, where=where, refused=refused.key)


def _page(request: Request, *, where: str = "", refused: str = "", done: str = "") -> Shown:
    login, person = signed_in(request)
    house = house_of(request)
    values = {
        "person": person,
        "login": login,
        "logins": house.store.logins(person.id, house.now()),
        "where": where,
        "refused": refused,
        "done": done,
    }
    return Shown("accounts/account.html", values, AGAIN if refused else 200)
