"""The addresses of accounts and of what each person keeps. What changes anything is a form, by POST."""

from __future__ import annotations

from typing import Final

from starlette.routing import BaseRoute, Route

from tidings.news.accounts import account, columnists, following, own_sources, people, reading, sign_in, tokens
from tidings.news.accounts.beacon import beacon
from tidings.news.accounts.who import Action, action, own
from tidings.news.web.showing import Handler, page

_SOON: Final = 20


def _form(path: str, handler: Action) -> Route:
    return Route(path, action(handler), methods=["POST"])


def _own(path: str, handler: Handler) -> Route:
    return Route(path, page(own(handler)))


ROUTES: Final[list[BaseRoute]] = [
    Route("/sign-in", page(sign_in.sign_in_page)),
    _form("/sign-in", sign_in.sign_in),
    Route("/sign-up", page(sign_in.sign_up_page)),
    _form("/sign-up", sign_in.sign_up),
    _form("/sign-out", sign_in.sign_out),
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
    _own("/tokens", tokens.tokens_page),
    _form("/tokens/make", tokens.make_token),
    _form("/tokens/revoke", tokens.revoke_token),
    _own("/saved", reading.saved),
    _form("/article/{number}/save", reading.save),
    _form("/article/{number}/unsave", reading.unsave),
    _form("/article/{number}/read", reading.mark_read),
    _form("/article/{number}/unread", reading.mark_unread),
    _own("/unread", reading.unread),
    _form("/unread/all-read", reading.mark_all_read),
    _own("/my/sources", own_sources.own_sources),
    _own("/my/sources.opml", own_sources.own_list),
    _form("/my/sources/subscribe", own_sources.subscribe),
    _form("/my/sources/unsubscribe", own_sources.unsubscribe),
    _form("/my/sources/rename-folder", own_sources.rename_folder),
    _own("/followed", following.followed),
    _form("/story/{number}/follow", following.follow_story),
    _form("/story/{number}/unfollow", following.unfollow_story),
    Route("/columnists", page(columnists.columnists, _SOON)),
    _form("/columnist/{name:path}/follow", following.follow_columnist),
    _form("/columnist/{name:path}/unfollow", following.unfollow_columnist),
    Route("/columnist/{name:path}", page(columnists.columnist)),
    Route("/beacon", beacon, methods=["POST"]),
]
