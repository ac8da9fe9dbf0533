"""The addresses of accounts and of what each person keeps. What changes anything is a form, by POST."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute, Route

from tidings.news.accounts import account, own_sources, people, reading_lists
from tidings.news.accounts.current_user import Action, action, own
from tidings.news.accounts.read_tracking import beacon
from tidings.news.web.pages import Handler, page

_SOON: Final = 20


def _form(path: str, handler: Action) -> Route:
    return Route(path, action(handler), methods=["POST"])


def _own(path: str, handler: Handler) -> Route:
    return Route(path, page(own(handler)))


ROUTES: Final[list[BaseRoute]] = [
    Route("/sign-in", page(account.sign_in_page)),
    _form("/sign-in", account.sign_in),
    Route("/sign-up", page(account.sign_up_page)),
    _form("/sign-up", account.sign_up),
    _form("/sign-out", account.sign_out),
    Route("/account", page(account.account)),
    _form("/account/look", account.change_look),
    _form("/account/password", account.change_password),
    _form("/account/logins/end", account.end_login),
    _form("/account/logins/end-others", account.end_other_logins),
    _form("/account/remove", account.remove_account),
    Route("/people", page(people.people)),
    _form("/people/add", people.add_person),
    _form("/people/change", people.change_person),
    _form("/people/remove", people.remove_person),
    _own("/tokens", people.tokens_page),
    _form("/tokens/make", people.make_token),
    _form("/tokens/revoke", people.revoke_token),
    _own("/saved", reading_lists.saved),
    _form("/article/{number}/save", reading_lists.save),
    _form("/article/{number}/unsave", reading_lists.unsave),
    _form("/article/{number}/read", reading_lists.mark_read),
    _form("/article/{number}/unread", reading_lists.mark_unread),
    _own("/unread", reading_lists.unread),
    _form("/unread/all-read", reading_lists.mark_all_read),
    _own("/my/sources", own_sources.own_sources),
    _own("/my/sources.opml", own_sources.own_list),
    _form("/my/sources/subscribe", own_sources.subscribe),
    _form("/my/sources/unsubscribe", own_sources.unsubscribe),
    _form("/my/sources/rename-folder", own_sources.rename_folder),
    _own("/followed", reading_lists.followed),
    _form("/story/{number}/follow", reading_lists.follow_story),
    _form("/story/{number}/unfollow", reading_lists.unfollow_story),
    Route("/columnists", page(reading_lists.columnists, _SOON)),
    _form("/columnist/{name:path}/follow", reading_lists.follow_columnist),
    _form("/columnist/{name:path}/unfollow", reading_lists.unfollow_columnist),
    Route("/columnist/{name:path}", page(reading_lists.columnist)),
    Route("/beacon", beacon, methods=["POST"]),
]
