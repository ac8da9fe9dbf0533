"""Lists of articles: the latest, those of a category, those that are read most."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from urllib.parse import quote, urlencode

from starlette.requests import Request

from tidings.article.characters import legal
from tidings.news.store.records_of_articles import ArticleHeadline, Listed, Only
from tidings.news.web.house import house_of
from tidings.news.web.problems import Problem
from tidings.news.web.showing import Shown
from tidings.news.web.tongues import name_of
from tidings.news.web.visit import visit_of

PAGE: Final = 30
_LONGEST_LANGUAGE: Final = 40
_WEEK: Final = timedelta(days=7)


def latest(request: Request) -> Shown:
    """The latest articles."""
    only = Only(language=language(request))
    found = house_of(request).store.articles(only, limit=PAGE, after=cursor(request))
    return shown(request, found, visit_of(request).words("list.latest"), "/feeds/latest.rss")


def category(request: Request) -> Shown:
    """The latest articles of a category."""
    name: str = request.path_params["name"]
    store, spoken = house_of(request).store, language(request)
    found = store.articles(Only(category=name, language=spoken), limit=PAGE, after=cursor(request))
    if not found.items and cursor(request) is None:
        others = () if spoken is None else store.articles(Only(category=name), limit=1).items
        if not others:
            raise Problem(404, "missing_page")
    return shown(request, found, name, f"/feeds/category/{quote(name, safe='')}.rss")


def most_read(request: Request) -> Shown:
    """What was read most in a week."""
    house = house_of(request)
    found = house.store.most_read(house.now() - _WEEK, language=language(request), limit=PAGE, after=cursor(request))
    return shown(request, found, visit_of(request).words("list.most_read"), counted=True)


def shown(
    request: Request, found: Listed[ArticleHeadline], title: str, feed: str = "", *, counted: bool = False
) -> Shown:
    """A page of a list, whose feed is in the same language."""
    spoken = language(request)
    values = {
        "title": title if spoken is None else f"{title} – {name_of(spoken)}",
        "items": found.items,
        "after": found.after,
        "feed": f"{feed}?{urlencode({'language': spoken})}" if feed and spoken is not None else feed,
        "counted": counted,
        "first": cursor(request) is None,
    }
    return Shown("list.html", values)


def language(request: Request) -> str | None:
    """The one language that somebody wants to see articles in; None: in all."""
    return legal(request.query_params.get("language", "")).strip()[:_LONGEST_LANGUAGE] or None


def cursor(request: Request) -> str | None:
    """Where a list goes on."""
    return request.query_params.get("after") or None
