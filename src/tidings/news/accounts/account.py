"""Signing in, up and out; and one's own account: look and language, password, where one is signed in, the way out."""

from __future__ import annotations

from collections.abc import Callable

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.news.accounts.current_user import AGAIN, Answer, back, secret, signed_in, to_sign_in, with_accounts
from tidings.news.accounts.sessions import LASTS, Device, SignInRefused, sessions_of
from tidings.news.store.records_of_people import Person
from tidings.news.web.app_state import App, app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.forms import local, number_in, text
from tidings.news.web.pages import PageView
from tidings.news.web.session import DEVICE, LANGUAGE, READING, SECTIONS, SESSION, THEME, THEMES, cookie, visit_of
from tidings.news.web.words import LANGUAGES


def sign_in_page(request: Request) -> Answer:
    """The form to sign in with."""
    with_accounts(request)
    goal = local(request.query_params.get("next", ""))
    if visit_of(request).person is not None:
        return RedirectResponse(goal, 303)
    if sessions_of(request).takes_new and not app_of(request).settings.sign_up:
        return RedirectResponse("/sign-up", 303)  # nobody is here yet
    return _form(request, "sign_in", goal)


def sign_up_page(request: Request) -> Answer:
    """The form to open an account with."""
    with_accounts(request)
    goal = local(request.query_params.get("next", ""))
    if visit_of(request).person is not None:
        return RedirectResponse(goal, 303)
    if not sessions_of(request).takes_new:
        return RedirectResponse("/sign-in", 303)
    return _form(request, "sign_up", goal)


def sign_in(request: Request, form: FormData) -> Answer:
    """Somebody gives name and password."""
    return _entered(request, form, "sign_in", sessions_of(request).sign_in)


def sign_up(request: Request, form: FormData) -> Answer:
    """Somebody opens an account, and is signed in with it."""
    return _entered(request, form, "sign_up", sessions_of(request).sign_up)


def _entered(request: Request, form: FormData, page: str, enter: Callable[[str, str, Device], Person]) -> Answer:
    """Somebody who gave name and password is let in, or gets the page again with the reason why not."""
    with_accounts(request)
    name = text(form, "name")
    try:
        return _admitted(request, form, enter(name, secret(form, "password"), Device.of(request)))
    except SignInRefused as refused:
        return _form(request, page, local(text(form, "next")), name, refused.key)


def sign_out(request: Request, form: FormData) -> Answer:
    """Somebody goes; what their browser holds opens nothing any more."""
    with_accounts(request)
    visit = visit_of(request)
    if visit.session:
        sessions_of(request).sign_out(visit.session)
    return signed_out(app_of(request), back(form))


def signed_out(app: App, answer: Response) -> Response:
    """An answer with which a browser forgets who it was."""
    answer.headers.append("set-cookie", cookie(app, SESSION, "", 0))
    answer.headers["clear-site-data"] = '"cache"'
    return answer


def _admitted(request: Request, form: FormData, person: Person) -> Response:
    app, visit = app_of(request), visit_of(request)
    sessions = sessions_of(request)
    made = sessions.admit(person, request.headers.get("user-agent", ""), visit.session)
    device = sessions.remember(Device.of(request), person)
    answer = back(form)
    answer.headers.append("set-cookie", cookie(app, DEVICE, device.cookie))
    answer.headers.append("set-cookie", cookie(app, SESSION, made, int(LASTS.total_seconds())))
    if person.told.language:
        answer.headers.append("set-cookie", cookie(app, LANGUAGE, person.told.language))
    for name in (READING, SECTIONS):
        if kept := app.store.preference(person.key, name):
            answer.headers.append("set-cookie", cookie(app, name, kept))
    if person.told.theme:
        answer.headers.append("set-cookie", cookie(app, THEME, person.told.theme))
    return answer


def _form(request: Request, kind: str, goal: str, name: str = "", refused: str = "") -> PageView:
    sessions = sessions_of(request)
    values = {
        "kind": kind,
        "goal": goal,
        "name": name,
        "refused": refused,
        "takes_new": sessions.takes_new,
        "is_first": sessions.takes_new and not app_of(request).store.persons(),
    }
    return PageView("accounts/sign_in.html", values, AGAIN if refused else 200)


def account(request: Request) -> Answer:
    """The page of the account."""
    with_accounts(request)
    return to_sign_in(request) if visit_of(request).person is None else _page(request)


def change_look(request: Request, form: FormData) -> Answer:
    """Language and look, for every browser that one signs in with."""
    app = app_of(request)
    language, theme = text(form, "language"), text(form, "theme")
    if language not in {"", *LANGUAGES} or theme not in THEMES:
        raise HttpProblem(400, "request")
    keep_look(request, language, theme)
    answer = RedirectResponse("/account", 303)
    answer.headers.append("set-cookie", cookie(app, LANGUAGE, language, *(() if language else (0,))))
    answer.headers.append("set-cookie", cookie(app, THEME, theme, *(() if theme else (0,))))
    return answer


def keep_look(request: Request, language: str, theme: str) -> None:
    """Keep language and look with the account of whoever asks.

    Raises:
        Problem: nobody is signed in.
    """
    _, person = signed_in(request)
    app_of(request).store.change_person(person.id, language=language, theme=theme)


def change_password(request: Request, form: FormData) -> Answer:
    """Another password; every other browser is signed out."""
    _, person = signed_in(request)
    old, new = secret(form, "old"), secret(form, "password")

    def work() -> Answer:
        staying = visit_of(request).session
        sessions_of(request).change_password(person, old, new, Device.of(request), staying)
        return _page(request, done="password")

    return _tried(request, "password", work)


def end_login(request: Request, form: FormData) -> Answer:
    """Sign out somewhere else."""
    login, person = signed_in(request)
    number = number_in(form, "login")
    if number == login.id:
        raise HttpProblem(400, "request")  # for this one there is the way out
    if not app_of(request).store.end_logins(person.id, [number]):
        raise HttpProblem(404, "missing_page")
    return RedirectResponse("/account#logins", 303)


def end_other_logins(request: Request, form: FormData) -> Answer:  # noqa: ARG001  # the form holds its token alone
    """Sign out everywhere else."""
    login, person = signed_in(request)
    app = app_of(request)
    others = [one.id for one in app.store.logins(person.id, app.now()) if one.id != login.id]
    app.store.end_logins(person.id, others)
    return RedirectResponse("/account#logins", 303)


def remove_account(request: Request, form: FormData) -> Answer:
    """Remove the account with everything in it."""
    _, person = signed_in(request)

    def work() -> Answer:
        sessions_of(request).remove(person, secret(form, "password"), Device.of(request))
        return signed_out(app_of(request), RedirectResponse("/", 303))

    return _tried(request, "remove", work)


def _tried(request: Request, where: str, work: Callable[[], Answer]) -> Answer:
    try:
        return work()
    except SignInRefused as refused:
        return _page(request, where=where, refused=refused.key)


def _page(request: Request, *, where: str = "", refused: str = "", done: str = "") -> PageView:
    login, person = signed_in(request)
    app = app_of(request)
    values = {
        "person": person,
        "login": login,
        "logins": app.store.logins(person.id, app.now()),
        "where": where,
        "refused": refused,
        "done": done,
    }
    return PageView("accounts/account.html", values, AGAIN if refused else 200)
