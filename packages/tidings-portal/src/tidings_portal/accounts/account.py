"""Pages to sign in, sign up and sign out, for account settings, and for the sources that a user subscribes to."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from tidings.sources import write_opml
from tidings.urls import without_credentials
from tidings_portal.accounts.current_user import (
    AGAIN,
    Answer,
    back,
    person_key,
    secret,
    signed_in,
    to_sign_in,
    with_accounts,
)
from tidings_portal.accounts.sessions import LASTS, Device, SignInRefused, sessions_of
from tidings_portal.selection import source_name
from tidings_portal.store import Store
from tidings_portal.store.records_of_people import LOCAL, Person, Subscription
from tidings_portal.store.records_of_work import Source
from tidings_portal.watch.new_sources import as_subscription
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.forms import local_path, number_in, text
from tidings_portal.web.pages import PageView, recount
from tidings_portal.web.sessions import DEVICE, LANGUAGE, READING, SECTIONS, SESSION, THEME, THEMES, cookie, visit_of
from tidings_portal.web.translations import LANGUAGES


def sign_in_page(request: Request) -> Answer:
    """Return the sign-in page, or redirect a user who is signed in already."""
    with_accounts(request)
    goal = local_path(request.query_params.get("next", ""))
    if visit_of(request).person is not None:
        return RedirectResponse(goal, 303)
    if sessions_of(request).takes_new and not app_of(request).settings.sign_up:
        return RedirectResponse("/sign-up", 303)  # nobody is here yet
    return _form(request, "sign_in", goal)


def sign_up_page(request: Request) -> Answer:
    """Return the sign-up page with the form to create an account."""
    with_accounts(request)
    goal = local_path(request.query_params.get("next", ""))
    if visit_of(request).person is not None:
        return RedirectResponse(goal, 303)
    if not sessions_of(request).takes_new:
        return RedirectResponse("/sign-in", 303)
    return _form(request, "sign_up", goal)


def sign_in(request: Request, form: FormData) -> Answer:
    """Sign in with name and password."""
    return _entered(request, form, "sign_in", sessions_of(request).sign_in)


def sign_up(request: Request, form: FormData) -> Answer:
    """Create an account and sign in."""
    sessions = sessions_of(request)
    setup = text(form, "setup") if sessions.setup_token else ""
    return _entered(request, form, "sign_up", partial(sessions.sign_up, setup=setup))


def _entered(request: Request, form: FormData, page: str, enter: Callable[[str, str, Device], Person]) -> Answer:
    """Sign in with the submitted name and password, or return the form with the error."""
    with_accounts(request)
    name = text(form, "name")
    try:
        return admitted(request, text(form, "next"), enter(name, secret(form, "password"), Device.of(request)))
    except SignInRefused as refused:
        return _form(request, page, local_path(text(form, "next")), name, refused.key)


def sign_out(request: Request, form: FormData) -> Answer:
    """Sign out and end the login session."""
    with_accounts(request)
    visit = visit_of(request)
    if visit.session:
        sessions_of(request).sign_out(visit.session)
    return signed_out(app_of(request), back(form))


def signed_out(app: App, answer: Response) -> Response:
    """Make a response delete the session cookie and clear the browser cache, and return it."""
    answer.headers.append("set-cookie", cookie(app, SESSION, "", 0))
    answer.headers["clear-site-data"] = '"cache"'
    return answer


def admitted(request: Request, goal: str, person: Person) -> Response:
    """Return the response that starts a login session and redirects to `goal`."""
    app, visit = app_of(request), visit_of(request)
    sessions = sessions_of(request)
    made = sessions.admit(person, request.headers.get("user-agent", ""), visit.session)
    device = sessions.remember(Device.of(request), person)
    answer = RedirectResponse(local_path(goal), 303)
    answer.headers.append("set-cookie", cookie(app, DEVICE, device.cookie))
    answer.headers.append("set-cookie", cookie(app, SESSION, made, int(LASTS.total_seconds())))
    if person.settings.language:
        answer.headers.append("set-cookie", cookie(app, LANGUAGE, person.settings.language))
    for name in (READING, SECTIONS):
        if kept := app.store.preference(person.key, name):
            answer.headers.append("set-cookie", cookie(app, name, kept))
    if person.settings.theme:
        answer.headers.append("set-cookie", cookie(app, THEME, person.settings.theme))
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
    """Return the account settings page of the signed-in user."""
    with_accounts(request)
    return to_sign_in(request) if visit_of(request).person is None else _page(request)


def change_look(request: Request, form: FormData) -> Answer:
    """Save the user's language and theme in the account and in cookies of the browser."""
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
    """Save language and theme in the account of the signed-in user.

    Raises:
        HttpProblem: nobody is signed in.
    """
    _, person = signed_in(request)
    app_of(request).store.change_person(person.id, language=language, theme=theme)


def change_password(request: Request, form: FormData) -> Answer:
    """Change the user's password and sign out all their other browsers."""
    _, person = signed_in(request)
    old, new = secret(form, "old"), secret(form, "password")

    def work() -> Answer:
        staying = visit_of(request).session
        sessions_of(request).change_password(person, old, new, Device.of(request), staying)
        return _page(request, done="password")

    return _tried(request, "password", work)


def end_login(request: Request, form: FormData) -> Answer:
    """End another login session of the user, such as one on a lost phone."""
    login, person = signed_in(request)
    number = number_in(form, "login")
    if number == login.id:
        raise HttpProblem(400, "request")  # for this one there is the way out
    if not app_of(request).store.end_logins(person.id, [number]):
        raise HttpProblem(404, "missing_page")
    return RedirectResponse("/account#logins", 303)


