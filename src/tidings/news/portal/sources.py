"""Sources: where the news comes from and how each of them is; and one source with what it brought."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import groupby
from typing import Any, Final

from starlette.requests import Request

from tidings.article.characters import legal
from tidings.fields.addresses import safe as safe_link
from tidings.news.accounts.current_user import runs_the_house
from tidings.news.recipes import RecipeCatalogue
from tidings.news.selection import source_name, without_password
from tidings.news.store.records_of_articles import Only
from tidings.news.store.records_of_work import Source
from tidings.news.watch.presence import watchers
from tidings.news.web.app_state import App, app_of
from tidings.news.web.errors import HttpProblem
from tidings.news.web.pages import PAGE, PageView, cursor, number_asked
from tidings.news.web.session import visit_of
from tidings.news.web.words import Translation

#: A source that was asked so lately is still being read: its pages come one by one. The first may take longer.
_READING, _FIRST = timedelta(seconds=15), timedelta(minutes=1)
#: How often one can have a source polled, in minutes. None: as often as it has news.
INTERVALS: Final = (15, 30, 60, 120, 360, 720, 1440)
_MINUTE: Final = timedelta(minutes=1)
_KINDS: Final = ("auto", "feed", "front", "sitemap")


@dataclass(frozen=True, slots=True)
class SourceStatus:
    """A source as a person sees it."""

    source: Source
    name: str
    address: str  # without a password
    link: str  # where it leads; empty where it could run something
    articles: int
    state: str  # the key of its words
    is_well: bool
    is_being_read: bool

    @property
    def id(self) -> int:
        """Its number."""
        return self.source.id


def sources(request: Request) -> PageView:
    """All sources, and the form that adds one."""
    return listed(request)


def listed(request: Request, values: Mapping[str, Any] | None = None, status: int = 200) -> PageView:
    """The page of all sources.

    Args:
        request: what was asked.
        values: what a form has to tell besides: what was typed, what went wrong.
        status: of the answer.
    """
    app, visit = app_of(request), visit_of(request)
    brought = app.store.articles_by_source()
    found = [seen(app, visit.words, one, brought.get(one.id, 0)) for one in app.store.sources()]
    folders = [(folder, list(some)) for folder, some in groupby(found, key=lambda one: one.source.told.folder)]
    told: dict[str, Any] = {
        "folders": folders,
        "total": len(found),
        "ill": sum(not one.is_well for one in found),
        "may_change": visit.person is not None,
        "is_watched": is_watched(app),
        "is_waiting": any(one.is_being_read for one in found),
        "names": sorted({one.source.told.folder for one in found if one.source.told.folder}),
        "kinds": _KINDS,
        "recipes": RecipeCatalogue(app.store).names(),
        "typed": {},
        "wrong": None,
        "imported": _imported(request),
    }
    return PageView("sources.html", told | dict(values or {}), status)


def source(request: Request) -> PageView:
    """One source and its articles."""
    app, visit = app_of(request), visit_of(request)
    kept = source_asked(request)
    found = app.store.articles(Only(source=kept.id, muted=True), limit=PAGE, after=cursor(request))
    articles = app.store.articles_by_source().get(kept.id, 0)
    told = seen(app, visit.words, kept, articles)
    interval = kept.told.interval
    return PageView(
        "source.html",
        {
            "one": told,
            "items": found.items,
            "after": found.after,
            "first": cursor(request) is None,
            "may_change": runs_the_house(request),
            "is_watched": is_watched(app),
            "intervals": INTERVALS,
            "recipes": RecipeCatalogue(app.store).names(),
            "interval": 0 if interval is None else max(1, interval // _MINUTE),
            "pace": max(1, kept.pace // _MINUTE),
        },
    )


def source_asked(request: Request) -> Source:
    """The source that an address names.

    Raises:
        Problem: there is none.
    """
    number = number_asked(request)
    kept = app_of(request).store.source(number) if number is not None else None
    if kept is None:
        raise HttpProblem(404, "no_source")
    return kept


def seen(app: App, words: Translation, one: Source, articles: int) -> SourceStatus:
    """A source as a person sees it."""
    address = legal(without_password(one.told.address))
    return SourceStatus(
        source=one,
        name=legal(source_name(one)),
        address=address,
        link=safe_link(address) or "",
        articles=articles,
        state=state_key(words, one.state),
        is_well=not one.problem and not one.gone,
        is_being_read=is_being_read(one, articles, app.now()),
    )


def state_key(words: Translation, state: str) -> str:
    """The key of the words for how a source is; those for any trouble where there are no others."""
    key = f"state.{state.replace(' ', '_')}"
    return key if f"{key}.title" in words.texts else "state.failed"


def is_being_read(one: Source, articles: int, now: datetime) -> bool:
    """Whether its articles are about to appear: it is due, or was asked just now."""
    if one.gone or (one.problem and one.next_poll > now):
        return False
    if one.next_poll <= now:
        return True
    return one.last_success is not None and now - one.last_success < (_READING if articles else _FIRST)


def is_watched(app: App) -> bool:
    """Whether anybody polls the sources."""
    now = app.now()
    return any(watcher.is_alive(beat, now) for watcher, beat in watchers(app.store))


def _imported(request: Request) -> int | None:
    """How many sources a list has brought, after it was sent."""
    said = request.query_params.get("imported", "")
    return int(said) if said.isascii() and said.isdigit() and len(said) < 7 else None
