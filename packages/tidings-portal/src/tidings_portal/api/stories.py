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
    """Which stories."""

    category: Category = None
    topic: Topic = None
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
    """Stories, those of the most outlets first."""

    items: tuple[StoryItem, ...]


@dataclass(frozen=True, slots=True)
class Day:
    """The articles of a story on one day, oldest first."""

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


def list_stories(call: Call, params: StoriesAsked) -> Stories:
    """Stories, the one with the latest news first."""
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
    """A story with its articles, the latest first.

    A story that was merged into another is answered with that one, under its number.
    """
    story = _story(call, params.id)
    members = call.store.articles(Only(story=story.id), limit=params.limit, after=params.cursor)
    return ToldStory(responses.story(story), tuple(map(responses.article, members.items)), members.after)


def get_timeline(call: Call, params: OneStory) -> Timeline:
    """A story day by day: what came when, and who joined in."""
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
    """Which queries, over which time."""

    q: Annotated[
        tuple[Annotated[str, FieldDoc("A query.", shortest=1, longest=1000)], ...],
        FieldDoc("A query, as in search; give several as `q=one&q=two`.", least=1, most=_QUERIES),
    ]
    by: Annotated[PeriodLength, FieldDoc("How long a period is.")] = PeriodLength.DAY
    since: Since = None
    until: Until = None
    measure: Annotated[TrendMeasure, FieldDoc("The share that is found, or the mean cosine with the words.")] = (
        TrendMeasure.SHARE
    )
    language: Annotated[str | None, FieldDoc("Only this language; for a cosine, else en.", longest=35)] = None


@dataclass(frozen=True, slots=True)
class PeriodItem:
    """A period of time."""

    name: str
    first: date
    last: date


@dataclass(frozen=True, slots=True)
class PointItem:
    """A query in a period."""

    period: str
    articles: Annotated[int, FieldDoc("Of the period, whatever they are about.")]
    found: Annotated[int, FieldDoc("Those that the query finds; of a cosine, those with any of its words.")]
    value: Annotated[float, FieldDoc("The share, or the mean cosine.")]
    error: Annotated[float, FieldDoc("Its standard error.")]


@dataclass(frozen=True, slots=True)
class ChangeItem:
    """A step that chance does not explain, and three times the usual one."""

    period: str
    before: float
    after: float


@dataclass(frozen=True, slots=True)
class TrendItem:
    """A query through all periods."""

    query: str
    points: tuple[PointItem, ...]
    changes: tuple[ChangeItem, ...]


@dataclass(frozen=True, slots=True)
class TrendsFound:
    """Queries through the same periods, the earliest first."""

    by: PeriodLength
    measure: TrendMeasure
    periods: tuple[PeriodItem, ...]
    trends: tuple[TrendItem, ...]


@dataclass(frozen=True, slots=True)
class RisingAsked:
    """How many words."""

    limit: Annotated[int, FieldDoc("How many to give.", least=1, most=_RISING)] = 24


@dataclass(frozen=True, slots=True)
class RisingItem:
    """A word that more articles have than before."""

    word: str
    language: str
    now: Annotated[int, FieldDoc("Articles of the week that have it.")]
    before: Annotated[int, FieldDoc("Articles of the four weeks before.")]
    surprise: Annotated[float, FieldDoc("How little chance explains it: the log-likelihood ratio.")]


@dataclass(frozen=True, slots=True)
class RisingWords:
    """Words that rise, the most surprising first."""

    since: datetime | None
    items: tuple[RisingItem, ...]


@dataclass(frozen=True, slots=True)
class ThemesAsked:
    """Which periods and language."""

    by: Annotated[
        PeriodLength | None, FieldDoc("How long a period is; weeks, or days while there are no two weeks.")
    ] = None
    language: Annotated[str | None, FieldDoc("Only this language.", longest=35)] = None


@dataclass(frozen=True, slots=True)
class ThemeItem:
    """Words that occur in the same articles of a period."""

    period: str
    language: str
    words: tuple[str, ...]
    articles: Annotated[int, FieldDoc("That have two of the words.")]
    share: Annotated[float, FieldDoc("Of all articles of the period in that language.")]


@dataclass(frozen=True, slots=True)
class ThemeStepItem:
    """What became of themes."""

    change: ThemeChange
    period: Annotated[str, FieldDoc("In which it shows.")]
    before: tuple[ThemeItem, ...]
    after: tuple[ThemeItem, ...]


@dataclass(frozen=True, slots=True)
class ThemesFound:
    """Themes period by period, the earliest first, and what became of them, the latest first."""

    periods: tuple[str, ...]
    themes: tuple[ThemeItem, ...]
    steps: tuple[ThemeStepItem, ...]


@dataclass(frozen=True, slots=True)
class KeywordsAsked:
    """A query of several words, and where to look."""

    q: Annotated[str, FieldDoc("A query of two words or more.", shortest=1, longest=400, example="storm bridge")]
    by: Annotated[PeriodLength, FieldDoc("How long a period is.")] = PeriodLength.WEEK
    language: Annotated[str | None, FieldDoc("Only this language.", longest=35)] = None


@dataclass(frozen=True, slots=True)
class KeywordItem:
    """How good a keyword is."""

    word: str
    articles: Annotated[int, FieldDoc("That have it.")]
    together: Annotated[int, FieldDoc("Of them, with another keyword of the query.")]
    separation: Annotated[
        float, FieldDoc("Its share among articles with the other keywords, less that among the rest: 1 is all.")
    ]


@dataclass(frozen=True, slots=True)
class KeywordsFound:
    """The keywords of a query, the best first; none of a query with one."""

    items: tuple[KeywordItem, ...]


def list_themes(call: Call, params: ThemesAsked) -> ThemesFound:
    """Themes of the last eight periods: which began, met, split and faded."""
    spoken = None if params.language is None else (params.language,)
    key = ("api", "themes", params.by, spoken)
    found = call.app.cache.get(key, lambda: history(call.store, call.now, params.by, spoken), _KEPT)
    steps = [ThemeStepItem(one.change, one.period, _themes(one.before), _themes(one.after)) for one in found.steps]
    return ThemesFound(found.periods, _themes(one for some in found.themes for one in some), tuple(steps))


def _themes(themes: Iterable[Theme]) -> tuple[ThemeItem, ...]:
    return tuple(ThemeItem(theme.period, theme.language, theme.words, theme.articles, theme.share) for theme in themes)


def list_keywords(call: Call, params: KeywordsAsked) -> KeywordsFound:
    """How much each keyword of a query tells its articles from the rest."""
    periods = periods_up_to(params.by, call.now.date(), HOW_MANY[params.by])
    found = keyword_quality(call.store, params.q, periods, params.language or "")
    return KeywordsFound(tuple(KeywordItem(one.word, one.articles, one.together, one.separation) for one in found))


def get_trends(call: Call, params: TrendsAsked) -> TrendsFound:
    """How much articles are about queries, period by period, with abrupt changes.

    Without `since` it is a month of days, half a year of weeks, two years of months or ten years; 90 periods at most.
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
    """Whether there are periods around it: the calendar has a first and a last day."""
    return 1000 <= moment.year <= 9000


TREND_OPERATIONS: Final = (
    Operation("GET", "/trends", get_trends, _TREND_TAG, costs=True),
    Operation("GET", "/trends/rising", list_rising, _TREND_TAG),
    Operation("GET", "/trends/themes", list_themes, _TREND_TAG),
    Operation("GET", "/trends/keywords", list_keywords, _TREND_TAG),
)