def end_other_logins(request: Request, form: FormData) -> Answer:  # noqa: ARG001  # the form holds its token alone
    """End all login sessions of the user except the current one."""
    login, person = signed_in(request)
    app = app_of(request)
    others = [one.id for one in app.store.logins(person.id, app.now()) if one.id != login.id]
    app.store.end_logins(person.id, others)
    return RedirectResponse("/account#logins", 303)


def remove_account(request: Request, form: FormData) -> Answer:
    """Delete the user's account with all its data."""
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


_PAGE = "/my/sources"
_LONGEST_NAME = 100


@dataclass(frozen=True, slots=True)
class OwnSourceRow:
    """A row in the user's list of sources. Its URL contains no password."""

    number: int
    name: str
    address: str
    plain_name: str  # as the source is called; `name` may be their own
    title: str = ""
    folder: str = ""
    unread: int = 0


def own_sources(request: Request) -> Answer:
    """Return the page of the user's sources by folder, and of the sources that they could add."""
    if visit_of(request).is_local:
        return RedirectResponse("/sources", 303)
    store = app_of(request).store
    own = store.subscriptions(person_key(request))
    known = {one.source.id for one in own}
    others = [one for one in store.sources() if one.id not in known]
    lines = [_own(one) for one in own]
    values = {
        "folders": [(name, list(part)) for name, part in groupby(lines, key=lambda one: one.folder)],
        "names": folders_of(own),
        "others": [_other(one) for one in others],
        "other_folders": sorted({one.settings.folder for one in others if one.settings.folder}, key=str.casefold),
    }
    return PageView("accounts/own_sources.html", values)


def own_list(request: Request) -> Answer:
    """Export the user's sources as OPML, with their titles and folders."""
    app = app_of(request)
    lines = [(one.source.settings, _own(one)) for one in subscriptions_of(app.store, person_key(request))]
    told = [replace(source, title=own.name, folder=own.folder, address=own.address) for source, own in lines]
    headers = {"content-disposition": 'attachment; filename="my-sources.opml"', "cache-control": "private, no-cache"}
    return Response(
        write_opml(map(as_subscription, told), app.settings.name), headers=headers, media_type="text/x-opml"
    )


def subscribe(request: Request, form: FormData) -> Answer:
    """Subscribe the user to a source, or move a source to another folder."""
    app = app_of(request)
    folder, title = text(form, "folder", _LONGEST_NAME), text(form, "title", _LONGEST_NAME)
    source = number_in(form, "source")
    if not app.store.subscribe(source, person_key(request), app.now(), folder=folder, title=title):
        if app.store.source(source) is None:
            raise HttpProblem(404, "no_source")
        raise HttpProblem(409, "too_many")
    recount(app, person_key(request))
    return back(form, _PAGE)


def subscribe_to_all(request: Request, form: FormData) -> Answer:
    """Subscribe to all sources, or to those in a folder of the site."""
    app = app_of(request)
    folder = text(form, "folder", _LONGEST_NAME) if "folder" in form else None
    app.store.subscribe_to_all(person_key(request), app.now(), folder=folder)
    recount(app, person_key(request))
    return back(form, _PAGE)


def unsubscribe(request: Request, form: FormData) -> Answer:
    """Unsubscribe the user from a source."""
    app, person = app_of(request), person_key(request)
    if not app.store.unsubscribe(number_in(form, "source"), person):
        raise HttpProblem(404, "no_source")
    recount(app, person)
    return back(form, _PAGE)


def rename_folder(request: Request, form: FormData) -> Answer:
    """Rename one of the user's folders."""
    old, new = text(form, "folder", _LONGEST_NAME), text(form, "name", _LONGEST_NAME)
    app, person = app_of(request), person_key(request)
    renamed = app.store.rename_folder(old, new, person) if old else 0
    if old and visit_of(request).is_local:
        inside = [one for one in app.store.sources() if one.settings.folder == old]
        renamed += sum(app.store.change_source(one.id, replace(one.settings, folder=new)) for one in inside)
        app.cache.forget()
    if not renamed:
        raise HttpProblem(404, "missing_page")
    return back(form, _PAGE)


def folders_of(own: Sequence[Subscription]) -> list[str]:
    """Return the folder names of subscriptions, each once."""
    return sorted({one.folder for one in own if one.folder}, key=str.casefold)


def subscriptions_of(store: Store, person: str, *, most_unread: int = 0) -> list[Subscription]:
    """Return the subscriptions of a user, or all sources if there are none."""
    own = store.subscriptions(person, most_unread=0 if person == LOCAL else most_unread)
    if person != LOCAL and own:
        return own
    named = {one.source.id: one for one in own}
    every = store.sources()
    unread = store.unread_by_source(person, [one.id for one in every], most=most_unread) if most_unread else {}
    found = []
    for one in every:
        title, folder = (named[one.id].title, named[one.id].folder) if one.id in named else ("", "")
        found.append(Subscription(one, folder or one.settings.folder, title, one.added, unread.get(one.id, 0)))
    return sorted(found, key=lambda one: (one.folder.casefold(), one.name.casefold(), one.source.id))


def _own(subscription: Subscription) -> OwnSourceRow:
    source = _other(subscription.source)
    return replace(
        source,
        name=subscription.title or source.name,
        title=subscription.title,
        folder=subscription.folder,
        unread=subscription.unread,
    )


def _other(source: Source) -> OwnSourceRow:
    return OwnSourceRow(
        source.id,
        source_name(source),
        without_credentials(source.settings.address),
        source_name(source),
        folder=source.settings.folder,
    )
