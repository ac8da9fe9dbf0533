"""What somebody keeps of articles: saved ones, and which are still to be read."""

from __future__ import annotations

from starlette.datastructures import FormData
from starlette.requests import Request

from tidings.news.accounts.account import number_in
from tidings.news.accounts.own_sources import folders_of, sources_in
from tidings.news.accounts.who import Answer, back, person_key
from tidings.news.names import name_of
from tidings.news.portal.article import number_asked
from tidings.news.portal.lists import PAGE, cursor
from tidings.news.web.forms import text
from tidings.news.web.house import house_of
from tidings.news.web.own_reading import MOST, recount
from tidings.news.web.problems import Problem
from tidings.news.web.showing import Shown


def saved(request: Request) -> Answer:
    """What somebody saved."""
    found = house_of(request).store.saved(person_key(request), limit=PAGE, after=cursor(request))
    values = {"items": found.items, "after": found.after, "first": cursor(request) is None}
    return Shown("accounts/saved.html", values)


def save(request: Request, form: FormData) -> Answer:
    """Save an article."""
    house = house_of(request)
    if not house.store.save(_article(request), person_key(request), house.now()):
        raise Problem(404, "no_article")
    return back(form, f"/article/{_article(request)}")


def unsave(request: Request, form: FormData) -> Answer:
    """An article need not be kept any more."""
    if not house_of(request).store.unsave(_article(request), person_key(request)):
        raise Problem(404, "no_article")
    return back(form, "/saved")


def unread(request: Request) -> Answer:
    """What is still to be read: of one's own sources where there are any, of a folder or a source, or of all."""
    store, person = house_of(request).store, person_key(request)
    own = store.subscriptions(person, most_unread=0)
    asked = {name: request.query_params.get(name, "") for name in ("folder", "source")}
    sources = sources_in(own, **asked)
    found = store.unread(person, sources, limit=PAGE, after=cursor(request))
    values = {
        "items": found.items,
        "after": found.after,
        "first": cursor(request) is None,
        "count": store.count_unread(person, sources, most=MOST),
        "latest": store.latest_number(),
        "has_own": bool(own),
        "source": next((one.title or name_of(one.source) for one in own if str(one.source.id) == asked["source"]), ""),
        "folders": folders_of(own),
        "asked": asked,
    }
    return Shown("accounts/unread.html", values)


def mark_read(request: Request, form: FormData) -> Answer:
    """Somebody has read an article."""
    return _mark(request, form, read=True)


def mark_unread(request: Request, form: FormData) -> Answer:
    """Somebody wants to read an article again."""
    return _mark(request, form, read=False)


def mark_all_read(request: Request, form: FormData) -> Answer:
    """Somebody has read all that the page showed them was there; what came since stays unread."""
    store, person = house_of(request).store, person_key(request)
    own = store.subscriptions(person, most_unread=0)
    sources = sources_in(own, text(form, "folder"), text(form, "source"))
    store.mark_all_read(person, sources, up_to=number_in(form, "up_to"))
    recount(house_of(request), person)
    return back(form, "/unread")


def _mark(request: Request, form: FormData, *, read: bool) -> Answer:
    house, person, number = house_of(request), person_key(request), _article(request)
    if not house.store.mark_read(person, [number], read=read):
        raise Problem(404, "no_article")
    recount(house, person)
    return back(form, "/unread")


def _article(request: Request) -> int:
    number = number_asked(request)
    if number is None:
        raise Problem(404, "no_article")
    return number
