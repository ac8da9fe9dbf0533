"""Routes of accounts, with pages for user administration, API tokens, saved articles, followed stories, columnists.

Changes need a form sent by POST. Columnist pages are public (N-EXT thesis, chapter 7).
"""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from urllib.parse import quote

from starlette.datastructures import FormData
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tidings_portal.accounts import account, oidc, reading_list
from tidings_portal.accounts.current_user import (
    AGAIN,
    Action,
    Answer,
    action,
    administrator,
    back,
    own,
    person_key,
    secret,
    to_sign_in,
    with_accounts,
)
from tidings_portal.accounts.read_tracking import beacon
from tidings_portal.accounts.sessions import Device, SignInRefused, sessions_of
from tidings_portal.store.records_of_articles import Only
from tidings_portal.store.records_of_people import Person, Scope
from tidings_portal.web.access import make_token as made_token
from tidings_portal.web.app_state import app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.forms import number_in, text
from tidings_portal.web.pages import (
    PAGE,
    Handler,
    PageView,
    cursor,
    number_in_path,
    page,
    respond,
)
from tidings_portal.web.sessions import visit_of


def people(request: Request) -> Answer:
    """Return the user administration page with all users."""
    with_accounts(request)
    return to_sign_in(request) if visit_of(request).person is None else _page(request)


def add_person(request: Request, form: FormData) -> Answer:
    """Create an account for another user."""
    administrator(request)
    name = text(form, "name")
    try:
        sessions_of(request).sign_up(name, secret(form, "password"), Device.of(request), by_admin=True)
    except SignInRefused as refused:
        return _page(request, name=name, refused=refused.key)
    return RedirectResponse("/people", 303)


def change_person(request: Request, form: FormData) -> Answer:
    """Grant or revoke administrator rights."""
    administrator(request)
    person = _person(request, form)
    admin = text(form, "admin") == "yes"
    if not admin and sessions_of(request).is_needed(person):
        return _page(request, refused="last_admin")
    app_of(request).store.set_admin(person.id, admin)
    return RedirectResponse("/people", 303)


def remove_person(request: Request, form: FormData) -> Answer:
    """Remove another user with all their data."""
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
    """Return the page of the user's API tokens."""
    return _tokens_page(request)


def make_token(request: Request, form: FormData) -> Answer:
    """Create an API token and return the page that shows it once. The page is not cached."""
    person, app = person_key(request), app_of(request)
    days = number_in(form, "days")
    if days not in DAYS:
        raise HttpProblem(400, "request")
    scopes = frozenset({Scope.READ, Scope.WRITE} if text(form, "scope") == Scope.WRITE else {Scope.READ})
    now = app.now()
    made = made_token(text(form, "name", _LONGEST_NAME), scopes, now + timedelta(days=days) if days else None)
    if app.store.add_token(made.record, person, now) is None:
        return _tokens_page(request, refused="tokens")
    answer: Response = respond(request, _tokens_page(request, secret=made.secret))
    answer.headers["cache-control"] = "no-store"
    del answer.headers["etag"]
    return answer


def revoke_token(request: Request, form: FormData) -> Answer:
    """Revoke one of the user's API tokens."""
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


def saved(request: Request) -> Answer:
    """Return the page of saved articles."""
    found = app_of(request).store.saved(person_key(request), limit=PAGE, after=cursor(request))
    values = {"items": found.items, "after": found.after, "first": cursor(request) is None}
    return PageView("accounts/saved.html", values)


def followed(request: Request) -> Answer:
    """Return the page of followed stories and columnists."""
    store, person = app_of(request).store, person_key(request)
    news = store.followed_news(person, limit=PAGE, after=cursor(request))
    values = {
        "stories": store.followed(person),
        "columnists": store.followed_columnists(person),
        "items": news.items,
        "after": news.after,
        "first": cursor(request) is None,
        "unread": store.unread_among(person, [one.id for one in news.items]),
    }
    return PageView("accounts/followed.html", values)


def follow_story(request: Request, form: FormData) -> Answer:
    """Follow a story."""
    app, number = app_of(request), number_in_path(request)
    if number is None or not app.store.follow(number, person_key(request), app.now()):
        raise HttpProblem(404, "no_story")
    return back(form, f"/story/{number}")


def unfollow_story(request: Request, form: FormData) -> Answer:
    """Unfollow a story."""
    number = number_in_path(request)
    if number is None or not app_of(request).store.unfollow(number, person_key(request)):
        raise HttpProblem(404, "no_story")
    return back(form, "/followed")


