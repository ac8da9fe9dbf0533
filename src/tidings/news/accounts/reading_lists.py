"""What somebody keeps and follows: saved and unread articles, stories, columnists.

Columnists are those who write, with what they wrote and who follows them (N-EXT thesis, chapter 7). Open to all.
"""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from starlette.datastructures import FormData
from starlette.requests import Request

from tidings.news.accounts.current_user import Answer, back, person_key
from tidings.news.accounts.own_sources import folders_of, sources_in
from tidings.news.selection import source_name
from tidings.news.store.records_of_articles import Only
from tidings.news.web.app_state import app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.forms import number_in, text
from tidings.news.web.pages import MOST_UNREAD, PAGE, PageView, cursor, number_asked, reading_languages, recount
from tidings.news.web.session import visit_of


def saved(request: Request) -> Answer:
    """What somebody saved."""
    found = app_of(request).store.saved(person_key(request), limit=PAGE, after=cursor(request))
    values = {"items": found.items, "after": found.after, "first": cursor(request) is None}
    return PageView("accounts/saved.html", values)


def save(request: Request, form: FormData) -> Answer:
    """Save an article."""
    app = app_of(request)
    if not app.store.save(_article(request), person_key(request), app.now()):
        raise HttpProblem(404, "no_article")
    return back(form, f"/article/{_article(request)}")


def unsave(request: Request, form: FormData) -> Answer:
    """An article need not be kept any more."""
    if not app_of(request).store.unsave(_article(request), person_key(request)):
        raise HttpProblem(404, "no_article")
    return back(form, "/saved")


def unread(request: Request) -> Answer:
    """What is still to be read: of one's own sources where there are any, of a folder or a source, or of all."""
    store, person = app_of(request).store, person_key(request)
    own = store.subscriptions(person, most_unread=0)
    asked = {name: request.query_params.get(name, "") for name in ("folder", "source")}
    sources = sources_in(own, **asked)
    languages = reading_languages(request)
    found = store.unread(person, sources, language=languages, limit=PAGE, after=cursor(request))
    values = {
        "items": found.items,
        "after": found.after,
        "first": cursor(request) is None,
        "count": store.count_unread(person, sources, language=languages, most=MOST_UNREAD),
        "latest": store.latest_number(),
        "has_own": bool(own),
        "source": next(
            (one.title or source_name(one.source) for one in own if str(one.source.id) == asked["source"]), ""
        ),
        "folders": folders_of(own),
        "asked": asked,
    }
    return PageView("accounts/unread.html", values)


def mark_read(request: Request, form: FormData) -> Answer:
    """Somebody has read an article."""
    return _mark(request, form, read=True)


def mark_unread(request: Request, form: FormData) -> Answer:
    """Somebody wants to read an article again."""
    return _mark(request, form, read=False)


def mark_all_read(request: Request, form: FormData) -> Answer:
    """Somebody has read all that the page showed them was there; what came since stays unread."""
    store, person = app_of(request).store, person_key(request)
    own = store.subscriptions(person, most_unread=0)
    sources = sources_in(own, text(form, "folder"), text(form, "source"))
    store.mark_all_read(person, sources, up_to=number_in(form, "up_to"))
    recount(app_of(request), person)
    return back(form, "/unread")


def _mark(request: Request, form: FormData, *, read: bool) -> Answer:
    app, person, number = app_of(request), person_key(request), _article(request)
    if not app.store.mark_read(person, [number], read=read):
        raise HttpProblem(404, "no_article")
    recount(app, person)
    return back(form, "/unread")


def _article(request: Request) -> int:
    number = number_asked(request)
    if number is None:
        raise HttpProblem(404, "no_article")
    return number


def followed(request: Request) -> Answer:
    """What somebody follows, and the news of it."""
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
    app, number = app_of(request), number_asked(request)
    if number is None or not app.store.follow(number, person_key(request), app.now()):
        raise HttpProblem(404, "no_story")
    return back(form, f"/story/{number}")


def unfollow_story(request: Request, form: FormData) -> Answer:
    """Follow a story no more."""
    number = number_asked(request)
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
    """Follow a columnist no more."""
    if not app_of(request).store.unfollow_columnist(request.path_params["name"], person_key(request)):
        raise HttpProblem(404, "no_columnist")
    return back(form, "/followed")


_MOST: Final = 200


def columnists(request: Request) -> PageView:
    """Those who write; where nobody has written more than once, everybody."""
    store = app_of(request).store
    found = store.columnists(limit=_MOST) or store.columnists(least=1, limit=_MOST)
    return PageView("accounts/columnists.html", {"columnists": found})


def columnist(request: Request) -> PageView:
    """One of them: what they wrote, the latest first."""
    app, name = app_of(request), request.path_params["name"]
    found = app.store.columnist(name)
    if found is None:
        raise HttpProblem(404, "no_columnist")
    person = visit_of(request).person
    articles = app.store.articles(Only(author=name), limit=PAGE, after=cursor(request))
    values = {
        "one": found,
        "items": articles.items,
        "after": articles.after,
        "first": cursor(request) is None,
        "feed": f"/feeds/columnist/{quote(found.name, safe='')}.rss",
        "is_followed": person is not None and app.store.is_followed_columnist(name, person),
    }
    return PageView("accounts/columnist.html", values)
