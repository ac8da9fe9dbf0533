"""Lists of articles: the latest, those of a category, those that are read most."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from urllib.parse import quote

from starlette.requests import Request

from tidings.publish.web.house import house_of
from tidings.publish.web.problems import Problem
from tidings.publish.web.showing import Shown
from tidings.publish.web.visit import visit_of
from tidings.store.records_of_articles import Headline, Listed, Only

PAGE: Final = 30
_WEEK: Final = timedelta(days=7)


def latest(request: Request) -> Shown:
    """The latest articles."""
    found = house_of(request).store.articles(limit=PAGE, after=cursor(request))
    return shown(request, found, visit_of(request).words("list.latest"), "/feeds/latest.rss")


def category(request: Request) -> Shown:
    """The latest articles of a category."""
    name: str = request.path_params["name"]
    found = house_of(request).store.articles(Only(category=name), limit=PAGE, after=cursor(request))
    if not found.items and cursor(request) is None:
        raise Problem(404, "missing_page")
    return shown(request, found, name, f"/feeds/category/{quote(name, safe='')}.rss")


def most_read(request: Request) -> Shown:
    """What was read most in a week."""
    house = house_of(request)
    found = house.store.most_read(house.now() - _WEEK, limit=PAGE, after=cursor(request))
    return shown(request, found, visit_of(request).words("list.most_read"), counted=True)


def shown(request: Request, found: Listed[Headline], title: str, feed: str = "", *, counted: bool = False) -> Shown:
    """A page of a list."""
    values = {
        "title": title,
        "items": found.items,
        "after": found.after,
        "feed": feed,
        "counted": counted,
        "first": cursor(request) is None,
    }
    return Shown("list.html", values)


def cursor(request: Request) -> str | None:
    """Where a list goes on."""
    return request.query_params.get("after") or None
