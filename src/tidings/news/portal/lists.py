"""Pages of the portal that list: the front page, sections, languages."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final
from urllib.parse import quote, urlencode

from starlette.requests import Request
from starlette.responses import Response

from tidings.article.characters import legal
from tidings.news.portal.articles import is_sample
from tidings.news.portal.edition import Edition, current_stories, edition, spread, told, topic_of, topics
from tidings.news.selection import source_name
from tidings.news.store.records_of_articles import ArticleHeadline, Listed, Only
from tidings.news.store.records_of_people import Columnist
from tidings.news.store.records_of_work import ItemKind, QuarantineEntry, Stage
from tidings.news.store.verbs.streams import StreamQuery
from tidings.news.stories.topics import topic_names
from tidings.news.trends import last_news
from tidings.news.web.app_state import App, app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.languages import language_name
from tidings.news.web.pages import PAGE, PageView, cursor, page, reading_languages, site_name
from tidings.news.web.sessions import SEEN, cookie, visit_cookie, visit_of

_SOON: Final = 5
_LATEST, _READ, _EVENTS, _COLUMNISTS = 12, 5, 5, 5
#: What is current: two days.
_CURRENT: Final = timedelta(days=2)
#: Seconds that an edition is shown; what was made at a quarter to is news still at ten to.
_EDITION: Final = 20
#: Stories of a topic on one page.
_TOPIC: Final = 60
#: Items set aside that are named.
_ASIDE: Final = 3


@dataclass(frozen=True, slots=True)
class Aside:
    """An item that is set aside, and its page if it has one."""

    entry: QuarantineEntry
    address: str


def front(request: Request) -> PageView:
    """The front page."""
    app, visit = app_of(request), visit_of(request)
    store, now = app.store, app.now()
    spoken = app.cache.get("languages", store.languages, 60)
    languages = reading_languages(request)
    made = edition_for(request)
    made = made.without(_hidden(request, [number for one in made.teasers for number in one.members]))
    latest = spread(store.articles(_only(request, copies=False), limit=_LATEST).items, lambda one: one.site)
    most_read = store.most_read(now - timedelta(days=7), language=languages, limit=_READ).items
    border = last_news(store, now) - _CURRENT_EVENTS
    current = store.stories(language=languages, since=border, least=_LEAST, limit=_EVENTS).items
    past = store.stories(language=languages, until=border - timedelta(microseconds=1), least=_LEAST, limit=_EVENTS)
    likely = [one for one in spoken if one in (languages or (visit.words.language,))]
    lead, cards = made.top[:1], [one for one in made.top[1:] if one.image]
    return PageView(
        "front.html",
        {
            "edition": made,
            "lead": lead,
            "cards": cards,
            "briefs": [one for one in made.top[1:] if one not in cards],
            "latest": latest,
            "most_read": most_read,
            "current": current,
            "past": past.items,
            "columnists": _columnists(app, languages),
            "numbers": {*(one.id for one in (*latest, *most_read)), *(m for one in made.teasers for m in one.members)},
            "offered": [*likely, *(one for one in spoken if one not in likely)],
            "likely": len(likely),
            "reading": languages or (),
            "language": request.query_params.get("language", ""),
            "asks": len(spoken) > 1 and not visit.has_chosen and not request.query_params.get("language"),
            "names": {code: language_name(code) for code in spoken},
            "new": _new(app, visit.since, languages),
            "why": _why(app) if not latest else "",
            "sample": is_sample(store),
            "aside": _aside(app, None),
            "unplaced": [] if made.top else _aside(app, Stage.STORIES),
            "aside_counts": store.quarantine_counts(),
        },
    )


def front_page(request: Request) -> Response:
    """The front page, with which a browser remembers that it was looked at."""
    answer = _front(request)
    if request.method == "GET":
        answer.headers.append("set-cookie", cookie(app_of(request), SEEN, visit_cookie(request)))
    return answer


def edition_for(request: Request) -> Edition:
    """The edition of whoever asks."""
    app, visit, languages = app_of(request), visit_of(request), reading_languages(request)
    own = visit.words.language if languages is None or visit.words.language in languages else ""

    def make() -> Edition:
        named = partial(site_name, app)
        return edition(app.store, app.now(), languages, named=named, sections=visit.sections, own=own)

    return app.cache.get(("edition", languages, visit.sections, own), make, _EDITION)


def topic(request: Request) -> PageView:
    """All stories of the day about a topic."""
    name: str = request.path_params["name"]
    if name not in topics():
        raise HttpProblem(404, "missing_page")
    app, languages = app_of(request), reading_languages(request)
    _, found = current_stories(app.store, app.now(), languages)
    inside = [one for one in found if topic_of(one) == name]
    said = request.query_params.get("after", "")
    start = int(said) if said.isascii() and said.isdigit() and len(said) < 6 else 0
    teasers = told(app.store, inside[start : start + _TOPIC], partial(site_name, app), found)
    hidden = _hidden(request, [number for one in teasers for number in one.members])
    stories = spread((one for one in teasers if not one.is_within(hidden)), lambda one: one.outlet)
    values = {
        "topic": name,
        "stories": stories,
        "numbers": [number for one in stories for number in one.members],
        "after": str(start + _TOPIC) if start + _TOPIC < len(inside) else None,
        "first": start == 0,
    }
    return PageView("topic.html", values)


def _only(request: Request, *, category: str | None = None, copies: bool = True) -> Only:
    """What a list is of: in the languages of whoever reads it, without what their rules hide."""
    languages, person = reading_languages(request), visit_of(request).person
    return Only(category=category, language=languages, copies=copies, reader=person)


def _hidden(request: Request, articles: Sequence[int]) -> Collection[int]:
    """Those of some articles that the reader's rules hide."""
    person = visit_of(request).person
    return () if person is None else app_of(request).store.hidden_among(person, articles)


