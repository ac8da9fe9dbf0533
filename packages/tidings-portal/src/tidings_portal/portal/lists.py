"""Lists of stories and articles: topics, events, the latest and most read articles, categories, and the feed list."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from urllib.parse import quote, urlencode

from starlette.requests import Request

from tidings.article.formats.characters import legal
from tidings_portal.portal.edition import current_stories, spread, teasers_of, topic_of, topics
from tidings_portal.selection import source_name
from tidings_portal.store.records_of_articles import ArticleHeadline, Listed, Only
from tidings_portal.stories.topics import topic_names
from tidings_portal.trends import last_news
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.errors import HttpProblem
from tidings_portal.web.languages import language_name
from tidings_portal.web.pages import PAGE, PageView, cursor, reading_languages, site_name
from tidings_portal.web.sessions import visit_of

#: How old current news is, counted from the last article in the store.
_CURRENT: Final = timedelta(days=2)
#: Stories of a topic on one page.
_TOPIC: Final = 60


def topic(request: Request) -> PageView:
    """Return the page of a topic: all current stories about it."""
    name: str = request.path_params["name"]
    if name not in topics():
        raise HttpProblem(404, "missing_page")
    app, languages = app_of(request), reading_languages(request)
    _, stories_of_day = current_stories(app.store, app.now(), languages)
    inside = [story for story in stories_of_day if topic_of(story) == name]
    after = request.query_params.get("after", "")
    start = int(after) if after.isascii() and after.isdigit() and len(after) < 6 else 0
    teasers = teasers_of(app.store, inside[start : start + _TOPIC], partial(site_name, app), stories_of_day)
    hidden = hidden_articles(request, [number for one in teasers for number in one.members])
    stories = spread((one for one in teasers if not one.is_within(hidden)), lambda one: one.outlet)
    values = {
        "topic": name,
        "stories": stories,
        "numbers": [number for one in stories for number in one.members],
        "after": str(start + _TOPIC) if start + _TOPIC < len(inside) else None,
        "first": start == 0,
    }
    return PageView("topic.html", values)


def article_filter(request: Request, *, category: str | None = None, copies: bool = True) -> Only:
    """Return the store filter of an article list: the visitor's languages, without articles that their rules hide."""
    languages, person = reading_languages(request), visit_of(request).person
    return Only(category=category, language=languages, copies=copies, reader=person)


def hidden_articles(request: Request, articles: Sequence[int]) -> Collection[int]:
    """Return those of some articles that the rules of the signed-in user hide."""
    person = visit_of(request).person
    return () if person is None else app_of(request).store.hidden_among(person, articles)


def current_since(app: App) -> datetime:
    """Return the start of the current period: two days before now or, if earlier, before the last article."""
    return last_news(app.store, app.now()) - _CURRENT


#: An event without news for this long is over, counted from the last article in the store.
CURRENT_EVENTS: Final = timedelta(days=7)
_PAGE: Final = 24
#: Choices for the minimum number of sources of an event.
SIZES: Final = (1, 2, 5, 10)
#: An event has at least this many sources.
MIN_SOURCES: Final = 2


def events(request: Request) -> PageView:
    """Return the page of current or past events."""
    app = app_of(request)
    store = app.store
    params = request.query_params
    past = params.get("when") == "past"
    language = legal(params.get("language", ""))[:40]
    languages = reading_languages(request)
    category = legal(params.get("category", ""))[:200]
    least = int(params["least"]) if params.get("least") in {str(size) for size in SIZES} else MIN_SOURCES
    border = last_news(store, app.now()) - CURRENT_EVENTS
    listed = store.stories(
        category=category or None,
        language=languages,
        since=None if past else border,
        until=border - timedelta(microseconds=1) if past else None,
        least=least,
        limit=_PAGE,
        after=cursor(request),
    )
    stories = teasers_of(store, listed.items, partial(site_name, app))
    return PageView(
        "events.html",
        {
            "past": past,
            "stories": stories,
            "numbers": [number for one in stories for number in one.members],
            "after": listed.after,
            "first": cursor(request) is None,
            "language": language,
            "category": category,
            "least": least,
            "sizes": SIZES,
            "spoken": [(code, language_name(code)) for code in app.cache.get("languages", store.languages, 60)],
        },
    )


_LONGEST_LANGUAGE: Final = 40
_WEEK: Final = timedelta(days=7)


def latest(request: Request) -> PageView:
    """Return the page of the latest articles."""
    only = article_filter(request, copies=False)
    found = app_of(request).store.articles(only, limit=PAGE, after=cursor(request))
    return list_page(request, found, visit_of(request).words("list.latest"), "/feeds/latest.rss")


def category(request: Request) -> PageView:
    """Return the page of the latest articles in a category."""
    name: str = request.path_params["name"]
    store, spoken = app_of(request).store, reading_languages(request)
    found = store.articles(article_filter(request, category=name), limit=PAGE, after=cursor(request))
    if not found.items and cursor(request) is None:
        others = () if spoken is None else store.articles(Only(category=name), limit=1).items
        if not others:
            raise HttpProblem(404, "missing_page")
    return list_page(request, found, name, f"/feeds/category/{quote(name, safe='')}.rss")


def most_read(request: Request) -> PageView:
    """Return the page of the most read articles of the last week."""
    app = app_of(request)
    found = app.store.most_read(
        app.now() - _WEEK, language=reading_languages(request), limit=PAGE, after=cursor(request)
    )
    return list_page(request, found, visit_of(request).words("list.most_read"), counted=True)


def list_page(
    request: Request, listed: Listed[ArticleHeadline], title: str, feed: str = "", *, counted: bool = False
) -> PageView:
    """Return a page of a list of articles, with its feed in the same languages."""
    spoken = languages_asked(request)
    values = {
        "title": title if spoken is None else f"{title} – {', '.join(map(language_name, spoken))}",
        "items": listed.items,
        "after": listed.after,
        "feed": f"{feed}?{urlencode({'language': ','.join(spoken)})}" if feed and spoken is not None else feed,
        "counted": counted,
        "first": cursor(request) is None,
    }
    return PageView("list.html", values)


def languages_asked(request: Request) -> tuple[str, ...] | None:
    """Return the languages in the query string (comma-separated), or None for all."""
    codes = legal(request.query_params.get("language", ""))[:200].split(",")
    return tuple(dict.fromkeys(code.strip()[:_LONGEST_LANGUAGE] for code in codes if code.strip())) or None


#: Feeds listed per kind. Other pages link to their own feeds.
_MOST: Final = 200
_STORIES: Final = 20


def feed_list(request: Request) -> PageView:
    """Return the page that lists the feeds of the portal."""
    store, words = app_of(request).store, visit_of(request).words
    by_topic = [
        (words(f"topic.{one.name}"), f"/feeds/topic/{one.name}") for one in store.topics() if one.name in topic_names()
    ]
    sources = [(source_name(one), f"/feeds/source/{one.id}") for one in store.sources()]
    top = store.top_stories(current_since(app_of(request)), limit=_STORIES)
    stories = [(one.title, f"/feeds/story/{one.id}") for one in top if one.title]
    chosen = reading_languages(request) if visit_of(request).has_chosen else None
    values = {
        "topics": by_topic,
        "sources": sources[:_MOST],
        "stories": stories,
        "spoken": f"?language={','.join(chosen)}" if chosen else "",
        "reading": [language_name(code) for code in chosen or ()],
    }
    return PageView("feeds.html", values)
