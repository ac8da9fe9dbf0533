"""Themes of the news through time: how they begin, merge, split and fade (DANA thesis 6.6.5), and keyword quality.

A theme is a connected component of words that share articles of a period (cosine of at least one half). Themes are
matched with those of the period before by their words, as communities are by Greene, Doyle and Cunningham (2010): two
themes with one successor have merged, one with two successors has split, and one without a successor has faded. The
overlap is relative to the smaller set, so that a part matches its whole.

The quality of a **keyword** is Youden's index (1950): the share of articles about the query's other keywords that have
it, minus the share of all other articles that have it. Words that are in all articles, or in none, score 0.

Only headlines and summaries are read, with an upper limit. Keywords are counted with the index alone.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from itertools import combinations, pairwise
from typing import Final

from tidings_portal.store import Store, parse
from tidings_portal.store.quarantine import Quarantine, article_name
from tidings_portal.store.query import And, Or, SearchedWords
from tidings_portal.store.records_of_articles import ArticleHeadline, Only
from tidings_portal.store.records_of_work import Stage
from tidings_portal.stories.trends.finder import PeriodLength
from tidings_portal.trends import TimeSpan, keywords, last_news, listed_articles, periods_up_to, telling_words

#: Periods that are looked at, and articles of each.
PERIODS: Final = 8
_READ: Final = 600
_FEWEST: Final = 2  # articles that a word or a link stands in
_ALONE: Final = 4  # articles that make a theme of one word
_LINKED: Final = 0.5
_SHARED: Final = 0.5  # of the smaller set of words, for two themes to be one
_WORDS: Final = 80  # of a language and period, the most frequent
_EVERYWHERE, _MANY = 0.3, 20  # of so many articles or more, a word in such a share is how a paper writes
_MOST: Final = 12  # themes of a language and period
_COUNTED: Final = 10_000_000


@dataclass(frozen=True, slots=True)
class Theme:
    """A theme: words of a period that share articles, the most frequent first, and its number of articles."""

    period: str
    language: str
    words: tuple[str, ...]
    articles: int
    share: float  # of the articles of the period in that language
    terms: frozenset[str] = frozenset()


class ThemeChange(StrEnum):
    """The kind of change of a theme from one period to the next."""

    BEGINS = "begins"
    MEETS = "meets"
    SPLITS = "splits"
    FADES = "fades"


@dataclass(frozen=True, slots=True)
class ThemeStep:
    """A change of themes between two periods: the themes before it and after it, and the later period."""

    change: ThemeChange
    period: str
    before: tuple[Theme, ...] = ()
    after: tuple[Theme, ...] = ()


@dataclass(frozen=True, slots=True)
class ThemeHistory:
    """The themes of each period, the lines that connect them through time, and their changes."""

    periods: tuple[str, ...] = ()
    themes: tuple[tuple[Theme, ...], ...] = ()  # of each period
    lines: tuple[tuple[Theme | None, ...], ...] = ()  # a theme of each period or none; the largest lines first
    steps: tuple[ThemeStep, ...] = ()  # the latest first
    links: tuple[tuple[Theme, Theme], ...] = ()  # each theme of a period with those of the next that continue it

    @property
    def is_first(self) -> bool:
        """Return whether there is a single period, so that no change can be detected."""
        return len(self.periods) == 1


@dataclass(frozen=True, slots=True)
class KeywordQuality:
    """The quality of a keyword: how well it separates articles with the query's other keywords (1) or not (0)."""

    word: str
    articles: int  # that have it
    together: int  # of them, with another keyword
    separation: float


def history(
    store: Store, now: datetime, by: PeriodLength | None = None, language: Sequence[str] | None = None
) -> ThemeHistory:
    """Return the themes of the news in the last periods, up to the latest article, with their changes.

    Args:
        store: the store of the articles.
        now: the current time; later articles are ignored.
        by: the length of a period; None: weeks, or days if fewer than two weeks have articles.
        language: only articles in these languages; None: all.
    """
    end = last_news(store, now).date()
    spoken = None if language is None else tuple(language)
    for length in (by,) if by is not None else (PeriodLength.WEEK, PeriodLength.DAY):
        told = [(one, _headlines(store, one, spoken)) for one in periods_up_to(length, end, PERIODS)]
        told = [(period, articles) for period, articles in told if articles]
        if len(told) > 1:
            break
    aside = Quarantine(store, Stage.TRENDS)
    return connect([(period.name, themes_of(period.name, articles, aside)) for period, articles in told])


def _headlines(store: Store, period: TimeSpan, spoken: tuple[str, ...] | None) -> list[ArticleHeadline]:
    return listed_articles(store, Only(since=period.begin, until=period.end, language=spoken), _READ)


def themes_of(period: str, articles: Iterable[ArticleHeadline], aside: Quarantine | None = None) -> tuple[Theme, ...]:
    """Return the themes of some articles, the largest first."""
    read = map(telling_words, articles) if aside is None else aside.each(articles, telling_words, article_name)
    texts: dict[str, list[frozenset[str]]] = defaultdict(list)
    forms: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for language, told, terms in read:
        texts[language].append(frozenset(terms))
        for term, word in zip(terms, told, strict=True):
            forms[language, term][word] += 1
    found = []
    for language, sets in sorted(texts.items()):
        own = [_theme(period, language, group, sets, forms) for group in _groups(sets)]
        own = [one for one in own if one.articles >= (_ALONE if len(one.words) == 1 else _FEWEST)]
        found += sorted(own, key=lambda one: (-one.articles, one.words))[:_MOST]
    return tuple(sorted(found, key=lambda one: (-one.articles, one.language, one.words)))


