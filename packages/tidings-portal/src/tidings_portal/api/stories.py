"""API operations for stories (articles about one event), and for trends of queries by period (DANA thesis 6.6)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Annotated, Final

from tidings_portal import responses
from tidings_portal.api.operations import Call, Operation
from tidings_portal.api.requests import refuse
from tidings_portal.api.schema import LARGEST, Category, Cursor, Language, Limit, Number, Since, Topic, Until
from tidings_portal.responses import ArticleItem, FieldDoc, Stories, StoryItem, ToldStory
from tidings_portal.store.records_of_articles import Only, Story
from tidings_portal.stories.trends.finder import PeriodLength, Trend, Trends
from tidings_portal.themes import Theme, ThemeChange, history, keyword_quality
from tidings_portal.trends import HOW_MANY, TimeSpan, TrendMeasure, cosines, period_of, periods_up_to, shares, talk

_TAG: Final = "stories"
#: Articles of which a timeline is made: the latest of the story.
_TOLD: Final = 500


@dataclass(frozen=True, slots=True)
class StoriesAsked:
    """Filters of a list of stories."""

    category: Category = None
    topic: Topic = None
    language: Language = None
    since: Since = None
    until: Until = None
    least: Annotated[int, FieldDoc("Minimum number of articles in a story.", least=1, most=LARGEST)] = 1
    limit: Limit = 20
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class TopAsked:
    """Parameters of the top stories: the time range and language."""

    hours: Annotated[int, FieldDoc("Only stories with news in the last hours.", least=1, most=87_600)] = 48
    language: Language = None
    limit: Limit = 20


@dataclass(frozen=True, slots=True)
class StoryAsked:
    """Parameters of a story: its id, and the page of its articles."""

    id: Number
    limit: Limit = 20
    cursor: Cursor = None


@dataclass(frozen=True, slots=True)
class OneStory:
    """Parameters that name a story."""

    id: Number


@dataclass(frozen=True, slots=True)
class TopStories:
    """Stories, ordered by their number of outlets."""

    items: tuple[StoryItem, ...]


@dataclass(frozen=True, slots=True)
class Day:
    """The articles of a story on one day, oldest first."""

    day: date
    articles: tuple[ArticleItem, ...]
    sites: Annotated[int, FieldDoc("Hosts with an article on this day.")]
    new_sites: Annotated[tuple[str, ...], FieldDoc("Hosts with their first article in this story.")]


@dataclass(frozen=True, slots=True)
class Timeline:
    """A story day by day, the first day first."""

    story: StoryItem
    days: tuple[Day, ...]
    complete: Annotated[bool, FieldDoc("Whether all articles are included; else the latest 500.")]


def list_stories(call: Call, params: StoriesAsked) -> Stories:
    """List stories, the most recently updated first."""
    found = call.store.stories(
        category=params.category,
        topic=params.topic,
        language=params.language,
        since=params.since,
        until=params.until,
        least=params.least,
        limit=params.limit,
        after=params.cursor,
    )
    return Stories(tuple(map(responses.story, found.items)), found.after)


def top_stories(call: Call, params: TopAsked) -> TopStories:
    """List the stories of a front page, those of the most outlets first."""
    since = call.now - timedelta(hours=params.hours)
    found = call.store.top_stories(since, limit=params.limit, language=params.language)
    return TopStories(tuple(map(responses.story, found)))


def get_story(call: Call, params: StoryAsked) -> ToldStory:
    """Return a story with its articles, the latest first.

    For a story that was merged into another, that one is returned under its own id.
    """
    story = _story(call, params.id)
    members = call.store.articles(Only(story=story.id), limit=params.limit, after=params.cursor)
    return ToldStory(responses.story(story), tuple(map(responses.article, members.items)), members.after)


def get_timeline(call: Call, params: OneStory) -> Timeline:
    """Return a story day by day: new articles, and outlets that report it for the first time."""
    story = _story(call, params.id)
    members = call.store.articles(Only(story=story.id), limit=_TOLD)
    items = [responses.article(one) for one in reversed(members.items)]
    days: list[Day] = []
    known_sites: set[str] = set()
    for day, several in groupby(items, key=lambda one: one.time.date()):
        articles = tuple(several)
        sites = dict.fromkeys(one.site for one in articles)
        days.append(Day(day, articles, len(sites), tuple(site for site in sites if site not in known_sites)))
        known_sites |= set(sites)
    return Timeline(responses.story(story), tuple(days), members.after is None)


def _story(call: Call, number: int) -> Story:
    found = call.store.story(number)
    if found is None:
        refuse(404, f"there is no story {number}")
    return found


OPERATIONS: Final = (
    Operation("GET", "/stories", list_stories, _TAG),
    Operation("GET", "/stories/top", top_stories, _TAG),
    Operation("GET", "/stories/{id}", get_story, _TAG, problems=(404,)),
    Operation("GET", "/stories/{id}/timeline", get_timeline, _TAG, problems=(404,)),
)


_TREND_TAG: Final = "trends"
_PERIODS: Final = 90
_QUERIES: Final = 5
_RISING: Final = 100
_KEPT: Final = 60  # seconds that what rises is given again


@dataclass(frozen=True, slots=True)
class TrendsAsked:
    """Parameters of trends: queries, time range and period."""

    q: Annotated[
        tuple[Annotated[str, FieldDoc("A query.", shortest=1, longest=1000)], ...],
        FieldDoc("Search query; several as `q=storm&q=flood`.", least=1, most=_QUERIES),
    ]
    by: Annotated[PeriodLength, FieldDoc("Length of a period.")] = PeriodLength.DAY
    since: Since = None
    until: Until = None
    measure: Annotated[TrendMeasure, FieldDoc("Share of matching articles, or mean cosine with the query's words.")] = (
        TrendMeasure.SHARE
    )
    language: Annotated[str | None, FieldDoc("Only this language. Default for cosines: en.", longest=35)] = None


@dataclass(frozen=True, slots=True)
class PeriodItem:
    """A period of time."""

    name: str
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class PointItem:
    """The values of a query in a period."""

    period: str
    articles: Annotated[int, FieldDoc("Number of all articles of the period.")]
    found: Annotated[
        int, FieldDoc("Number of articles that the query matches; for cosines, of articles with any of its words.")
    ]
    value: Annotated[float, FieldDoc("Share or mean cosine.")]
    error: Annotated[float, FieldDoc("Standard error of the value.")]


@dataclass(frozen=True, slots=True)
class ChangeItem:
    """An abrupt change: a statistically significant step of three times the usual size."""

    period: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class TrendItem:
    """A query with its values in all periods."""

    query: str
    points: tuple[PointItem, ...]
    changes: tuple[ChangeItem, ...]


@dataclass(frozen=True, slots=True)
class TrendsFound:
    """Queries with their values in the same periods, the earliest first."""

    by: PeriodLength
    measure: TrendMeasure
    periods: tuple[PeriodItem, ...]
    trends: tuple[TrendItem, ...]


@dataclass(frozen=True, slots=True)
class RisingAsked:
    """Parameters of rising words: language and limit."""

    limit: Annotated[int, FieldDoc("Maximum number of results.", least=1, most=_RISING)] = 24


@dataclass(frozen=True, slots=True)
class RisingItem:
    """A word that is more frequent than before."""

    word: str
    language: str
    now: Annotated[int, FieldDoc("Number of articles with the word in the last week.")]
    before: Annotated[int, FieldDoc("Number of articles with the word in the four weeks before.")]
    surprise: Annotated[float, FieldDoc("Log-likelihood ratio of the change.")]


@dataclass(frozen=True, slots=True)
class RisingWords:
    """Rising words, the most surprising first."""

    since: datetime | None
    items: tuple[RisingItem, ...]


@dataclass(frozen=True, slots=True)
class ThemesAsked:
    """Parameters of themes: period and language."""

    by: Annotated[
        PeriodLength | None, FieldDoc("Length of a period. Default: weeks, or days in the first two weeks.")
    ] = None
    language: Annotated[str | None, FieldDoc("Only this language.", longest=35)] = None


@dataclass(frozen=True, slots=True)
class ThemeItem:
    """A theme: words that occur in the same articles of a period."""

    period: str
    language: str
    words: tuple[str, ...]
    articles: Annotated[int, FieldDoc("Number of articles with two of the words.")]
    share: Annotated[float, FieldDoc("Share of the period's articles in that language.")]


@dataclass(frozen=True, slots=True)
class ThemeStepItem:
    """A change of themes between two periods: a beginning, merge, split or end."""

    change: ThemeChange
    period: Annotated[str, FieldDoc("Period of the change.")]
    before: tuple[ThemeItem, ...]
    after: tuple[ThemeItem, ...]


@dataclass(frozen=True, slots=True)
class ThemesFound:
    """Themes by period, the earliest first, and their changes, the latest first."""

    periods: tuple[str, ...]
    themes: tuple[ThemeItem, ...]
    steps: tuple[ThemeStepItem, ...]


@dataclass(frozen=True, slots=True)
class KeywordsAsked:
    """Parameters of keyword quality: a query of several words, and filters."""

    q: Annotated[str, FieldDoc("Search query of at least two words.", shortest=1, longest=400, example="storm bridge")]
    by: Annotated[PeriodLength, FieldDoc("Length of a period.")] = PeriodLength.WEEK
    language: Annotated[str | None, FieldDoc("Only this language.", longest=35)] = None


@dataclass(frozen=True, slots=True)
class KeywordItem:
    """A keyword with its quality."""

    word: str
    articles: Annotated[int, FieldDoc("Number of articles with the keyword.")]
    together: Annotated[int, FieldDoc("Number of these with another keyword of the query.")]
    separation: Annotated[
        float, FieldDoc("Share of the keyword in articles with other keywords minus its share in the rest, up to 1.")
    ]


@dataclass(frozen=True, slots=True)
class KeywordsFound:
    """The keywords of a query, the best first; empty for a query with one keyword."""

    items: tuple[KeywordItem, ...]


def list_themes(call: Call, params: ThemesAsked) -> ThemesFound:
    """List the themes of the last eight periods: which began, merged, split and ended."""
    spoken = None if params.language is None else (params.language,)
    key = ("api", "themes", params.by, spoken)
    found = call.app.cache.get(key, lambda: history(call.store, call.now, params.by, spoken), _KEPT)
    steps = [ThemeStepItem(one.change, one.period, _themes(one.before), _themes(one.after)) for one in found.steps]
    return ThemesFound(found.periods, _themes(one for some in found.themes for one in some), tuple(steps))


def _themes(themes: Iterable[Theme]) -> tuple[ThemeItem, ...]:
    return tuple(ThemeItem(theme.period, theme.language, theme.words, theme.articles, theme.share) for theme in themes)


def list_keywords(call: Call, params: KeywordsAsked) -> KeywordsFound:
    """Return how well each keyword of a query separates its articles from others."""
    periods = periods_up_to(params.by, call.now.date(), HOW_MANY[params.by])
    found = keyword_quality(call.store, params.q, periods, params.language or "")
    return KeywordsFound(tuple(KeywordItem(one.word, one.articles, one.together, one.separation) for one in found))


def get_trends(call: Call, params: TrendsAsked) -> TrendsFound:
    """Return how much articles are about some queries in each period, with abrupt changes.

    Without `since`, the range is a month of days, half a year of weeks, two years of months or ten years; at most 90
    periods.
    """
    periods = _periods(params, call.now.date())
    if params.measure is TrendMeasure.SHARE:
        found = shares(call.store, params.q, periods, params.language or "")
    else:
        found = cosines(call.store, params.q, params.by, periods, params.language or "en")
    return _trends_response(params, periods, found)


def list_rising(call: Call, params: RisingAsked) -> RisingWords:
    """List trending words: words that are more frequent than in the weeks before."""
    found = call.app.cache.get(("api", "rising"), lambda: talk(call.store, call.now, _RISING), _KEPT)
    words = found.words[: params.limit]
    items = [RisingItem(one.word, one.language, one.now, one.before, one.surprise) for one in words]
    return RisingWords(found.since, tuple(items))


def _trends_response(params: TrendsAsked, periods: list[TimeSpan], trends: Trends) -> TrendsFound:
    names = set(trends.periods)
    period_items = [PeriodItem(one.name, one.first, one.last) for one in periods if one.name in names]
    return TrendsFound(params.by, params.measure, tuple(period_items), tuple(map(_trend, trends.trends)))


def _trend(trend: Trend) -> TrendItem:
    points = [
        PointItem(one.period, one.documents, round((1 - one.without) * one.documents), one.mean, one.error)
        for one in trend.points
    ]
    changes = [ChangeItem(one.period, one.before, one.after) for one in trend.changes]
    return TrendItem(trend.query.name, tuple(points), tuple(changes))


def _periods(params: TrendsAsked, today: date) -> list[TimeSpan]:
    until = today if params.until is None else params.until.astimezone(UTC).date() if _sane(params.until) else None
    since = None if params.since is None or not _sane(params.since) else params.since.astimezone(UTC).date()
    if until is None or (params.since is not None and since is None):
        refuse(400, "choose since and until between the years 1000 and 9000")
    if since is None:
        return periods_up_to(params.by, until, HOW_MANY[params.by])
    if since > until:
        refuse(400, "since is later than until")
    periods = [period_of(params.by, since)]
    while periods[-1].last < until and len(periods) <= _PERIODS:
        periods.append(period_of(params.by, periods[-1].last + timedelta(days=1)))
    if len(periods) > _PERIODS:
        refuse(400, f"these are more than {_PERIODS} periods; choose longer ones, or a shorter time")
    return periods


def _sane(moment: datetime) -> bool:
    """Return whether a time is far enough from the limits of the calendar to have periods around it."""
    return 1000 <= moment.year <= 9000


TREND_OPERATIONS: Final = (
    Operation("GET", "/trends", get_trends, _TREND_TAG, costs=True),
    Operation("GET", "/trends/rising", list_rising, _TREND_TAG),
    Operation("GET", "/trends/themes", list_themes, _TREND_TAG),
    Operation("GET", "/trends/keywords", list_keywords, _TREND_TAG),
)
