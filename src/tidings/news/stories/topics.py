"""A topic for each article: one of twelve, or opinion; what its outlet says of it, else what its words are most like.

**Outlets** call the same thing by many names in many languages; `categories.toml` beside this file maps them to one
each. Asked are the words of the feed, the section and the folders of the address, in this order. A subject goes before
a place: `news/local/crime-courts` is crime, and only what has no other word is `local` or `world`. Opinion is a form,
not a subject; where an outlet says it, it is said.

**Words** tell the rest: naive Bayes (McCallum and Nigam 1998) over words that are telling, in each language by itself.
Known beforehand are those of `topic_words.toml`; the articles of a store whose outlets name their topic teach it more:
a word that is several times as frequent in one topic as in all others. In scripts without spaces words are looked for
in the text as they stand. A topic is said only where it is clear.
"""

from __future__ import annotations

import math
import re
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

OPINION: Final = "opinion"
#: What no topic is known of.
OTHER: Final = "other"
#: What says where, and not what.
_PLACES: Final = frozenset({"world", "local"})
_KIND, _VERSION = "topics", 1
_CLEAR: Final = 0.35  # how sure a topic is that words alone tell; eleven that are equally likely have 0.09
_EVIDENCE: Final = math.log(8)  # how much likelier a telling word is in an article of its topic than in any other
_FEWEST, _FEWEST_WITH, _TIMES = (
    30,
    6,
    4,
)  # a word is learned from so many articles, if so many have it: so many times more
_MOST_CHARACTERS: Final = 5_000
_MOST_ARTICLES: Final = 200  # of a topic and language that are learned from
_TITLE: Final = 3  # a word of the headline counts for so many
_OFTEN: Final = 3  # and is not counted more often than this
_SHORT: Final = 3  # words of a name that is also looked up word by word; longer ones are titles
_PARTS: Final = re.compile(r"[/|,>;»›]")
#: Languages whose words are looked for in the text as it stands.
_UNSPACED: Final = frozenset({"zh", "ja"})


@dataclass(frozen=True, slots=True)
class Topic:
    """A topic and what told it: `feed`, `section`, `address` or `words`."""

    name: str
    told_by: str


def declared(feed: Iterable[str] = (), section: str = "", address: str = "") -> Topic | None:
    """The topic that an article's feed, section or address tells, in that order; None if none is known."""
    found = [
        *(Topic(name, "feed") for one in feed for name in _of_name(one)),
        *(Topic(name, "section") for name in _of_name(section)),
        *(Topic(name, "address") for name in _of_address(address)),
    ]
    forms = [one for one in found if one.name == OPINION]
    subjects = [one for one in found if one.name not in _PLACES]
    return next(iter((*forms, *subjects, *found)), None)


def _of_name(name: str) -> list[str]:
    """The topics of the parts of a section's name, the last one first."""
    return [found for part in reversed(_PARTS.split(name[:200])) if (found := section_topic(part))]


def _of_address(address: str) -> list[str]:
    """The topics of the folders of an address, the deepest first, and of the first label of its host."""
    try:
        split = urlsplit(address)
        path, host = unquote(split.path), split.hostname or ""
    except ValueError:
        return []
    labels = host.removeprefix("www.").split(".")
    folders = path.split("/")[1:-1]  # the last part is the article itself
    return [found for part in (*reversed(folders), *labels[:-2]) if (found := section_topic(part))]


def section_topic(name: str) -> str:
    """The topic that a name stands for, as `ekonomi` or `Business & Money` for `economy`; empty if none is known."""
    known = _names()
    for language in ("", "tr"):  # capital I has a small letter of its own in Turkish
        words = letter_runs(fold_case(name[:100], language))
        if found := known.get(" ".join(words)):
            return found
        for word in words if len(words) <= _SHORT else ():
            if (len(word) > 2 or not word.isascii()) and (found := known.get(word)):
                return found
    return ""


def topic_names() -> tuple[str, ...]:
    """The topics there are, in the order in which a paper has them."""
    return tuple(dict.fromkeys(_names().values()))


@cache
def _names() -> Mapping[str, str]:
    told = tomllib.loads((files("tidings.news.stories") / "categories.toml").read_text(encoding="utf-8"))
    return {" ".join(letter_runs(name)): topic for topic, names in told.items() for name in (topic, *names)}


@cache
def _all_words() -> Mapping[str, Mapping[str, str]]:
    return tomllib.loads((files("tidings.news.stories") / "topic_words.toml").read_text(encoding="utf-8"))


@cache
def _words_of(language: str) -> Mapping[str, frozenset[str]]:
    """The words of each topic in a language, as texts have them."""
    told = _all_words().get({"nb": "no", "nn": "no"}.get(language, language), {})
    if language in _UNSPACED:
        return {topic: frozenset(words.split()) for topic, words in told.items()}
    return {topic: frozenset(terms(words, language)) for topic, words in told.items()}


