"""Whom and what somebody follows: stories, and columnists as people (N-EXT thesis, chapter 7)."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request

from tidings.news.accounts.who import Answer, back, person_key
from tidings.news.portal.article import number_asked
from tidings.news.portal.lists import PAGE, cursor
from tidings.news.web.house import house_of
from tidings.news.web.problems import Problem
from tidings.news.web.showing import Shown


def followed(request: Request) -> Answer:
    """What somebody follows, and the news of it."""
    store, person = house_of(request).store, person_key(request)
    news = store.followed_news(person, limit=PAGE, after=cursor(request))
    values = {
        "stories": store.followed(person),
        "columnists": store.followed_columnists(person),
        "items": news.items,
        "after": news.after,
        "first": cursor(request) is None,
        "unread": store.unread_among(person, [one.id for one in news.items]),
    }
    return Shown("accounts/followed.html", values)


def follow_story(request: Request, form: FormData) -> Answer:
    """Follow a story."""
    house, number = house_of(request), number_asked(request)
    if number is None or not house.store.follow(number, person_key(request), house.now()):
        raise Problem(404, "no_story")
    return back(form, f"/story/{number}")


def unfollow_story(request: Request, form: FormData) -> Answer:
    """Follow a story no more."""
    number = number_asked(request)
    if number is None or not house_of(request).store.unfollow(number, person_key(request)):
        raise Problem(404, "no_story")
    return back(form, "/followed")


def follow_columnist(request: Request, form: FormData) -> Answer:
    """Follow a columnist."""
    house, name = house_of(request), request.path_params["name"]
    if not house.store.follow_columnist(name, person_key(request), house.now()):
        if house.store.columnist(name) is None:
            raise Problem(404, "no_columnist")
        raise Problem(409, "too_many")
    return back(form, "/followed")


def unfollow_columnist(request: Request, form: FormData) -> Answer:
    """Follow a columnist no more."""
    if not house_of(request).store.unfollow_columnist(request.path_params["name"], person_key(request)):
        raise Problem(404, "no_columnist")
    return back(form, "/followed")
