"""Trends in the store, for the portal and the API (DANA thesis 6.6): shares, cosines, and rising words.

The share of articles that match a query is counted with the index alone, for any search query. The mean cosine of
TrendFinder (6.6.3, eq. 6.2) measures how much articles are about the keywords. It reads the latest thousand articles
that have any of them; all others score 0 without being read.

Rising words are in more titles and summaries of this week than of the weeks before, by log-likelihood ratio (Dunning
1993). The threshold grows with the number of words, so that about a single word exceeds it by chance. The number of
articles read is limited, which bounds the cost for any store.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import partial
from statistics import NormalDist
from typing import Final

from tidings.text import base_language, content_words, fold_space, stems, stop_words, unify_letters
from tidings_portal.selection import page
from tidings_portal.store import Store, parse
from tidings_portal.store.quarantine import Quarantine, article_name
from tidings_portal.store.query import Or, Query, SearchedWords, positive
from tidings_portal.store.records_of_articles import ArticleHeadline, KeptArticle, Only
from tidings_portal.store.records_of_work import Stage
from tidings_portal.stories.trends.finder import (
    DatedText,
    PeriodLength,
    Trend,
    TrendFinder,
    TrendPoint,
    TrendQuery,
    Trends,
    abrupt_changes,
)

#: What says that it is older does not know when it is from; and weeks before the year 1 there are none.
_FIRST: Final = datetime(1970, 1, 1, tzinfo=UTC)


def last_news(store: Store, now: datetime) -> datetime:
    """Return the time of the latest article, at most `now`; `now` if there is none."""
    latest = store.articles(limit=1).items
    return at_or_before(latest[0].time if latest else now, now)


def at_or_before(time: datetime, now: datetime) -> datetime:
    """Return a time, at most `now`, and late enough to subtract periods from it without overflow."""
    return max(min(time, now), _FIRST)


#: So many periods are looked at: a month of days, half a year of weeks, two years of months, ten years.
HOW_MANY: Final = {PeriodLength.DAY: 30, PeriodLength.WEEK: 26, PeriodLength.MONTH: 24, PeriodLength.YEAR: 10}
_DAY: Final = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """A period: its name, which sorts by time, and its days."""

    name: str
    first: date
    last: date

    @property
    def begin(self) -> datetime:
        """Return the first moment of the period in UTC."""
        return datetime.combine(self.first, time.min, UTC)

    @property
    def end(self) -> datetime:
        """Return the last moment of the period in UTC."""
        return datetime.combine(self.last, time.max, UTC)


def period_of(by: PeriodLength, day: date) -> TimeSpan:
    """Return the period of a length (year, month, week or day) that contains a day."""
    if by is PeriodLength.DAY:
        first = last = day
    elif by is PeriodLength.WEEK:
        first = day - _DAY * day.weekday()
        last = first + 6 * _DAY
    elif by is PeriodLength.MONTH:
        first = day.replace(day=1)
        last = (first + 31 * _DAY).replace(day=1) - _DAY
    else:
        first, last = day.replace(month=1, day=1), day.replace(month=12, day=31)
    return TimeSpan(by.of(day), first, last)


def periods_up_to(by: PeriodLength, day: date, count: int | None = None) -> list[TimeSpan]:
    """Return `count` periods, the earliest first, that end with the period of `day`."""
    found = [period_of(by, day)]
    while len(found) < (HOW_MANY[by] if count is None else count):
        found.append(period_of(by, found[-1].first - _DAY))
    return found[::-1]


_Words = tuple[str, list[str], list[str]]
WEEK: Final = timedelta(days=7)
#: The weeks before, and how many articles are looked at of this one and of those.
_BEFORE: Final = 4
_NOW_READ, _BEFORE_READ = 1_000, 2_000
_AT_ONCE: Final = 500
#: Articles that must share a word; and so many words are looked at at least: one in twenty is surprising by chance.
_FEWEST, _LOOKED_AT = 2, 20
_SHORTEST: Final = 3
_SUMMARY: Final = 200
_DIGIT: Final = re.compile(r"\d")


@dataclass(frozen=True, slots=True)
class Rising:
    """A rising word, with its numbers of current and of previous articles."""

    word: str
    language: str
    now: int
    before: int
    surprise: float


@dataclass(frozen=True, slots=True)
class Talk:
    """Rising words, the most surprising first, and the start of the current period."""

    words: tuple[Rising, ...]
    since: datetime | None = None
    is_first: bool = False  # there is nothing before it to compare with: what most articles tell of


def talk(store: Store, now: datetime, most: int = 24, *, language: Sequence[str] | None = None) -> Talk:
    """Return the rising words of the last week, in some languages or all."""
    end = last_news(store, now)
    since = end - WEEK
    spoken = None if language is None else tuple(language)
    here = listed_articles(store, Only(since=since, until=end, language=spoken), _NOW_READ)
    border = since - timedelta(microseconds=1)
    there = listed_articles(store, Only(since=since - _BEFORE * WEEK, until=border, language=spoken), _BEFORE_READ)
    aside = Quarantine(store, Stage.TRENDS)
    found, is_first = rising(here, there, aside), False
    if not found and not there:
        found, is_first = shared(here, aside), True
    return Talk(tuple(found[:most]), since if here else None, is_first)


#: Of many articles, a word in more than this share of them is how a paper writes, not what it tells of.
_EVERYWHERE: Final = 0.3


def shared(articles: Iterable[ArticleHeadline], aside: Quarantine | None = None) -> list[Rising]:
    """Return the words that most articles share, for a store without earlier articles to compare with."""
    forms: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    word_lists = map(telling_words, articles) if aside is None else aside.each(articles, telling_words, article_name)
    now, sizes = _counted(word_lists, forms)
    risings = [
        Rising(forms[key].most_common(1)[0][0], key[0], number, 0, float(number))
        for key, number in now.items()
        if number >= _FEWEST and (sizes[key[0]] < _LOOKED_AT or number <= _EVERYWHERE * sizes[key[0]])
    ]
    return sorted(risings, key=lambda one: (-one.now, one.language, one.word))


def rising(
    current: Iterable[ArticleHeadline], previous: Iterable[ArticleHeadline], aside: Quarantine | None = None
) -> list[Rising]:
    """Return the words that are in more current than previous articles, the most surprising first.

    Args:
        current: current articles.
        previous: earlier articles.
        aside: quarantines articles whose words cannot be counted; without it they raise.
    """

    def words(articles: Iterable[ArticleHeadline]) -> Iterable[_Words]:
        return map(telling_words, articles) if aside is None else aside.each(articles, telling_words, article_name)

    forms: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    now, sizes = _counted(words(current), forms)
    before, sizes_before = _counted(words(previous), None)
    several = {key: number for key, number in now.items() if number >= _FEWEST and sizes_before[key[0]]}
    least = least_surprise(len(several))
    found = []
    for (language, term), number in several.items():
        total, had, total_before = sizes[language], before[language, term], sizes_before[language]
        if number * total_before <= had * total:
            continue
        surprise = log_likelihood(number, total, had, total_before)
        if surprise >= least:
            word = forms[language, term].most_common(1)[0][0]
            found.append(Rising(word, language, number, had, surprise))
    return sorted(found, key=lambda one: (-one.surprise, -one.now, one.language, one.word))


def least_surprise(words: int) -> float:
    """Return the log-likelihood threshold that about one of `words` words exceeds by chance (chi-squared, 1 df)."""
    return NormalDist().inv_cdf(1 - 0.5 / max(words, _LOOKED_AT)) ** 2


def log_likelihood(count: int, of: int, other: int, of_other: int) -> float:
    """Return how surprising a change of a word's frequency is: the log-likelihood ratio (Dunning 1993).

    Args:
        count: the number of current articles with the word.
        of: the number of current articles.
        other: the number of previous articles with the word.
        of_other: the number of previous articles.
    """

    def likelihood(had: int, total: int, share: float) -> float:
        return sum(
            number * math.log(part) for number, part in ((had, share), (total - had, 1 - share)) if number and part > 0
        )

    shared = (count + other) / (of + of_other)
    apart = likelihood(count, of, count / of) + likelihood(other, of_other, other / of_other)
    return max(0.0, 2 * (apart - likelihood(count, of, shared) - likelihood(other, of_other, shared)))


def telling_words(article: ArticleHeadline) -> _Words:
    """Return the language of an article, its content words, and their stems."""
    language = base_language(article.language)
    text = unify_letters(fold_space(f"{article.title}. {article.summary[:_SUMMARY]}"), language)
    stopped = stop_words(language)
    words = [word for word in content_words(text, language) if word not in stopped and _is_telling(word)]
    return language, words, stems(words, language)


def _counted(
    articles: Iterable[_Words], forms: dict[tuple[str, str], Counter[str]] | None
) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """Return the number of articles per language and term, and per language.

    Args:
        articles: the words of each article.
        forms: counts the written forms of each term; None: not counted.
    """
    counts: Counter[tuple[str, str]] = Counter()
    sizes: Counter[str] = Counter()
    for language, word_forms, terms in articles:
        sizes[language] += 1
        counts.update({(language, term) for term in terms})
        if forms is not None:
            for term, word in zip(terms, word_forms, strict=True):
                forms[language, term][word] += 1
    return counts, sizes


def _is_telling(word: str) -> bool:
    return len(word) >= _SHORTEST and not _DIGIT.search(word)


def listed_articles(store: Store, only: Only, most: int) -> list[ArticleHeadline]:
    """Return the latest articles that match a filter as headlines, at most `most`."""
    articles: list[ArticleHeadline] = []
    after: str | None = None
    while len(articles) < most:
        listed = store.articles(only, limit=min(_AT_ONCE, most - len(articles)), after=after)
        articles += listed.items
        after = listed.after
        if after is None:
            break
    return articles


#: Articles whose text is read for cosines: two seconds' work.
MOST_READ: Final = 1_000
_READ_AT_ONCE: Final = 100
_MOST: Final = 10_000_000


#: Years back that articles of a source are counted.
_YEARS: Final = 40


def articles_by_year(store: Store, source: int, now: datetime) -> list[tuple[int, int]]:
    """Return the number of articles of a source per year, the earliest first (DANA thesis 7.2.2)."""
    found = []
    for one in periods_up_to(PeriodLength.YEAR, now.date(), _YEARS):
        only = Only(source=source, muted=True, since=one.begin, until=one.end)
        found.append((one.first.year, store.count(None, only, most=_MOST).number))
    first = next((place for place, (_, number) in enumerate(found) if number), len(found))
    return found[first:]


class TrendMeasure(StrEnum):
    """The measure of a trend."""

    SHARE = "share"  # of articles that a query finds
    COSINE = "cosine"  # mean over all articles


def shares(store: Store, queries: Sequence[str], periods: Sequence[TimeSpan], language: str = "") -> Trends:
    """Return for each query the share of articles that match it, by period.

    Raises:
        BadQuery: a query is invalid.
    """
    trees = [parse(one) for one in queries]
    spans = [Only(language=language or None, since=one.begin, until=one.end) for one in periods]
    totals = [store.count(None, span, most=_MOST).number for span in spans]
    found = []
    for query, tree in zip(queries, trees, strict=True):
        points = []
        for period, span, total in zip(periods, spans, totals, strict=True):
            share = store.count(tree, span, most=_MOST).number / total if total else 0.0
            error = math.sqrt(share * (1 - share) / (total - 1)) if total > 1 else 0.0
            points.append(TrendPoint(period.name, total, share, error, 1 - share))
        found.append(Trend(TrendQuery(query, (query,), language), tuple(points), abrupt_changes(points)))
    return Trends(tuple(one.name for one in periods), sum(totals), tuple(found))


def cosines(
    store: Store, queries: Sequence[str], by: PeriodLength, periods: Sequence[TimeSpan], language: str
) -> Trends:
    """Return for each query the mean cosine of all articles of a language with its keywords, by period.

    Periods before the earliest article that was read are left out, because their value is unknown and not 0.

    Raises:
        BadQuery: a query is invalid.
    """
    trees = [parse(one) for one in queries]
    asked = [TrendQuery(one, keywords(tree), language) for one, tree in zip(queries, trees, strict=True)]
    finder = TrendFinder(asked, by, with_titles=True)
    words = tuple(SearchedWords(word) for one in asked for word in one.keywords)
    known = list(periods)
    if words and known:
        only = Only(language=language, since=known[0].begin, until=known[-1].end, query=Or(words))
        known = _read(store, only, finder, known)
    totals = [
        store.count(None, Only(language=language, since=one.begin, until=one.end), most=_MOST).number for one in known
    ]
    found = finder.trends()
    trends = []
    for trend in found.trends:
        of = {point.period: point for point in trend.points}
        points = [among(of.get(one.name), one.name, total) for one, total in zip(known, totals, strict=True)]
        trends.append(Trend(trend.query, tuple(points), abrupt_changes(points)))
    return Trends(tuple(one.name for one in known), sum(totals), tuple(trends))


def keywords(tree: Query) -> tuple[str, ...]:
    """Return the words and phrases of a query that are not under a NOT, each once."""
    return tuple(dict.fromkeys(one.text for one in positive(tree)))


def among(point: TrendPoint | None, period: str, total: int) -> TrendPoint:
    """Convert a trend point of articles with a keyword into a point of all articles; the others score 0.

    Args:
        point: the point of the articles with a keyword; None if there are none.
        period: the name of the period.
        total: the number of all articles of the period.
    """
    if point is None or not total:
        return TrendPoint(period, total, 0.0, 0.0, 1.0 if total else 0.0)
    total = max(total, point.documents)
    share = point.documents / total
    squares = (point.error**2 * (point.documents - 1) + point.mean**2) * share
    mean = point.mean * share
    error = math.sqrt(max(squares - mean * mean, 0.0) / (total - 1)) if total > 1 else 0.0
    return TrendPoint(period, total, mean, error, 1 - (1 - point.without) * share)


def _count(finder: TrendFinder, stored: KeptArticle) -> None:
    headline = stored.headline
    finder.add(DatedText(headline.time.date(), stored.article.text, headline.title, headline.language))


def _read(store: Store, only: Only, finder: TrendFinder, periods: Sequence[TimeSpan]) -> list[TimeSpan]:
    """Add the latest articles to a trend finder; return the periods whose articles were all read."""
    after: str | None = None
    read = 0
    aside = Quarantine(store, Stage.TRENDS)
    while read < MOST_READ:
        listed = page(store, only, limit=_READ_AT_ONCE, after=after)
        deque(aside.each(listed.items, partial(_count, finder), article_name), maxlen=0)
        read += len(listed.items)
        after = listed.after
        if after is None:
            return list(periods)
    earliest = listed.items[-1].headline.time.date()
    return [one for one in periods if one.first > earliest]
