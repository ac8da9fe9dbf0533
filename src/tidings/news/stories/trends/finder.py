"""TrendFinder: how much documents of each period are about a query (DANA thesis 6.6.3).

A document becomes a vector over the query's own dictionary only (6.6.3.2, figure 6.1): how often each keyword is in it,
stemmed, stop words out. Its score is the cosine with the query (eq. 6.2), and a period's the mean of its documents. A
document with none of the keywords scores 0; how many do so is told beside it, which the thesis misses (6.6.5).

Documents come one at a time and are not kept: only sums by period are.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from tidings.news.stories.trends.changes import TrendChange, abrupt_changes
from tidings.news.stories.trends.document import DatedText
from tidings.news.stories.trends.queries import TrendQuery
from tidings.text import base_language, terms


class PeriodLength(StrEnum):
    """How long a period is."""

    YEAR = "year"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"

    def of(self, day: date) -> str:
        """The period of a day; periods sort by their names."""
        if self is PeriodLength.WEEK:
            year, week, _ = day.isocalendar()
            return f"{year:04d}-W{week:02d}"
        return day.isoformat()[: {PeriodLength.YEAR: 4, PeriodLength.MONTH: 7, PeriodLength.DAY: 10}[self]]


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """A query in a period."""

    period: str
    documents: int
    mean: float  # cosine
    error: float  # standard error of the mean; 0 for a single document
    without: float  # share of documents with no keyword


@dataclass(frozen=True, slots=True)
class Trend:
    """A query through all periods."""

    query: TrendQuery
    points: tuple[TrendPoint, ...]
    changes: tuple[TrendChange, ...]


@dataclass(frozen=True, slots=True)
class Trends:
    """Queries through the same periods."""

    periods: tuple[str, ...]
    documents: int
    trends: tuple[Trend, ...]


class TrendFinder:
    """Finds the trends of queries in documents as they come."""

    __slots__ = ("_by", "_cells", "_counts", "_dictionaries", "_queries", "_with_titles")

    def __init__(
        self, queries: Sequence[TrendQuery], by: PeriodLength = PeriodLength.YEAR, *, with_titles: bool = False
    ) -> None:
        self._queries = tuple(queries)
        self._by = by
        self._with_titles = with_titles
        self._dictionaries = [Counter(query.terms) for query in queries]
        self._counts: Counter[str] = Counter()
        self._cells: dict[tuple[str, int], _PeriodCount] = {}

    def add(self, document: DatedText) -> None:
        """Count a document."""
        period = self._by.of(document.when)
        self._counts[period] += 1
        text = f"{document.title}\n{document.text}" if self._with_titles else document.text
        prepared: dict[str, Counter[str]] = {}  # queries mostly share a language
        for number, (query, dictionary) in enumerate(zip(self._queries, self._dictionaries, strict=True)):
            language = document.language or query.language
            if base_language(language) != base_language(query.language):
                score = 0.0  # keywords of another language
            else:
                if language not in prepared:
                    prepared[language] = Counter(terms(text, language))
                score = cosine_over(dictionary, prepared[language])
            self._cells.setdefault((period, number), _PeriodCount()).add(score)

    def trends(self) -> Trends:
        """All that was found so far."""
        periods = tuple(sorted(self._counts))
        found = []
        for number, query in enumerate(self._queries):
            points = tuple(self._cells[period, number].point(period) for period in periods)
            found.append(Trend(query, points, abrupt_changes(points)))
        return Trends(periods, self._counts.total(), tuple(found))


def find_trends(
    queries: Sequence[TrendQuery],
    documents: Iterable[DatedText],
    by: PeriodLength = PeriodLength.YEAR,
    *,
    with_titles: bool = False,
) -> Trends:
    """The trends of queries in documents."""
    finder = TrendFinder(queries, by, with_titles=with_titles)
    for document in documents:
        finder.add(document)
    return finder.trends()


def cosine_over(dictionary: Counter[str], document: Counter[str]) -> float:
    """The cosine of a query and a document over the query's dictionary (eq. 6.2)."""
    held = [(weight, document[term]) for term, weight in dictionary.items()]
    product = sum(one * other for one, other in held)
    if not product:
        return 0.0
    return product / math.sqrt(sum(one * one for one, _ in held) * sum(other * other for _, other in held))


@dataclass(slots=True)
class _PeriodCount:
    documents: int = 0
    without: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, score: float) -> None:
        self.documents += 1
        self.without += score == 0.0
        self.total += score
        self.squares += score * score

    def point(self, period: str) -> TrendPoint:
        mean = self.total / self.documents
        spread = max(self.squares / self.documents - mean * mean, 0.0)
        error = math.sqrt(spread / (self.documents - 1)) if self.documents > 1 else 0.0
        return TrendPoint(period, self.documents, mean, error, self.without / self.documents)