def _new(app: App, since: datetime | None, languages: tuple[str, ...] | None) -> int:
    """How many articles came since somebody was here; at most a hundred are counted."""
    if since is None:
        return 0
    found = app.store.stream("", StreamQuery(since=since), limit=100).items if languages is None else None
    if found is not None:
        return len(found)
    latest = app.store.articles(Only(language=languages), limit=100).items
    return sum(one.first_seen >= since for one in latest)


def _columnists(app: App, languages: tuple[str, ...] | None) -> list[Columnist]:
    """Some who write in these languages; a name that is an address is nobody's."""
    every = app.store.columnists(limit=_COLUMNISTS * 4)
    people = [one for one in every if " " in one.name.strip() or "." not in one.name]
    if languages is not None:
        people = [one for one in people if app.store.articles(Only(author=one.name, language=languages), limit=1).items]
    return people[:_COLUMNISTS]


def _why(app: App) -> str:
    """Why there is nothing to read: a key of a text."""
    sources = app.store.sources()
    if app.store.articles(limit=1).items:
        return "languages"
    if not sources:
        return "no_sources"
    if all(one.problem for one in sources):
        return "broken"
    return "waiting"


def _aside(app: App, stage: Stage | None) -> list[Aside]:
    """What is set aside, the latest of it: why there may be no stories, and what somebody should look at."""
    found = app.store.quarantine(stage, limit=_ASIDE)
    return [
        Aside(entry, f"/article/{entry.item}" if entry.kind is ItemKind.ARTICLE and entry.item.isdigit() else "")
        for entry in found
    ]


def current_since(app: App) -> datetime:
    """What is current: since two days before now, or before the last news where that was earlier."""
    return last_news(app.store, app.now()) - _CURRENT


#: An event without news for a week is over. Where nothing came for long, counted from the last news there is.
_CURRENT_EVENTS: Final = timedelta(days=7)
_PAGE: Final = 24
#: Sizes that one can ask for.
SIZES: Final = (1, 2, 5, 10)
#: An event is what at least two tell of.
_LEAST: Final = 2


def events(request: Request) -> PageView:
    """Current or past events."""
    app = app_of(request)
    store = app.store
    given = request.query_params
    past = given.get("when") == "past"
    language = legal(given.get("language", ""))[:40]
    languages = reading_languages(request)
    category = legal(given.get("category", ""))[:200]
    least = int(given["least"]) if given.get("least") in {str(size) for size in SIZES} else _LEAST
    border = last_news(store, app.now()) - _CURRENT_EVENTS
    listed = store.stories(
        category=category or None,
        language=languages,
        since=None if past else border,
        until=border - timedelta(microseconds=1) if past else None,
        least=least,
        limit=_PAGE,
        after=cursor(request),
    )
    stories = told(store, listed.items, partial(site_name, app))
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


_front = page(front, _SOON)


_LONGEST_LANGUAGE: Final = 40
_WEEK: Final = timedelta(days=7)


def latest(request: Request) -> PageView:
    """The latest articles."""
    only = _only(request, copies=False)
    found = app_of(request).store.articles(only, limit=PAGE, after=cursor(request))
    return shown(request, found, visit_of(request).words("list.latest"), "/feeds/latest.rss")


def category(request: Request) -> PageView:
    """The latest articles of a category."""
    name: str = request.path_params["name"]
    store, spoken = app_of(request).store, reading_languages(request)
    found = store.articles(_only(request, category=name), limit=PAGE, after=cursor(request))
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
    spoken = languages_asked(request)
    values = {
        "title": title if spoken is None else f"{title} – {', '.join(map(language_name, spoken))}",
        "items": found.items,
        "after": found.after,
        "feed": f"{feed}?{urlencode({'language': ','.join(spoken)})}" if feed and spoken is not None else feed,
        "counted": counted,
        "first": cursor(request) is None,
    }
    return PageView("list.html", values)


def languages_asked(request: Request) -> tuple[str, ...] | None:
    """The languages that an address names, with commas between them; None: all."""
    said = legal(request.query_params.get("language", ""))[:200].split(",")
    return tuple(dict.fromkeys(one.strip()[:_LONGEST_LANGUAGE] for one in said if one.strip())) or None


#: Of each kind so many; the pages of all others name theirs.
_MOST: Final = 200
_STORIES: Final = 20


def feed_list(request: Request) -> PageView:
    """The page that lists the feeds."""
    store, words = app_of(request).store, visit_of(request).words
    by_topic = [
        (words(f"topic.{one.name}"), f"/feeds/topic/{one.name}") for one in store.topics() if one.name in topic_names()
    ]
    sources = [(source_name(one), f"/feeds/source/{one.id}") for one in store.sources()]
    told = store.top_stories(current_since(app_of(request)), limit=_STORIES)
    stories = [(one.title, f"/feeds/story/{one.id}") for one in told if one.title]
    chosen = reading_languages(request) if visit_of(request).has_chosen else None
    values = {
        "topics": by_topic,
        "sources": sources[:_MOST],
        "stories": stories,
        "spoken": f"?language={','.join(chosen)}" if chosen else "",
        "reading": [language_name(code) for code in chosen or ()],
    }
    return PageView("feeds.html", values)
