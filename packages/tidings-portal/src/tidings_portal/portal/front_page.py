"""The front page: the edition of the day, the latest and most read articles, current events and columnists."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from tidings_portal.portal.edition import Edition, edition, spread
from tidings_portal.portal.lists import CURRENT_EVENTS, MIN_SOURCES, article_filter, hidden_articles
from tidings_portal.portal.sample import is_sample
from tidings_portal.store.records_of_articles import Only
from tidings_portal.store.records_of_people import Columnist
from tidings_portal.store.records_of_work import ItemKind, QuarantineEntry, Stage
from tidings_portal.store.verbs.streams import StreamQuery
from tidings_portal.trends import last_news
from tidings_portal.web.app_state import App, app_of
from tidings_portal.web.languages import language_name
from tidings_portal.web.pages import PageView, page, reading_languages, site_name
from tidings_portal.web.sessions import SEEN, cookie, visit_cookie, visit_of

_SOON: Final = 5  # seconds
_LATEST, _READ, _EVENTS, _COLUMNISTS = 12, 5, 5, 5
#: Seconds that an edition is cached. An article published at 9:45 is still current at 9:50.
_EDITION: Final = 20
#: Quarantined items listed on the page.
_ASIDE: Final = 3
#: Upper limit of the number of new articles.
_MAX_NEW: Final = 100


@dataclass(frozen=True, slots=True)
class Aside:
    """A quarantined item and the URL of its page, if it has one."""

    entry: QuarantineEntry
    address: str


def front(request: Request) -> PageView:
    """Return the front page."""
    app, visit = app_of(request), visit_of(request)
    store, now = app.store, app.now()
    spoken = app.cache.get("languages", store.languages, 60)
    languages = reading_languages(request)
    day = edition_for(request)
    day = day.without(hidden_articles(request, [number for one in day.teasers for number in one.members]))
    latest = spread(store.articles(article_filter(request, copies=False), limit=_LATEST).items, lambda one: one.site)
    most_read = store.most_read(now - timedelta(days=7), language=languages, limit=_READ).items
    events_since = last_news(store, now) - CURRENT_EVENTS
    current = store.stories(language=languages, since=events_since, least=MIN_SOURCES, limit=_EVENTS).items
    past = store.stories(
        language=languages, until=events_since - timedelta(microseconds=1), least=MIN_SOURCES, limit=_EVENTS
    )
    likely = [one for one in spoken if one in (languages or (visit.words.language,))]
    lead, cards = day.top[:1], [one for one in day.top[1:] if one.image]
    return PageView(
        "front.html",
        {
            "edition": day,
            "lead": lead,
            "cards": cards,
            "briefs": [one for one in day.top[1:] if one not in cards],
            "latest": latest,
            "most_read": most_read,
            "current": current,
            "past": past.items,
            "columnists": _columnists(app, languages),
            "numbers": {*(one.id for one in (*latest, *most_read)), *(m for one in day.teasers for m in one.members)},
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
            "unplaced": [] if day.top else _aside(app, Stage.STORIES),
            "aside_counts": store.quarantine_counts(),
        },
    )


def front_page(request: Request) -> Response:
    """Serve the front page and store the time of the visit in a cookie."""
    response = _front(request)
    if request.method == "GET":
        response.headers.append("set-cookie", cookie(app_of(request), SEEN, visit_cookie(request)))
    return response


def edition_for(request: Request) -> Edition:
    """Return the edition in the languages and sections of the visitor."""
    app, visit, languages = app_of(request), visit_of(request), reading_languages(request)
    own = visit.words.language if languages is None or visit.words.language in languages else ""

    def make() -> Edition:
        named = partial(site_name, app)
        return edition(app.store, app.now(), languages, named=named, sections=visit.sections, own=own)

    return app.cache.get(("edition", languages, visit.sections, own), make, _EDITION)


def _new(app: App, since: datetime | None, languages: tuple[str, ...] | None) -> int:
    """Return the number of articles since the last visit, at most `_MAX_NEW`."""
    if since is None:
        return 0
    if languages is None:
        return len(app.store.stream("", StreamQuery(since=since), limit=_MAX_NEW).items)
    latest = app.store.articles(Only(language=languages), limit=_MAX_NEW).items
    return sum(article.first_seen >= since for article in latest)


def _columnists(app: App, languages: tuple[str, ...] | None) -> list[Columnist]:
    """Return columnists who write in the given languages, without names that are host names."""
    candidates = app.store.columnists(limit=_COLUMNISTS * 4)
    people = [person for person in candidates if " " in person.name.strip() or "." not in person.name]
    if languages is not None:
        people = [
            person
            for person in people
            if app.store.articles(Only(author=person.name, language=languages), limit=1).items
        ]
    return people[:_COLUMNISTS]


def _why(app: App) -> str:
    """Return the translation key of the reason why the front page is empty, such as `no_sources`."""
    sources = app.store.sources()
    if app.store.articles(limit=1).items:
        return "languages"
    if not sources:
        return "no_sources"
    if all(source.problem for source in sources):
        return "broken"
    return "waiting"


def _aside(app: App, stage: Stage | None) -> list[Aside]:
    """Return the most recently quarantined items of a stage, or of all stages."""
    entries = app.store.quarantine(stage, limit=_ASIDE)
    return [
        Aside(entry, f"/article/{entry.item}" if entry.kind is ItemKind.ARTICLE and entry.item.isdigit() else "")
        for entry in entries
    ]


_front = page(front, _SOON)