def follow_columnist(request: Request, form: FormData) -> Answer:
    """Follow a columnist."""
    app, name = app_of(request), request.path_params["name"]
    if not app.store.follow_columnist(name, person_key(request), app.now()):
        if app.store.columnist(name) is None:
            raise HttpProblem(404, "no_columnist")
        raise HttpProblem(409, "too_many")
    return back(form, "/followed")


def unfollow_columnist(request: Request, form: FormData) -> Answer:
    """Unfollow a columnist."""
    if not app_of(request).store.unfollow_columnist(request.path_params["name"], person_key(request)):
        raise HttpProblem(404, "no_columnist")
    return back(form, "/followed")


_MOST: Final = 200


def columnists(request: Request) -> PageView:
    """Return the page of columnists, or of all authors if none has written more than once."""
    store = app_of(request).store
    found = store.columnists(limit=_MOST) or store.columnists(least=1, limit=_MOST)
    return PageView("accounts/columnists.html", {"columnists": found})


def columnist(request: Request) -> PageView:
    """Return the page of a columnist, with the latest articles first."""
    app, name = app_of(request), request.path_params["name"]
    found = app.store.columnist(name)
    if found is None:
        raise HttpProblem(404, "no_columnist")
    person = visit_of(request).person
    articles = app.store.articles(Only(author=name, reader=visit_of(request).person), limit=PAGE, after=cursor(request))
    values = {
        "one": found,
        "items": articles.items,
        "after": articles.after,
        "first": cursor(request) is None,
        "feed": f"/feeds/columnist/{quote(found.name, safe='')}.rss",
        "is_followed": person is not None and app.store.is_followed_columnist(name, person),
    }
    return PageView("accounts/columnist.html", values)


_SOON: Final = 20


def _form(path: str, handler: Action) -> Route:
    return Route(path, action(handler), methods=["POST"])


def _own(path: str, handler: Handler) -> Route:
    return Route(path, page(own(handler)))


ROUTES: Final[list[BaseRoute]] = [
    Route("/sign-in", page(account.sign_in_page)),
    _form("/sign-in", account.sign_in),
    Route("/sign-in/openid", oidc.begin),
    Route("/sign-in/openid/callback", oidc.finish),
    Route("/sign-up", page(account.sign_up_page)),
    _form("/sign-up", account.sign_up),
    _form("/sign-out", account.sign_out),
    Route("/account", page(account.account)),
    _form("/account/look", account.change_look),
    _form("/account/password", account.change_password),
    _form("/account/logins/end", account.end_login),
    _form("/account/logins/end-others", account.end_other_logins),
    _form("/account/remove", account.remove_account),
    Route("/people", page(people)),
    _form("/people/add", add_person),
    _form("/people/change", change_person),
    _form("/people/remove", remove_person),
    _own("/tokens", tokens_page),
    _form("/tokens/make", make_token),
    _form("/tokens/revoke", revoke_token),
    _own("/saved", saved),
    _form("/article/{number}/save", reading_list.save),
    _form("/article/{number}/unsave", reading_list.unsave),
    _form("/article/{number}/read", reading_list.mark_read),
    _form("/article/{number}/unread", reading_list.mark_unread),
    _form("/article/{number}/label", reading_list.label),
    _form("/article/{number}/unlabel", reading_list.unlabel),
    _form("/article/{number}/note", reading_list.write_note),
    _own("/unread", reading_list.unread),
    _form("/unread/all-read", reading_list.mark_all_read),
    _form("/unread/seen", reading_list.mark_seen),
    _form("/unread/undo", reading_list.undo),
    _form("/unread/scrolling", reading_list.choose_scrolling),
    _form("/labels/rename", reading_list.rename_label),
    _own("/my/sources", account.own_sources),
    _own("/my/sources.opml", account.own_list),
    _form("/my/sources/subscribe", account.subscribe),
    _form("/my/sources/subscribe-to-all", account.subscribe_to_all),
    _form("/my/sources/unsubscribe", account.unsubscribe),
    _form("/my/sources/rename-folder", account.rename_folder),
    _own("/followed", followed),
    _form("/story/{number}/follow", follow_story),
    _form("/story/{number}/unfollow", unfollow_story),
    Route("/columnists", page(columnists, _SOON)),
    _form("/columnist/{name:path}/follow", follow_columnist),
    _form("/columnist/{name:path}/unfollow", unfollow_columnist),
    Route("/columnist/{name:path}", page(columnist)),
    Route("/beacon", beacon, methods=["POST"]),
]