def topic_languages() -> frozenset[str]:
    """The languages whose words are known beforehand."""
    return frozenset(_all_words())


class TopicModel:
    """Tells topics from words: from what is known beforehand, and what it has learned."""

    __slots__ = ("_articles", "_counts", "_telling")

    def __init__(self) -> None:
        self._articles: Counter[tuple[str, str]] = Counter()  # by language and topic
        self._counts: dict[tuple[str, str], Counter[str]] = {}
        self._telling: dict[str, Mapping[str, tuple[str, ...]]] = {}  # by language and word, made when they are needed

    def learn(self, report: Report, topic: str) -> bool:
        """An article whose topic is known. False: its topic is not told by words, or enough of them were seen."""
        key = base_language(report.language), topic
        if topic in (OPINION, "local") or self._articles[key] >= _MOST_ARTICLES:
            return False
        self._articles[key] += 1
        self._counts.setdefault(key, Counter()).update(_words(report).keys())
        self._telling.pop(key[0], None)
        return True

    def guess(self, report: Report) -> Topic | None:
        """The topic that an article's words are most like, where that is clear."""
        chances = self.chances(report)
        best = max(chances, key=lambda name: chances[name], default="")
        return Topic(best, "words") if best and chances[best] >= _CLEAR else None

    def chances(self, report: Report) -> dict[str, float]:
        """How likely each topic is by the words of an article; they sum to one, or there are none."""
        language = base_language(report.language)
        telling = self._telling.get(language)
        if telling is None:
            telling = self._telling[language] = self._find_telling(language)
        found = {term: number for term, number in _words(report).items() if term in telling}
        if not found:
            return {}
        logs = dict.fromkeys(sorted({topic for term in found for topic in telling[term]}), 0.0)
        for term, number in found.items():
            for topic in telling[term]:
                logs[topic] += number * _EVIDENCE / len(telling[term])
        # Words of a text do not come one by one, as naive Bayes believes: its logarithms are spread too wide.
        best, spread = max(logs.values()), math.sqrt(sum(found.values()))
        tempered = {name: math.exp((value - best) / spread) for name, value in logs.items()}
        total = math.fsum(tempered.values())
        return {name: value / total for name, value in tempered.items()}

    def _find_telling(self, language: str) -> Mapping[str, tuple[str, ...]]:
        """The words that tell topics, and which: those known beforehand, and those that were learned."""
        found: dict[str, list[str]] = {}
        for topic, words in sorted(_words_of(language).items()):
            for word in words:
                found.setdefault(word, []).append(topic)
        keys = [key for key in sorted(self._articles) if key[0] == language]
        articles = sum(self._articles[key] for key in keys)
        every: Counter[str] = Counter()
        for key in keys:
            every.update(self._counts[key])
        for key in keys:
            inside, outside = self._articles[key], articles - self._articles[key]
            if min(inside, outside) < _FEWEST:
                continue
            for term, number in self._counts[key].items():
                elsewhere = (every[term] - number + 0.5) / (outside + 1)
                if (
                    number >= _FEWEST_WITH
                    and number / inside >= _TIMES * elsewhere
                    and key[1] not in found.get(term, ())
                ):
                    found.setdefault(term, []).append(key[1])
        return {term: tuple(topics) for term, topics in found.items()}

    def state(self) -> bytes:
        """What it has learned, for keeping."""
        keys = sorted(self._counts)
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
    def from_state(cls, kept: bytes) -> TopicModel:
        """As it was kept.

        Raises:
            BadState: the bytes are damaged or of something else.
        """
        columns = unpacked(kept, _KIND, _VERSION)
        found = cls()
        for number, (told, articles) in enumerate(zip(to_words(columns["keys"]), columns["articles"], strict=True)):
            language, _, name = told.partition("\t")
            key = language, name
            pairs = zip(to_words(columns[f"{number}/terms"]), columns[f"{number}/counts"].tolist(), strict=True)
            found._articles[key] = int(articles)
            found._counts[key] = Counter(dict(pairs))
        return found


def _words(report: Report) -> dict[str, int]:
    """The words of an article and how much each counts, in a fixed order."""
    language = base_language(report.language)
    text = report.text[:_MOST_CHARACTERS]
    if language in _UNSPACED:
        every = frozenset().union(*_words_of(language).values())
        found = {word: text.count(word) + _TITLE * (word in report.title) for word in sorted(every)}
    else:
        counted = Counter(terms(text, report.language))
        counted.update(dict.fromkeys(terms(report.title, report.language), _TITLE))
        found = {term: counted[term] for term in sorted(counted)}
    return {term: min(number, _OFTEN) for term, number in found.items() if number}
