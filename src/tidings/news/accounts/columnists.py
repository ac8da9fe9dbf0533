"""Columnists: those who write, with what they wrote and who follows them (N-EXT thesis, chapter 7). Open to all."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from starlette.requests import Request

from tidings.news.portal.lists import PAGE, cursor
from tidings.news.store.records_of_articles import Only
from tidings.news.web.house import house_of
from tidings.news.web.problems import Problem
from tidings.news.web.showing import Shown
from tidings.news.web.visit import visit_of

_MOST: Final = 200


def columnists(request: Request) -> Shown:
    """Those who write; where nobody has written more than once, everybody."""
    store = house_of(request).store
    found = store.columnists(limit=_MOST) or store.columnists(least=1, limit=_MOST)
    return Shown("accounts/columnists.html", {"columnists": found})


def columnist(request: Request) -> Shown:
    """One of them: what they wrote, the latest first."""
    house, name = house_of(request), request.path_params["name"]
    found = house.store.columnist(name)
    if found is None:
        raise Problem(404, "no_columnist")
    person = visit_of(request).person
    articles = house.store.articles(Only(author=name), limit=PAGE, after=cursor(request))
    values = {
        "one": found,
        "items": articles.items,
        "after": articles.after,
        "first": cursor(request) is None,
        "feed": f"/feeds/columnist/{quote(found.name, safe='')}.rss",
        "is_followed": person is not None and house.store.is_followed_columnist(name, person),
    }
    return Shown("accounts/columnist.html", values)
