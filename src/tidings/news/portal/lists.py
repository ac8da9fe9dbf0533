"""Lists of articles: the latest, those of a category, those that are read most."""

from __future__ import annotations

from datetime import timedelta
from typing import Final
from urllib.parse import quote, urlencode

from starlette.requests import Request

from tidings.article.characters import legal
from tidings.news.portal.front import current_since
from tidings.news.selection import source_name
from tidings.news.store.records_of_articles import ArticleHeadline, Listed, Only
from tidings.news.web.app_state import app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.languages import language_name
from tidings.news.web.pages import PAGE, PageView, cursor, reading_languages
from tidings.news.web.session import visit_of

_LONGEST_LANGUAGE: Final = 40
_WEEK: Final = timedelta(days=7)


def latest(request: Request) -> PageView:
    """The latest articles."""
    only = Only(language=reading_languages(request))
    found = app_of(request).store.articles(only, limit=PAGE, after=cursor(request))
    return shown(request, found, visit_of(request).words("list.latest"), "/feeds/latest.rss")


def category(request: Request) -> PageView:
    """The latest articles of a category."""
    name: str = request.path_params["name"]
    store, spoken = app_of(request).store, reading_languages(request)
    found = store.articles(Only(category=name, language=spoken), limit=PAGE, after=cursor(request))
    if not found.items and cursor(request) is None:
        others = () if spoken is None else store.articles(Only(category=name), limit=1).items
        if not others:
            raise HttpProblem(404, "missing_page")
    return shown(request, found, name, f"/feeds/category/{quote(name, safe='')}.rss")


def most_read(request: Request) -> PageView:
    """What was read most in a week."""
    app = app_of(request)
    found = app.store.most_read(
        app.now() - _WEEK, language=reading_languages(request), limit=PAGE, after=cursor(request)
    )
    return shown(request, found, visit_of(request).words("list.most_read"), counted=True)


def shown(
    request: Request, found: Listed[ArticleHeadline], title: str, feed: str = "", *, counted: bool = False
) -> PageView:
    """A page of a list, whose feed is in the same language."""
    spoken = language(request)
    values = {
        "title": title if spoken is None else f"{title} – {language_name(spoken)}",
        "items": found.items,
        "after": found.after,
        "feed": f"{feed}?{urlencode({'language': spoken})}" if feed and spoken is not None else feed,
        "counted": counted,
        "first": cursor(request) is None,
    }
    return PageView("list.html", values)


def language(request: Request) -> str | None:
    """The one language that somebody wants to see articles in; None: in all."""
    return legal(request.query_params.get("language", "")).strip()[:_LONGEST_LANGUAGE] or None


#: Of each kind so many; the pages of all others name theirs.
_MOST: Final = 200
_STORIES: Final = 20


def feed_list(request: Request) -> PageView:
    """The page that lists the feeds."""
    store = app_of(request).store
    categories = [(one.name, f"/feeds/category/{quote(one.name, safe='')}") for one in store.categories() if one.name]
    sources = [(source_name(one), f"/feeds/source/{one.id}") for one in store.sources()]
    told = store.top_stories(current_since(app_of(request)), limit=_STORIES)
    stories = [(one.title, f"/feeds/story/{one.id}") for one in told if one.title]
    return PageView("feeds.html", {"categories": categories[:_MOST], "sources": sources[:_MOST], "stories": stories})
