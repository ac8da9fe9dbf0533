"""TrendFinder: trends of named queries in dated documents, period by period (DANA thesis 6.6.3).

A document becomes a vector over the dictionary of the query (6.6.3.2, figure 6.1): the number of occurrences of each
keyword, stemmed, without stop words. Its score is the cosine with the query (eq. 6.2), and the score of a period the
mean of its documents. A document without keywords scores 0; their share is reported too, which the thesis lacks
(6.6.5). Documents are processed one at a time; only sums by period are stored.

Queries are sets of keywords that an expert has selected (DANA thesis 6.6.2, table 6.3), written in TOML:

language = "en" # of the keywords and, by default, of documents

    [queries]
    "neural networks" = ["neural", "network", "embedding", "attention"]
    parsing = "parse parser treebank grammar constituent dependency"

An abrupt change is a step from one period to the next that is larger than three of its standard errors, so that few
documents do not suffice, and larger than three times the median step of the trend, so that a volatile trend is not all
marks. Periods with fewer than ten documents are not compared. The thesis asks for the detection and does not define it
(6.6.5).
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
    """A named query with its keywords. A keyword of several words counts as these words, as in the thesis."""

    name: str
    keywords: tuple[str, ...]
    language: str = "en"

    @property
    def terms(self) -> list[str]:
        """Return the keywords as terms, with repetitions."""
        return terms(" . ".join(self.keywords), self.language)


def read_queries(text: str) -> tuple[TrendQuery, ...]:
    """Return the queries of a TOML text in order.

    Raises:
        BadTrends: it is not TOML, or a query has only stop words.
    """
    try:
        fields = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # an integer of thousands of digits raises ValueError
        raise BadTrends(f"the queries are no TOML: {error}") from error
    language = fields.get("language", "en")
    queries = fields.get("queries")
    if not isinstance(queries, dict) or not queries or not isinstance(language, str):
        raise BadTrends('there are no queries; write them as [queries] and below it name = ["keyword", …]')
    if len(queries) > _MOST:
        raise BadTrends(f"there are {len(queries)} queries, and {_MOST} at most can be looked at in one go")
    return tuple(_query(name, keywords, language) for name, keywords in queries.items())


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
    """A text and its date; the first day if only the year or month is known."""

    when: date
    text: str
    title: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Unusable:
    """A record that is not a document: its position and the reason."""

    where: str
    why: str


Record = DatedText | Unusable


def document(where: str, when: str, text: str, title: str = "", language: str = "") -> Record:
    """Create a document, or an `Unusable` with the reason why that is impossible."""
    day = day_of(when)
    if day is None:
        return Unusable(where, f"it has no date: {when.strip()[:40]!r}" if when.strip() else "it has no date")
    if not text.strip():
        return Unusable(where, "it has no text")
    return DatedText(day, text.strip(), title.strip(), language.strip())


def day_of(text: str) -> date | None:
    """Return the date of a text such as 2006, 2006/03, 2006/03/15/Spring or 2006-03-15T12:00, or None."""
    match = _DATE.match(text)
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
    """An abrupt change between two periods."""

    period: str  # the second period
    before: float
    after: float

    @property
    def step(self) -> float:
        """Return the difference of the two scores; negative if the trend falls."""
        return self.after - self.before


def abrupt_changes(points: Sequence[TrendPoint]) -> tuple[TrendChange, ...]:
    """Return the abrupt changes of a trend in order."""
    comparable = [point for point in points if point.documents >= _FEWEST]
    steps = [(before, after, abs(after.mean - before.mean)) for before, after in pairwise(comparable)]
    if not steps:
        return ()
    usual = median(size for _, _, size in steps)
    return tuple(
        TrendChange(after.period, before.mean, after.mean)
        for before, after, size in steps
        if size > _USUAL * usual and size > _ERRORS * math.hypot(before.error, after.error) and size > 0
    )


class PeriodLength(StrEnum):
    """Add a document to the scores of its period."""

    YEAR = "year"
    MONTH = "month"
    WEEK = "week"
    DAY = "day"

    def of(self, day: date) -> str:
        """Return the period of a day. Periods sort by name."""
        if self is PeriodLength.WEEK:
            year, week, _ = day.isocalendar()
            return f"{year:04d}-W{week:02d}"
        return day.isoformat()[: {PeriodLength.YEAR: 4, PeriodLength.MONTH: 7, PeriodLength.DAY: 10}[self]]


@dataclass(frozen=True, slots=True)
class TrendPoint:
    """The score of a query in a period, with its standard error and the number of documents."""

    period: str
    documents: int
    mean: float  # cosine
    error: float  # standard error of the mean; 0 for a single document
    without: float  # share of documents with no keyword


@dataclass(frozen=True, slots=True)
class Trend:
    """The scores of a query in all periods."""

    query: TrendQuery
    points: tuple[TrendPoint, ...]
    changes: tuple[TrendChange, ...]


@dataclass(frozen=True, slots=True)
class Trends:
    """The trends of queries over the same periods."""

    periods: tuple[str, ...]
    documents: int
    trends: tuple[Trend, ...]


class TrendFinder:
    """Finds the trends of queries in a stream of documents."""

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
        """Add a document to the scores of its period."""
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
        """Return the trends of the documents added up to now."""
        periods = tuple(sorted(self._counts))
        trends = []
        for number, query in enumerate(self._queries):
            points = tuple(self._cells[period, number].point(period) for period in periods)
            trends.append(Trend(query, points, abrupt_changes(points)))
        return Trends(periods, self._counts.total(), tuple(trends))


def find_trends(
    queries: Sequence[TrendQuery],
    documents: Iterable[DatedText],
    by: PeriodLength = PeriodLength.YEAR,
    *,
    with_titles: bool = False,
) -> Trends:
    """Return the trends of queries in documents."""
    finder = TrendFinder(queries, by, with_titles=with_titles)
    for document in documents:
        finder.add(document)
    return finder.trends()


def cosine_over(dictionary: Counter[str], document: Counter[str]) -> float:
    """Return the cosine of a query and a document over the dictionary of the query (eq. 6.2)."""
    pairs = [(weight, document[term]) for term, weight in dictionary.items()]
    product = sum(first * second for first, second in pairs)
    if not product:
        return 0.0
    return product / math.sqrt(sum(first * first for first, _ in pairs) * sum(second * second for _, second in pairs))


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
