"""The front page: the stories that most sources tell of, what came last, what is read most."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from starlette.requests import Request

from tidings.article.characters import legal
from tidings.news.store.records_of_articles import Only, Story
from tidings.news.store.records_of_work import ItemKind, QuarantineEntry, Stage
from tidings.news.trends import at_or_before, last_news
from tidings.news.web.app_state import App, app_of
from tidings.news.web.languages import direction_of, language_name
from tidings.news.web.pages import PageView, cursor, site_name
from tidings.news.web.session import visit_of

#: A front page is of two days; where too little came in those, of a week, or of a month before the last news.
_SPANS: Final = (timedelta(days=2), timedelta(days=7), timedelta(days=31))
_CURRENT: Final = _SPANS[0]
_ENOUGH: Final = 9
_STORIES, _LATEST, _READ, _TELLERS = 13, 12, 5, 4
#: Stories that are shown with their picture below the first one; the others are told in brief.
_CARDS: Final = 6
#: Items set aside that are named.
_ASIDE: Final = 3
#: Members of a story that are looked at.
_MEMBERS: Final = 12


@dataclass(frozen=True, slots=True)
class Aside:
    """An item that is set aside, and its page if it has one."""

    entry: QuarantineEntry
    address: str


@dataclass(frozen=True, slots=True)
class StoryTeaser:
    """A story as a list shows it: with some of its articles, the names of some who tell it, and its direction."""

    story: Story
    members: tuple[int, ...]  # numbers of its latest articles
    sources: tuple[str, ...]
    direction: str

    @property
    def address(self) -> str:
        """Where it is told: a page of its own, or where there is a single article, that."""
        alone = self.story.size == 1 and len(self.members) == 1
        return f"/article/{self.members[0]}" if alone else f"/story/{self.story.id}"


def front(request: Request) -> PageView:
    """The front page."""
    app = app_of(request)
    store = app.store
    spoken = app.shown.get("languages", store.languages, 60)
    language = request.query_params.get("language", "")
    only = Only(language=language or None)
    latest = store.articles(only, limit=_LATEST).items
    now = app.now()
    stories = told(app, _top(app, latest[0].time if latest else now, language, visit_of(request).words.language))
    cards = [one for one in stories[1:] if one.story.image][:_CARDS]
    most_read = store.most_read(now - timedelta(days=7), language=language or None, limit=_READ).items
    return PageView(
        "front.html",
        {
            "lead": stories[:1],
            "cards": cards,
            "briefs": [one for one in stories[1:] if one not in cards],
            "latest": latest,
            "most_read": most_read,
            "numbers": {*(one.id for one in (*latest, *most_read)), *(m for one in stories for m in one.members)},
            "spoken": spoken,
            "language": language,
            "names": {code: language_name(code) for code in spoken},
            "sample": bool(store.setting("sample")),
            "aside": _aside(app, None),
            "unplaced": [] if stories else _aside(app, Stage.STORIES),
            "aside_counts": store.quarantine_counts(),
        },
    )


def _aside(app: App, stage: Stage | None) -> list[Aside]:
    """What is set aside, the latest of it: why there may be no stories, and what somebody should look at."""
    found = app.store.quarantine(stage, limit=_ASIDE)
    return [
        Aside(entry, f"/article/{entry.item}" if entry.kind is ItemKind.ARTICLE and entry.item.isdigit() else "")
        for entry in found
    ]


def _top(app: App, last: datetime, language: str, own: str) -> list[Story]:
    """The stories of the front page; the first one is in the reader's own language, where there is one."""
    found: list[Story] = []
    for span in _SPANS:
        since = at_or_before(last, app.now()) - span
        found = app.store.top_stories(since, limit=_STORIES, language=language or None)
        if len(found) >= _ENOUGH:
            break
    else:  # news of today beside a paper of last spring: what is missing comes from there
        known = {one.id for one in found}
        older = app.store.stories(language=language or None, limit=_STORIES).items
        found += [one for one in older if one.id not in known][: _STORIES - len(found)]
    return sorted(found, key=lambda one: one is not next((two for two in found if two.language == own), found[0]))


def told(app: App, stories: list[Story]) -> list[StoryTeaser]:
    """Stories with those who tell them."""
    return [_told(app, one) for one in stories]


def _told(app: App, story: Story) -> StoryTeaser:
    members = app.store.articles(Only(story=story.id), limit=_MEMBERS).items
    names = dict.fromkeys(site_name(app, one) for one in members)
    return StoryTeaser(story, tuple(one.id for one in members), tuple(names)[:_TELLERS], direction_of(story.language))


def current_since(app: App) -> datetime:
    """What is current: since two days before now, or before the last news where that was earlier."""
    return last_news(app.store, app.now()) - _CURRENT


#: An event without news for a week is over. Where nothing came for long, counted from the last news there is.
_CURRENT_EVENTS: Final = timedelta(days=7)
_PAGE: Final = 24
#: Sizes that one can ask for.
SIZES: Final = (1, 2, 5, 10)


def events(request: Request) -> PageView:
    """Current or past events."""
    app = app_of(request)
    store = app.store
    given = request.query_params
    past = given.get("when") == "past"
    language = legal(given.get("language", ""))[:40]
    category = legal(given.get("category", ""))[:200]
    least = int(given["least"]) if given.get("least") in {str(size) for size in SIZES} else SIZES[0]
    border = last_news(store, app.now()) - _CURRENT_EVENTS
    listed = store.stories(
        category=category or None,
        language=language or None,
        since=None if past else border,
        until=border - timedelta(microseconds=1) if past else None,
        least=least,
        limit=_PAGE,
        after=cursor(request),
    )
    stories = told(app, list(listed.items))
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
            "spoken": [(code, language_name(code)) for code in app.shown.get("languages", store.languages, 60)],
        },
    )
