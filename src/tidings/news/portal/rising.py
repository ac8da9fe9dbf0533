"""What is talked about now: words that stand in more titles and summaries of this week than of the weeks before.

How surprising that is, is told by the log-likelihood ratio (Dunning 1993), which does not take two for a trend where
thousands were. The more words are looked at, the more surprising a word has to be, so that chance alone brings one of
them about. Only what lists show is read, so many of it at most: the cost is bounded whatever a store holds.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import NormalDist
from typing import Final

from tidings.news.portal.last_news import last_news
from tidings.news.store import Store
from tidings.news.store.quarantine import Quarantine, article_name
from tidings.news.store.records_of_articles import ArticleHeadline, Only
from tidings.news.store.records_of_work import Stage
from tidings.text import base_language, content_words, fold_space, stems, stop_words, unify_letters

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
    """A word, and how many articles of now and of before have it."""

    word: str
    language: str
    now: int
    before: int
    surprise: float


@dataclass(frozen=True, slots=True)
class Talk:
    """Words that rise, the most surprising first; and since when `now` is."""

    words: tuple[Rising, ...]
    since: datetime | None = None


def talk(store: Store, now: datetime, most: int = 24) -> Talk:
    """What is talked about: in the week up to now, or to the last news where that was earlier."""
    end = last_news(store, now)
    since = end - WEEK
    here = _listed(store, Only(since=since, until=end), _NOW_READ)
    there = _listed(store, Only(since=since - _BEFORE * WEEK, until=since - timedelta(microseconds=1)), _BEFORE_READ)
    aside = Quarantine(store, Stage.TRENDS)
    return Talk(tuple(rising(here, there, aside)[:most]), since if here else None)


def rising(
    here: Iterable[ArticleHeadline], there: Iterable[ArticleHeadline], aside: Quarantine | None = None
) -> list[Rising]:
    """The words that stand in more articles here than there, by surprise.

    Args:
        here: articles of now.
        there: articles of before.
        aside: takes those whose words cannot be counted; without it they raise.
    """

    def words(articles: Iterable[ArticleHeadline]) -> Iterable[_Words]:
        return map(_words, articles) if aside is None else aside.each(articles, _words, article_name)

    forms: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    now, sizes = _counted(words(here), forms)
    before, sizes_before = _counted(words(there), None)
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
    """What one of so many words reaches by chance: a quantile of the chi-squared distribution with one degree."""
    return NormalDist().inv_cdf(1 - 0.5 / max(words, _LOOKED_AT)) ** 2


def log_likelihood(one: int, of: int, other: int, of_other: int) -> float:
    """How little chance explains that `one` of `of` have it here and `other` of `of_other` there (Dunning 1993)."""

    def likelihood(had: int, total: int, share: float) -> float:
        return sum(
            number * math.log(part) for number, part in ((had, share), (total - had, 1 - share)) if number and part > 0
        )

    shared = (one + other) / (of + of_other)
    apart = likelihood(one, of, one / of) + likelihood(other, of_other, other / of_other)
    return max(0.0, 2 * (apart - likelihood(one, of, shared) - likelihood(other, of_other, shared)))


def _words(one: ArticleHeadline) -> _Words:
    """The language of an article, its telling words, and their stems."""
    language = base_language(one.language)
    text = unify_letters(fold_space(f"{one.title}. {one.summary[:_SUMMARY]}"), language)
    stopped = stop_words(language)
    told = [word for word in content_words(text, language) if word not in stopped and _is_telling(word)]
    return language, told, stems(told, language)


def _counted(
    articles: Iterable[_Words], forms: dict[tuple[str, str], Counter[str]] | None
) -> tuple[Counter[tuple[str, str]], Counter[str]]:
    """In how many articles each term stands, by language; and how many articles there are."""
    held: Counter[tuple[str, str]] = Counter()
    sizes: Counter[str] = Counter()
    for language, told, terms in articles:
        sizes[language] += 1
        held.update({(language, term) for term in terms})
        if forms is not None:
            for term, word in zip(terms, told, strict=True):
                forms[language, term][word] += 1
    return held, sizes


def _is_telling(word: str) -> bool:
    return len(word) >= _SHORTEST and not _DIGIT.search(word)


def _listed(store: Store, only: Only, most: int) -> list[ArticleHeadline]:
    found: list[ArticleHeadline] = []
    after: str | None = None
    while len(found) < most:
        listed = store.articles(only, limit=min(_AT_ONCE, most - len(found)), after=after)
        found += listed.items
        after = listed.after
        if after is None:
            break
    return found
