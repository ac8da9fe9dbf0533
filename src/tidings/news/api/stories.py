"""Stories: articles about one event."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta
from itertools import groupby
from typing import Annotated, Final

from tidings.news.api import responses
from tidings.news.api.operations import JSON, Call, Operation
from tidings.news.api.requests import refuse
from tidings.news.api.responses import ArticleItem, Next, Stories, StoryItem
from tidings.news.api.schema import LARGEST, Category, Cursor, FieldDoc, Language, Limit, Number, Since, Until
from tidings.news.store.records_of_articles import Only, Story

_TAG: Final = "stories"
#: Articles of which a timeline is made: the latest of the story.
_TOLD: Final = 500


@dataclass(frozen=True, slots=True)
class StoriesAsked:
    """Which stories."""

    category: Category = None
    language: Language = None
    since: Since = None
    until: Until = None
    least: Annotated[int, FieldDoc("Told in at least so many articles.", least=1, most=LARGEST)] = 1
    limit: Limit = 20
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class TopAsked:
    """The stories of which time."""

    hours: Annotated[int, FieldDoc("With news in the last so many hours.", least=1, most=87_600)] = 48
    language: Language = None
    limit: Limit = 20


@dataclass(frozen=True, slots=True)
class StoryAsked:
    """A story, and which of its articles."""

    id: Number
    limit: Limit = 20
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class OneStory:
    """A story."""

    id: Number


@dataclass(frozen=True, slots=True)
class TopStories:
    """The stories that most sites tell of."""

    items: tuple[StoryItem, ...]


@dataclass(frozen=True, slots=True)
class ToldStory:
    """A story with its articles, the latest first."""

    story: StoryItem
    articles: tuple[ArticleItem, ...]
    next: Next


@dataclass(frozen=True, slots=True)
class Day:
    """What was told on one day, in the order it came."""

    day: date
    articles: tuple[ArticleItem, ...]
    sites: Annotated[int, FieldDoc("Hosts that told of it on this day.")]
    new_sites: Annotated[tuple[str, ...], FieldDoc("Those that had not told of it before.")]


@dataclass(frozen=True, slots=True)
class Timeline:
    """A story day by day, the first day first."""

    story: StoryItem
    days: tuple[Day, ...]
    complete: Annotated[bool, FieldDoc("Whether the whole story is here; else its latest 500 articles are.")]


def list_stories(call: Call, asked: StoriesAsked) -> Stories:
    """Stories, the one with the latest news first."""
    found = call.store.stories(
        category=asked.category,
        language=asked.language,
        since=asked.since,
        until=asked.until,
        least=asked.least,
        limit=asked.limit,
        after=asked.cursor,
    )
    return Stories(tuple(map(responses.story, found.items)), found.after)


def top_stories(call: Call, asked: TopAsked) -> TopStories:
    """The stories that most sites tell of: a front page."""
    since = call.now - timedelta(hours=asked.hours)
    found = call.store.top_stories(since, limit=asked.limit, language=asked.language)
    return TopStories(tuple(map(responses.story, found)))


def get_story(call: Call, asked: StoryAsked) -> ToldStory:
    """A story with its articles, the latest first.

    A story that was merged into another is answered with that one, under its number.
    """
    told = _story(call, asked.id)
    members = call.store.articles(Only(story=told.id), limit=asked.limit, after=asked.cursor)
    return ToldStory(responses.story(told), tuple(map(responses.article, members.items)), members.after)


def get_timeline(call: Call, asked: OneStory) -> Timeline:
    """A story day by day: what came when, and who joined in."""
    told = _story(call, asked.id)
    members = call.store.articles(Only(story=told.id), limit=_TOLD)
    items = [responses.article(one) for one in reversed(members.items)]
    days: list[Day] = []
    known: set[str] = set()
    for day, several in groupby(items, key=lambda one: one.time.date()):
        articles = tuple(several)
        sites = dict.fromkeys(one.site for one in articles)
        days.append(Day(day, articles, len(sites), tuple(site for site in sites if site not in known)))
        known |= set(sites)
    return Timeline(responses.story(told), tuple(days), members.after is None)


def _story(call: Call, number: int) -> Story:
    found = call.store.story(number)
    if found is None:
        refuse(404, f"there is no story {number}")
    return found


OPERATIONS: Final = (
    Operation("GET", "/stories", list_stories, _TAG, StoriesAsked, gives={JSON: Stories}),
    Operation("GET", "/stories/top", top_stories, _TAG, TopAsked, gives={JSON: TopStories}),
    Operation("GET", "/stories/{id}", get_story, _TAG, StoryAsked, gives={JSON: ToldStory}, problems=(404,)),
    Operation("GET", "/stories/{id}/timeline", get_timeline, _TAG, OneStory, gives={JSON: Timeline}, problems=(404,)),
)
