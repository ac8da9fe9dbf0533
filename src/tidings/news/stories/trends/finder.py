"""TrendFinder: how much documents of each period are about a query (DANA thesis 6.6.3).

A document becomes a vector over the query's own dictionary only (6.6.3.2, figure 6.1): how often each keyword is in it,
stemmed, stop words out. Its score is the cosine with the query (eq. 6.2), and a period's the mean of its documents. A
document with none of the keywords scores 0; how many do so is told beside it, which the thesis misses (6.6.5).

Documents come one at a time and are not kept: only sums by period are.

Named queries: what trends are looked for, as sets of keywords that an expert chose (DANA thesis 6.6.2, table 6.3).

They are written in TOML:

    language = "en"                       # of the keywords and, unless it says otherwise, of a document

    [queries]
    "neural networks" = ["neural", "network", "embedding", "attention"]
    parsing = "parse parser treebank grammar constituent dependency"

What trends are found in: texts with a time, and what could not be read as one.

Abrupt changes of a trend: steps that chance does not explain and that are not this trend's daily bread.

The thesis wants them detected and says no more (DANA thesis 6.6.5). Here a step from one period to the next is abrupt
if it is larger than three of its own standard errors, so that few documents do not make one; and larger than three
times the usual step of this trend, measured by the median of all its steps, so that a restless trend is not all marks.
A period with fewer than ten documents neither is marked nor compared with.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise
from statistics import median
from typing import Final

from tidings.errors import BadTrends
from tidings.text import base_language, terms

_MOST = 200  # queries


@dataclass(frozen=True, slots=True)
class TrendQuery:
    """A name and its keywords. A keyword of several words counts as these words, as in the thesis."""

    name: str
    keywords: tuple[str, ...]
    language: str = "en"

    @property
    def terms(self) -> list[str]:
        """The keywords as terms, repetitions included."""
        return terms(" . ".join(self.keywords), self.language)


def read_queries(text: str) -> tuple[TrendQuery, ...]:
    """The queries of a TOML text, in their order.

    Raises:
        BadTrends: it is no TOML, or a query has no keyword that is more than a stop word.
    """
    try:
        told = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is no TOMLDecodeError
        raise BadTrends(f"the queries are no TOML: {error}") from error
    language = told.get("language", "en")
    given = told.get("queries")
    if not isinstance(given, dict) or not given or not isinstance(language, str):
        raise BadTrends('there are no queries; write them as [queries] and below it name = ["keyword", …]')
    if len(given) > _MOST:
        raise BadTrends(f"there are {len(given)} queries, and {_MOST} at most can be looked at in one go")
    return tuple(_query(name, keywords, language) for name, keywords in given.items())


def _query(name: str, keywords: object, language: str) -> TrendQuery:
    words: Iterable[object] = (
        [keywords] if isinstance(keywords, str) else keywords if isinstance(keywords, list) else []
    )
    query = TrendQuery(name, tuple(word for word in words if isinstance(word, str)), language)
    if not query.terms:
        raise BadTrends(f"the query {name!r} has no keywords; a stop word alone is none")
    return query


_DATE: Final = re.compile(r"\s*(\d{4})(?:\s*[-/.]\s*(\d{1,2})(?!\d))?(?:\s*[-/.]\s*(\d{1,2})(?!\d))?")


@dataclass(frozen=True, slots=True)
class DatedText:
    """A text and the day it is of; where only a year or a month is known, the first day of it."""

    when: date
    text: str
    title: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A record that is no document: where it begins and what it lacks."""

    where: str
    why: str


Record = DatedText | Unusable


def document(where: str, when: str, text: str, title: str = "", language: str = "") -> Record:
    """A document, or why there is none."""
    day = day_of(when)
    if day is None:
        return Unusable(where, f"it has no date: {when.strip()[:40]!r}" if when.strip() else "it has no date")
    if not text.strip():
        return Unusable(where, "it has no text")
    return DatedText(day, text.strip(), title.strip(), language.strip())


def day_of(told: str) -> date | None:
    """The day that a date tells: 2006, 2006/03, 2006/03/15/Spring, 2006-03-15T12:00; None if it tells none."""
    match = _DATE.match(told)
    if match is None:
        return None
    year, month, day = (int(part) if part else 1 for part in match.groups())
    for parts in ((year, month, day), (year, month, 1), (year, 1, 1)):
        try:
            return date(*parts)
        except ValueError:
            continue
    return None


_ERRORS: Final = 3.0
_USUAL: Final = 3.0
_FEWEST: Final = 10


@dataclass(frozen=True, slots=True)
class TrendChange:
    """A step up or down between two periods."""

    period: str  # in which it is seen first
    before: float
    after: float

    @property
    def step(self) -> float:
        """How large it is; negative where the trend falls."""
        return self.after - self.before


def abrupt_changes(points: Sequence[TrendPoint]) -> tuple[TrendChange, ...]:
    """The abrupt changes of a trend, in their order."""
    told = [point for point in points if point.documents >= _FEWEST]
    steps = [(one, other, abs(other.mean - one.mean)) for one, other in pairwise(told)]
    if not steps:
        return ()
    usual = median(size for _, _, size in steps)
    return tuple(
        TrendChange(other.period, one.mean, other.mean)
        for one, other, size in steps
        if size > _USUAL * usual and size > _ERRORS * math.hypot(one.error, other.error) and size > 0
    )


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
