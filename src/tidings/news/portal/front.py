"""The front page: the stories that most sources tell of, what came last, what is read most."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from starlette.requests import Request

from tidings.news.portal.last_news import at_or_before, last_news
from tidings.news.store.records_of_articles import Only, Story
from tidings.news.store.records_of_work import ItemKind, QuarantineEntry, Stage
from tidings.news.web.house import House, house_of
from tidings.news.web.showing import Shown
from tidings.news.web.site_names import site_name
from tidings.news.web.tongues import direction_of, name_of
from tidings.news.web.visit import visit_of

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
class Told:
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


def front(request: Request) -> Shown:
    """The front page."""
    house = house_of(request)
    store = house.store
    spoken = house.shown.get("languages", store.languages, 60)
    language = request.query_params.get("language", "")
    only = Only(language=language or None)
    latest = store.articles(only, limit=_LATEST).items
    now = house.now()
    stories = told(house, _top(house, latest[0].time if latest else now, language, visit_of(request).words.language))
    cards = [one for one in stories[1:] if one.story.image][:_CARDS]
    most_read = store.most_read(now - timedelta(days=7), language=language or None, limit=_READ).items
    return Shown(
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
            "names": {code: name_of(code) for code in spoken},
            "sample": bool(store.setting("sample")),
            "aside": _aside(house, None),
            "unplaced": [] if stories else _aside(house, Stage.STORIES),
            "aside_counts": store.quarantine_counts(),
        },
    )


def _aside(house: House, stage: Stage | None) -> list[Aside]:
    """What is set aside, the latest of it: why there may be no stories, and what somebody should look at."""
    found = house.store.quarantine(stage, limit=_ASIDE)
    return [
        Aside(entry, f"/article/{entry.item}" if entry.kind is ItemKind.ARTICLE and entry.item.isdigit() else "")
        for entry in found
    ]


def _top(house: House, last: datetime, language: str, own: str) -> list[Story]:
    """The stories of the front page; the first one is in the reader's own language, where there is one."""
    found: list[Story] = []
    for span in _SPANS:
        since = at_or_before(last, house.now()) - span
        found = house.store.top_stories(since, limit=_STORIES, language=language or None)
        if len(found) >= _ENOUGH:
            break
    else:  # news of today beside a paper of last spring: what is missing comes from there
        known = {one.id for one in found}
        older = house.store.stories(language=language or None, limit=_STORIES).items
        found += [one for one in older if one.id not in known][: _STORIES - len(found)]
    return sorted(found, key=lambda one: one is not next((two for two in found if two.language == own), found[0]))


def told(house: House, stories: list[Story]) -> list[Told]:
    """Stories with those who tell them."""
    return [_told(house, one) for one in stories]


def _told(house: House, story: Story) -> Told:
    members = house.store.articles(Only(story=story.id), limit=_MEMBERS).items
    names = dict.fromkeys(site_name(house, one) for one in members)
    return Told(story, tuple(one.id for one in members), tuple(names)[:_TELLERS], direction_of(story.language))


def current_since(house: House) -> datetime:
    """What is current: since two days before now, or before the last news where that was earlier."""
    return last_news(house.store, house.now()) - _CURRENT