def _groups(sets: Sequence[frozenset[str]]) -> list[list[str]]:
    """Return groups of words that share articles (connected components)."""
    had = Counter(term for terms in sets for term in terms)
    most = _EVERYWHERE * len(sets) if len(sets) >= _MANY else len(sets)
    usual = sorted(
        ((term, number) for term, number in had.items() if _FEWEST <= number <= most), key=lambda one: (-one[1], one[0])
    )
    chosen = frozenset(term for term, _ in usual[:_WORDS])
    both = Counter(pair for terms in sets for pair in combinations(sorted(terms & chosen), 2))
    group = {term: [term] for term in sorted(chosen)}
    for (one, other), number in sorted(both.items()):
        if (
            number >= _FEWEST
            and number >= _LINKED * math.sqrt(had[one] * had[other])
            and group[one] is not group[other]
        ):
            group[one] += group[other]
            for term in group[other]:
                group[term] = group[one]
    return [terms for term, terms in group.items() if terms[0] == term]


def _theme(
    period: str,
    language: str,
    terms: Sequence[str],
    sets: Sequence[frozenset[str]],
    forms: dict[tuple[str, str], Counter[str]],
) -> Theme:
    whole = frozenset(terms)
    least = min(2, len(whole))
    articles = sum(len(whole & one) >= least for one in sets)
    had = Counter(term for one in sets for term in whole & one)
    words = [forms[language, term].most_common(1)[0][0] for term in sorted(whole, key=lambda one: (-had[one], one))]
    return Theme(period, language, tuple(words), articles, articles / len(sets), whole)


def connect(periods: Sequence[tuple[str, tuple[Theme, ...]]]) -> ThemeHistory:
    """Return the themes of successive periods with their changes."""
    steps: list[ThemeStep] = []
    following: dict[Theme, Theme] = {}
    all_links: list[tuple[Theme, Theme]] = []
    for (_, before), (period, after) in pairwise(periods):
        links = [(one, other) for one in before for other in after if _is_same_theme(one, other)]
        all_links += links
        sources = {other: [one for one, found in links if found is other] for other in after}
        targets = {one: [other for found, other in links if found is one] for one in before}
        for other, had in sources.items():
            if len(had) != 1:
                change = ThemeChange.MEETS if had else ThemeChange.BEGINS
                steps.append(ThemeStep(change, period, tuple(had), (other,)))
        for one, became in targets.items():
            if len(became) != 1:
                change = ThemeChange.SPLITS if became else ThemeChange.FADES
                steps.append(ThemeStep(change, period, (one,), tuple(became)))
        matched: set[Theme] = set()
        for one, other in sorted(links, key=lambda link: (-len(link[0].terms & link[1].terms), -link[1].articles)):
            if one not in following and other not in matched:
                following[one] = other
                matched.add(other)
    themes = tuple(found for _, found in periods)
    newest = sorted(enumerate(steps), key=lambda one: (one[1].period, -one[0]), reverse=True)
    return ThemeHistory(
        tuple(name for name, _ in periods),
        themes,
        _lines(themes, following),
        tuple(s for _, s in newest),
        tuple(all_links),
    )


def _is_same_theme(theme: Theme, other: Theme) -> bool:
    shared, least = len(theme.terms & other.terms), min(len(theme.terms), len(other.terms))
    return theme.language == other.language and shared >= min(2, least) and shared >= _SHARED * least


def _lines(themes: Sequence[Sequence[Theme]], following: dict[Theme, Theme]) -> tuple[tuple[Theme | None, ...], ...]:
    """Return each theme with its successors as a line with an entry per period, the line with most articles first."""
    begun = set(following.values())
    lines = []
    for place, found in enumerate(themes):
        for theme in found:
            if theme not in begun:
                line: list[Theme | None] = [None] * len(themes)
                at, one = place, theme
                line[at] = one
                while one in following:
                    at, one = at + 1, following[one]
                    line[at] = one
                lines.append(tuple(line))
    return tuple(sorted(lines, key=lambda line: -sum(one.articles for one in line if one is not None)))


def keyword_quality(store: Store, query: str, periods: Sequence[TimeSpan], language: str = "") -> list[KeywordQuality]:
    """Return the quality of each keyword of a query, best first; [] for a query with a single keyword.

    Raises:
        BadQuery: the query is invalid.
    """
    words = [SearchedWords(one) for one in keywords(parse(query))][:_MOST]
    if len(words) < 2 or not periods:
        return []
    only = Only(language=language or None, since=periods[0].begin, until=periods[-1].end)
    total = store.count(None, only, most=_COUNTED).number
    found = []
    for word in words:
        others = Or(tuple(one for one in words if one != word))
        about, had, together = (
            store.count(one, only, most=_COUNTED).number for one in (others, word, And((word, others)))
        )
        rest = (had - together) / (total - about) if total > about else 0.0
        found.append(KeywordQuality(word.text, had, together, (together / about if about else 0.0) - rest))
    return sorted(found, key=lambda one: (-one.separation, one.word))
