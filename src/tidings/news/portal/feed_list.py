"""The outgoing feeds: everything that can be followed in another reader."""

from __future__ import annotations

from typing import Final
from urllib.parse import quote

from starlette.requests import Request

from tidings.news.names import name_of
from tidings.news.portal.front import current_since
from tidings.news.web.house import house_of
from tidings.news.web.showing import Shown

#: Of each kind so many; the pages of all others name theirs.
_MOST: Final = 200
_STORIES: Final = 20


def feed_list(request: Request) -> Shown:
    """The page that lists the feeds."""
    store = house_of(request).store
    categories = [(one.name, f"/feeds/category/{quote(one.name, safe='')}") for one in store.categories() if one.name]
    sources = [(name_of(one), f"/feeds/source/{one.id}") for one in store.sources()]
    told = store.top_stories(current_since(house_of(request)), limit=_STORIES)
    stories = [(one.title, f"/feeds/story/{one.id}") for one in told if one.title]
    return Shown("feeds.html", {"categories": categories[:_MOST], "sources": sources[:_MOST], "stories": stories})
