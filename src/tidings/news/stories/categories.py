"""A category for each article: what its feed, its section or its address says, else what its words are most like.

Newspapers call the same thing by many names in many languages; `categories.toml` beside this file maps them to one
each. What none of the three tells is guessed by multinomial naive Bayes over the articles that have a category already
(McCallum and Nigam 1998), in each language by itself. A guess is made only where it is clear.
"""

from __future__ import annotations

import math
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final
from urllib.parse import unquote, urlsplit

import numpy as np

from tidings.news.stories.packing import of_words, packed, to_words, unpacked
from tidings.news.stories.report import Report
from tidings.text import base_language, fold_case, letter_runs, terms

_KIND, _VERSION = "categories", 1
_FEWEST: Final = 5  # articles of a category before anything is guessed to be of it
_CLEAR: Final = 0.9  # how sure a guess is
_SMOOTHING: Final = 0.1
_MOST_CHARACTERS: Final = 5_000
_SHORT: Final = 3  # words of a name that is also looked up word by word; longer ones are titles


@dataclass(frozen=True, slots=True)
class Category:
    """A category and what told it: `feed`, `section`, `address` or `words`."""

    name: str
    told_by: str


def declared(feed: Iterable[str] = (), section: str = "", address: str = "") -> Category | None:
    """The category that an article's feed, section or address tells, in that order; None if none is known."""
    for name in feed:
        if found := normalised(name):
            return Category(found, "feed")
    if found := normalised(section):
        return Category(found, "section")
    try:
        path = unquote(urlsplit(address).path)
    except ValueError:
        return None
    for part in path.split("/")[1:-1]:  # the last part is the article itself
        if found := normalised(part):
            return Category(found, "address")
    return None


def normalised(name: str) -> str:
    """The category that a name stands for, as `ekonomi` or `Business & Money` for `economy`; empty if none is known."""
    known = _names()
    for language in ("", "tr"):  # capital I has a small letter of its own in Turkish
        words = letter_runs(fold_case(name[:100], language))
        if found := known.get(" ".join(words)):
            return found
        for word in words if len(words) <= _SHORT else ():
            if found := known.get(word):
                return found
    return ""


def category_names() -> tuple[str, ...]:
    """The names that all others are mapped to."""
    return tuple(dict.fromkeys(_names().values()))


@cache
def _names() -> Mapping[str, str]:
    told = tomllib.loads((files("tidings.news.stories") / "categories.toml").read_text(encoding="utf-8"))
    return {" ".join(letter_runs(name)): category for category, names in told.items() for name in (category, *names)}


class Categoriser:
    """Guesses categories from those that are known."""

    __slots__ = ("_articles", "_counts", "_vocabulary")

    def __init__(self) -> None:
        self._articles: Counter[tuple[str, str]] = Counter()  # by language and category
        self._counts: dict[tuple[str, str], Counter[str]] = {}
        self._vocabulary: dict[str, set[str]] = {}

    def learn(self, report: Report, category: str) -> None:
        """An article whose category is known."""
        key = base_language(report.language), category
        self._articles[key] += 1
        own = self._counts.setdefault(key, Counter())
        found = _words(report)
        own.update(found)
        self._vocabulary.setdefault(key[0], set()).update(found)

    def guess(self, report: Report) -> Category | None:
        """The category that an article's words are most like, where that is clear."""
        language = base_language(report.language)
        known = {name: count for (code, name), count in self._articles.items() if code == language and count >= _FEWEST}
        found = _words(report)
        if len(known) < 2 or not found:
            return None
        size = len(self._vocabulary[language])
        logs = {name: self._log(language, name, count, found, size) for name, count in known.items()}
        best = max(sorted(logs), key=lambda name: logs[name])
        # Terms of a text do not come one by one, as naive Bayes believes: its logarithms are spread too wide.
        tempered = [math.exp((value - logs[best]) / math.sqrt(len(found))) for value in logs.values()]
        return Category(best, "words") if 1.0 / sum(tempered) >= _CLEAR else None

    def _log(self, language: str, name: str, articles: int, found: set[str], size: int) -> float:
        own = self._counts[language, name]
        total = math.log(own.total() + _SMOOTHING * size)
        likelihood = math.fsum(math.log(own[term] + _SMOOTHING) - total for term in sorted(found))
        return math.log(articles) + likelihood

    def state(self) -> bytes:
        """All of it, for keeping."""
        keys = sorted(self._articles)
        columns = {
            "keys": of_words(f"{language}\t{name}" for language, name in keys),
            "articles": np.array([self._articles[key] for key in keys], np.int64),
        }
        for number, key in enumerate(keys):
            own = sorted(self._counts[key].items())
            columns[f"{number}/terms"] = of_words(term for term, _ in own)
            columns[f"{number}/counts"] = np.array([count for _, count in own], np.int64)
        return packed(_KIND, _VERSION, columns)

    @classmethod
    def from_state(cls, kept: bytes) -> Categoriser:
        """As it was kept.

        Raises:
            BadState: the bytes are damaged or of something else.
        """
        columns = unpacked(kept, _KIND, _VERSION)
        found = cls()
        for number, (told, articles) in enumerate(zip(to_words(columns["keys"]), columns["articles"], strict=True)):
            language, _, name = told.partition("\t")
            found._articles[language, name] = int(articles)
            pairs = zip(to_words(columns[f"{number}/terms"]), columns[f"{number}/counts"].tolist(), strict=True)
            own = found._counts[language, name] = Counter(dict(pairs))
            found._vocabulary.setdefault(language, set()).update(own)
        return found


def _words(report: Report) -> set[str]:
    return set(terms(f"{report.title}\n{report.text[:_MOST_CHARACTERS]}", report.language))
