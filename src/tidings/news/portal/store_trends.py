"""Trends of queries in a store, period by period, in two measures (DANA thesis 6.6).

The share of articles that a query finds is counted with the index alone, whatever the size of the store, and takes any
query that search takes. TrendFinder's mean cosine (6.6.3, eq. 6.2) weighs how much each article is about the keywords:
it reads those articles that have any of them, the latest thousand; all others score 0 without being read.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from enum import StrEnum
from functools import partial
from typing import Final

from tidings.news.chosen import page
from tidings.news.portal.periods import Period
from tidings.news.store import Store, parse
from tidings.news.store.quarantine import Quarantine, article_name
from tidings.news.store.query_tree import Or, Query, SearchedWords, positive
from tidings.news.store.records_of_articles import KeptArticle, Only
from tidings.news.store.records_of_work import Stage
from tidings.news.stories.trends import (
    DatedText,
    PeriodLength,
    Trend,
    TrendFinder,
    TrendPoint,
    TrendQuery,
    Trends,
    abrupt_changes,
)

#: Articles whose text is read for cosines: two seconds' work.
MOST_READ: Final = 1_000
_AT_ONCE: Final = 100
_MOST: Final = 10_000_000


class Measure(StrEnum):
    """What is measured."""

    SHARE = "share"  # of articles that a query finds
    COSINE = "cosine"  # mean over all articles


def shares(store: Store, queries: Sequence[str], periods: Sequence[Period], language: str = "") -> Trends:
    """The share of articles that each query finds.

    Raises:
        BadQuery: one of them cannot be read.
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


def cosines(store: Store, queries: Sequence[str], by: PeriodLength, periods: Sequence[Period], language: str) -> Trends:
    """The mean cosine of all articles of a language with the keywords of each query.

    Periods before the earliest article that was read are left out: what was not read is not nothing.

    Raises:
        BadQuery: one of them cannot be read.
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
    """The words of a query that an article is to have."""
    return tuple(dict.fromkeys(one.text for one in positive(tree)))


def among(point: TrendPoint | None, period: str, total: int) -> TrendPoint:
    """A point of the articles with a keyword, as one of all articles of the period: the others score 0."""
    if point is None or not total:
        return TrendPoint(period, total, 0.0, 0.0, 1.0 if total else 0.0)
    total = max(total, point.documents)
    share = point.documents / total
    squares = (point.error**2 * (point.documents - 1) + point.mean**2) * share
    mean = point.mean * share
    error = math.sqrt(max(squares - mean * mean, 0.0) / (total - 1)) if total > 1 else 0.0
    return TrendPoint(period, total, mean, error, 1 - (1 - point.without) * share)


def _count(finder: TrendFinder, kept: KeptArticle) -> None:
    one = kept.headline
    finder.add(DatedText(one.time.date(), kept.article.text, one.title, one.language))


def _read(store: Store, only: Only, finder: TrendFinder, periods: Sequence[Period]) -> list[Period]:
    """Count the latest articles; the periods that all of them were read of."""
    after: str | None = None
    read = 0
    aside = Quarantine(store, Stage.TRENDS)
    while read < MOST_READ:
        listed = page(store, only, limit=_AT_ONCE, after=after)
        deque(aside.each(listed.items, partial(_count, finder), article_name), maxlen=0)
        read += len(listed.items)
        after = listed.after
        if after is None:
            return list(periods)
    earliest = listed.items[-1].headline.time.date()
    return [one for one in periods if one.first > earliest]
