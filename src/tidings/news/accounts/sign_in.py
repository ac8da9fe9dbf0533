"""Signing in, up and out."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.news.accounts.devices import Device
from tidings.news.accounts.reception import LASTS, Refused, reception_of
from tidings.news.accounts.who import AGAIN, Answer, back, secret, with_accounts
from tidings.news.store.records_of_people import Person
from tidings.news.web.forms import text
from tidings.news.web.house import House, house_of
from tidings.news.web.local_address import local
from tidings.news.web.showing import Shown
from tidings.news.web.visit import DEVICE, LANGUAGE, SESSION, THEME, cookie, visit_of


def sign_in_page(request: Request) -> Answer:
    """The form to sign in with."""
    with_accounts(request)
    goal = local(request.query_params.get("next", ""))
    if visit_of(request).person is not None:
        return RedirectResponse(goal, 303)
    if reception_of(request).takes_new and not house_of(request).terms.sign_up:
        return RedirectResponse("/sign-up", 303)  # nobody is here yet
    return _form(request, "sign_in", goal)


def sign_up_page(request: Request) -> Answer:
    """The form to open an account with."""
    with_accounts(request)
    goal = local(request.query_params.get("next", ""))
    if visit_of(request).person is not None:
        return RedirectResponse(goal, 303)
    if not reception_of(request).takes_new:
        return RedirectResponse("/sign-in", 303)
    return _form(request, "sign_up", goal)


def sign_in(request: Request, form: FormData) -> Answer:
    """Somebody gives name and password."""
    return _entered(request, form, "sign_in", reception_of(request).sign_in)


def sign_up(request: Request, form: FormData) -> Answer:
    """Somebody opens an account, and is signed in with it."""
    return _entered(request, form, "sign_up", reception_of(request).sign_up)


def _entered(request: Request, form: FormData, page: str, enter: Callable[[str, str, Device], Person]) -> Answer:
    """Somebody who gave name and password is let in, or gets the page again with the reason why not."""
    with_accounts(request)
    name = text(form, "name")
    try:
        return _admitted(request, form, enter(name, secret(form, "password"), Device.of(request)))
    except Refused as refused:
        return _form(request, page, local(text(form, "next")), name, refused.key)


def sign_out(request: Request, form: FormData) -> Answer:
    """Somebody goes; what their browser holds opens nothing any more."""
    with_accounts(request)
    visit = visit_of(request)
    if visit.session:
        reception_of(request).sign_out(visit.session)
    return signed_out(house_of(request), back(form))


def signed_out(house: House, answer: Response) -> Response:
    """An answer with which a browser forgets who it was."""
    answer.headers.append("set-cookie", cookie(house, SESSION, "", 0))
    answer.headers["clear-site-data"] = '"cache"'
    return answer


def _admitted(request: Request, form: FormData, person: Person) -> Response:
    house, visit = house_of(request), visit_of(request)
    at_reception = reception_of(request)
    made = at_reception.admit(person, request.headers.get("user-agent", ""), visit.session)
    device = at_reception.remember(Device.of(request), person)
    answer = back(form)
    answer.headers.append("set-cookie", cookie(house, DEVICE, device.cookie))
    answer.headers.append("set-cookie", cookie(house, SESSION, made, int(LASTS.total_seconds())))
    if person.told.language:
        answer.headers.append("set-cookie", cookie(house, LANGUAGE, person.told.language))
    if person.told.theme:
        answer.headers.append("set-cookie", cookie(house, THEME, person.told.theme))
    return answer


def _form(request: Request, kind: str, goal: str, name: str = "", refused: str = "") -> Shown:
    at_reception = reception_of(request)
    values = {
        "kind": kind,
        "goal": goal,
        "name": name,
        "refused": refused,
        "takes_new": at_reception.takes_new,
        "is_first": at_reception.takes_new and not house_of(request).store.persons(),
    }
    return Shown("accounts/sign_in.html", values, AGAIN if refused else 200)
